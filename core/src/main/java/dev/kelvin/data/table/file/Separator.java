package dev.kelvin.data.table.file;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** What stands between the cells of a CSV file: the one of , ; tab | and space that leaves the most numbers. */
final class Separator {
    /** How many bytes of a file's beginning are looked at. */
    static final int LOOKED_AT = 1 << 16;

    private static final int LINES = 20;

    /** Where two leave as many numbers, the one that is less likely to stand in a text or a number. */
    private static final String ORDER = "\t;|, ";

    private Separator() {}

    static char of(byte[] beginning) {
        List<String> lines = new String(beginning, StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceAll("\"[^\"]*\"", "q"))
                .filter(line -> !line.isBlank())
                .limit(LINES)
                .toList();
        // the last may be cut, where the file goes on
        boolean cut = beginning.length >= LOOKED_AT && beginning[beginning.length - 1] != '\n' && lines.size() < LINES;
        List<String> whole = cut && lines.size() > 1 ? lines.subList(0, lines.size() - 1) : lines;
        return (char) ORDER.chars()
                .filter(each -> whole.stream().anyMatch(line -> line.strip().indexOf(each) >= 0))
                .boxed()
                .max(Comparator.comparingLong(each -> worth(whole, (char) each.intValue())))
                .orElse((int) ',')
                .intValue();
    }

    /** Numbers count most, then that all lines have as many cells. */
    private static long worth(List<String> lines, char separator) {
        long numbers = 0;
        boolean even = true;
        int expected = cells(lines.get(0), separator).length;
        for (String line : lines) {
            String[] cells = cells(line, separator);
            even &= cells.length == expected;
            for (String cell : cells) {
                numbers += Double.isNaN(TableSource.number(cell)) ? 0 : 1;
            }
        }
        return 2 * numbers + (even ? 1 : 0);
    }

    private static String[] cells(String line, char separator) {
        return separator == ' ' ? line.strip().split(" +", -1) : line.split("\\Q" + separator + "\\E", -1);
    }
}

package dev.kelvin.cite;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A work that can be cited, as an entry of BibTeX has it.
 *
 * @param type article, inproceedings and the like
 * @param key by which parts name it
 * @param fields in the order in which they were written
 */
public record Publication(String type, String key, Map<String, String> fields) {
    /** What is for Kelvin's own pages: what of the work is in Kelvin, and the number of its studies. */
    private static final List<String> OWN = List.of("kelvin", "study", "shorttitle");

    /** Where a work appeared: the field that its type has. */
    private static final List<String> VENUES =
            List.of("journal", "booktitle", "school", "institution", "publisher", "howpublished", "note");

    public Publication {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** A field's text, without BibTeX's braces and escapes. */
    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name))
                .map(text -> text.replace("\\&", "&").replace("--", "–").replaceAll("[{}]", ""));
    }

    /** With one more field. */
    public Publication with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new Publication(type, key, more);
    }

    /** The authors, first names first; of others than these, {@code others}. */
    public List<String> authors() {
        return names().map(name -> name.replaceFirst("(?s)^(.*?), (.*)$", "$2 $1"))
                .toList();
    }

    private Stream<String> names() {
        return Arrays.stream(field("author").orElse("").split(" and ", -1));
    }

    /** As people name it in passing: Roberts and Tweedie 1996; where the authors are not known, the short title. */
    public String label() {
        List<String> surnames = names().map(name -> name.split(", ", 2)[0]).toList();
        String who = surnames.size() > 2 ? surnames.get(0) + " et al." : String.join(" and ", surnames);
        return field("shorttitle")
                .orElse(who + field("year").map(year -> " " + year).orElse(""));
    }

    /** The reference in full, on one line. */
    public String text() {
        String year = field("year").map(each -> " (" + each + ")").orElse("");
        String volume = field("volume")
                .map(each -> " " + each
                        + field("number").map(number -> "(" + number + ")").orElse(""))
                .orElse("");
        String where = VENUES.stream().flatMap(name -> field(name).stream()).collect(Collectors.joining(", "));
        String pages = field("pages").map(each -> ", " + each).orElse("");
        return sentence(people() + year) + " " + sentence(field("title").orElse("")) + " "
                + sentence(where + volume + pages);
    }

    private String people() {
        List<String> all = authors();
        String last = all.get(all.size() - 1);
        return all.size() == 1 ? last : String.join(", ", all.subList(0, all.size() - 1)) + " and " + last;
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith("?") || text.endsWith(".") ? text : text + ".";
    }

    /** The entry for a BibTeX file. */
    public String bibtex() {
        return fields.entrySet().stream()
                .filter(field -> !OWN.contains(field.getKey()))
                .map(field -> "  " + field.getKey() + " = {" + field.getValue() + "}")
                .collect(Collectors.joining(",\n", "@" + type + "{" + key + ",\n", "\n}\n"));
    }
}

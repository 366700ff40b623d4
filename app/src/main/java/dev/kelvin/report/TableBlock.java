package dev.kelvin.report;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A table with one header row; the first cell of each row is the row's header. */
public record TableBlock(String caption, List<String> headers, List<List<Cell>> rows) implements Block {
    private static final int LONG_NOTE = 40; // characters

    public TableBlock {
        headers = List.copyOf(headers);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /**
     * What one cell shows.
     *
     * @param note smaller words after the text, such as its unit or an explanation; may be empty
     * @param style the stylesheet's class of the text; empty for plain words
     * @param link where the text leads, beside the page; empty for none
     */
    public record Cell(String text, String note, String style, String link) {
        private static final String MARKED = "marked";

        private Cell(String text, String note, String style) {
            this(text, note, style, "");
        }

        /** Plain words that lead to a file beside the page. */
        public static Cell linked(String text, String note, String file) {
            return new Cell(text, note, "", file);
        }

        /** Plain words. */
        public static Cell words(String text) {
            return words(text, "");
        }

        /** Plain words with a smaller explanation under them. */
        public static Cell words(String text, String note) {
            return new Cell(text, note, "");
        }

        /** A number, rounded for people. */
        public static Cell value(double value) {
            return value(value, "");
        }

        /** A number, rounded for people, with a small word after it, such as its unit. */
        public static Cell value(double value, String note) {
            return number(Numbers.forPeople(value), note);
        }

        /** A number that is formatted already, with its unit. */
        static Cell number(String text, String unit) {
            return new Cell(text, unit, "number");
        }

        /** Words that stand out from their row, by more than colour, with a smaller explanation under them. */
        public static Cell marked(String text, String note) {
            return new Cell(text, note, MARKED);
        }

        /** Words in the colour of a verdict, which they must express themselves too. */
        public static Cell toned(Verdict tone, String text) {
            return new Cell(text, "", "verdict " + tone.word());
        }

        /** A verdict as a sign and a word, or a dash where there is none. */
        static Cell of(Verdict verdict) {
            return switch (verdict) {
                case GOOD -> toned(verdict, "✓ " + verdict.word());
                case FAIR -> toned(verdict, "○ " + verdict.word());
                case POOR -> toned(verdict, "✕ " + verdict.word());
                case NONE -> words("–");
            };
        }

        void write(Html html) {
            if (!link.isEmpty()) {
                html.element("a", text, "href", link);
            } else if (style.isEmpty()) {
                html.text(text);
            } else {
                html.element(style.equals(MARKED) ? "strong" : "span", text, "class", style);
            }
            if (!note.isEmpty()) {
                html.text(" ").element("small", note);
            }
        }
    }

    /** The figures of merit, each with its meaning. */
    public static TableBlock of(String caption, List<Measure> measures) {
        return of(
                caption,
                "Measure",
                List.of("Value", "Verdict"),
                measures,
                measure -> Cell.words(measure.name(), measure.meaning()),
                measure -> List.of(Cell.number(measure.number(), measure.unit()), Cell.of(measure.verdict())));
    }

    /**
     * A row for each of these items.
     *
     * @param corner the header of the rows' names
     * @param columns the headers of the cells
     */
    public static <T> TableBlock of(
            String caption,
            String corner,
            Collection<String> columns,
            Collection<T> items,
            Function<T, Cell> name,
            Function<T, List<Cell>> cells) {
        return new TableBlock(
                caption,
                Stream.concat(Stream.of(corner), columns.stream()).toList(),
                items.stream()
                        .map(item -> Stream.concat(Stream.of(name.apply(item)), cells.apply(item).stream())
                                .toList())
                        .toList());
    }

    /**
     * A row for each of these figures, in declared order: the title, the name that rules and JSON have for it, and the cells.
     *
     * @param columns the headers of the cells
     * @param names of the figures
     */
    public static TableBlock ofFigures(
            String caption, Collection<String> columns, Collection<String> names, Function<Figure, List<Cell>> cells) {
        return of(caption, "Figure", columns, Figure.ordered(names), TableBlock::named, cells);
    }

    private static Cell named(Figure figure) {
        String unit = figure.unit().isEmpty() ? "" : ", " + figure.unit();
        return Cell.words(figure.title() + unit, figure.title().equals(figure.name()) ? "" : figure.name());
    }

    @Override
    public void write(Html html) {
        // Wide tables scroll inside their own box; the tab stop lets a keyboard scroll it too.
        // The caption stays in its place.
        html.open("div").element("p", caption, "class", "explain");
        html.open("div", "class", "table", "tabindex", "0", "role", "region", "aria-label", caption);
        html.open("table", "class", explained() ? "explained" : "numbers")
                .open("thead")
                .open("tr");
        headers.forEach(header -> html.element("th", header, "scope", "col"));
        html.close("tr").close("thead").open("tbody");
        rows.forEach(row -> writeRow(html, row));
        html.close("tbody").close("table").close("div").close("div");
    }

    /** Whether rows begin with sentences: on a narrow screen they need its whole width. */
    private boolean explained() {
        return rows.stream().anyMatch(row -> row.get(0).note().length() > LONG_NOTE);
    }

    private static void writeRow(Html html, List<Cell> row) {
        html.open("tr");
        for (int column = 0; column < row.size(); column++) {
            if (column == 0) {
                html.open("th", "scope", "row");
            } else {
                html.open("td");
            }
            row.get(column).write(html);
            html.close(column == 0 ? "th" : "td");
        }
        html.close("tr");
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.figure.Verdict;
import java.util.List;

/** A table with one header row; the first cell of each row is the row's header. */
public record TableBlock(String caption, List<String> headers, List<List<Cell>> rows) implements Block {
    private static final int LONG_NOTE = 40; // characters

    public TableBlock {
        headers = List.copyOf(headers);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != headers.size()) {
                throw new IllegalArgumentException("table '" + caption + "': a row has " + row.size()
                        + " cells; expected one for each of the " + headers.size() + " headers");
            }
        }
    }

    /** What one cell shows. */
    public sealed interface Cell {
        void write(Html html);

        /** Words, with a smaller explanation under them where {@code note} is not empty. */
        record Words(String text, String note) implements Cell {
            public Words(String text) {
                this(text, "");
            }

            @Override
            public void write(Html html) {
                html.text(text);
                if (!note.isEmpty()) {
                    html.element("small", note);
                }
            }
        }

        /** A number that is written already, with its unit. */
        record Written(String text, String unit) implements Cell {
            @Override
            public void write(Html html) {
                html.element("span", text, "class", "number");
                if (!unit.isEmpty()) {
                    html.text(" ").element("small", unit);
                }
            }
        }

        /** A number, written for people, with a small word after it, such as its unit, where {@code note} is not empty. */
        record Value(double value, String note) implements Cell {
            public Value(double value) {
                this(value, "");
            }

            @Override
            public void write(Html html) {
                new Written(Numbers.forPeople(value), note).write(html);
            }
        }

        /** Words that stand out from their row, by more than colour, with a smaller explanation under them. */
        record Marked(String text, String note) implements Cell {
            @Override
            public void write(Html html) {
                html.element("strong", text, "class", "marked");
                if (!note.isEmpty()) {
                    html.element("small", note);
                }
            }
        }

        /** Words in the colour of a verdict; they say it themselves too. */
        record Toned(Verdict tone, String text) implements Cell {
            @Override
            public void write(Html html) {
                html.element("span", text, "class", "verdict " + tone.word());
            }
        }

        /** A verdict, or a dash where there is none. */
        record Judgement(Verdict verdict) implements Cell {
            @Override
            public void write(Html html) {
                if (verdict == Verdict.NONE) {
                    html.text("–");
                }
                VerdictMark.write(html, verdict);
            }
        }
    }

    /** The figures of merit, each with its meaning. */
    public static TableBlock of(String caption, List<Measure> measures) {
        return new TableBlock(
                caption,
                List.of("Measure", "Value", "Verdict"),
                measures.stream()
                        .map(measure -> List.<Cell>of(
                                new Cell.Words(measure.name(), measure.meaning()),
                                new Cell.Written(measure.number(), measure.unit()),
                                new Cell.Judgement(measure.verdict())))
                        .toList());
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
        return rows.stream()
                .anyMatch(row ->
                        row.get(0) instanceof Cell.Words words && words.note().length() > LONG_NOTE);
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

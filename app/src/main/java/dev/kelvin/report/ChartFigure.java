package dev.kelvin.report;

import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import dev.kelvin.report.Pictures.Picture;
import java.util.List;

/**
 * A drawn chart under its title. Where the pointer rests on it the page shows the values there; that needs no script.
 *
 * @param notes the values by place; without any there is nothing to draw, and a sentence says so
 */
public record ChartFigure(String title, Png png, List<Chart.Note> notes, String alt, String caption) implements Block {
    public ChartFigure {
        notes = List.copyOf(notes);
    }

    /** The picture under its title on a white ground, for a file of its own. */
    public Png file() {
        return Drawings.sheet(1, List.of(title), List.of(png));
    }

    @Override
    public void write(Html html) {
        html.open("figure", "class", "curves").element("h3", title);
        if (notes.isEmpty()) {
            html.element("p", "Nothing was recorded.", "class", "nothing");
        } else {
            html.open("div", "class", "chart");
            new Picture("", alt, png).writeImage(html, 1);
            html.open("svg", "viewBox", "0 0 " + png.width() + " " + png.height(), "aria-hidden", "true");
            for (Chart.Note note : notes) {
                html.open("rect", "x", "" + note.left(), "width", "" + note.width(), "height", "100%")
                        .element("title", note.words())
                        .close("rect");
            }
            html.close("svg").close("div");
        }
        html.element("figcaption", caption).close("figure");
    }
}

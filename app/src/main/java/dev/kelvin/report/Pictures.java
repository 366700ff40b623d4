package dev.kelvin.report;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import java.util.List;

/** Pictures side by side, to be compared; on a narrow screen one under the other. */
public record Pictures(String caption, List<Picture> pictures) implements Block {
    public Pictures {
        pictures = List.copyOf(pictures);
    }

    /** Pictures from left to right. */
    public Pictures(String caption, Picture... pictures) {
        this(caption, List.of(pictures));
    }

    /** Some in rows on one sheet, each under its caption, for a file of its own. */
    public static Png sheet(int columns, List<Picture> pictures) {
        return Drawings.sheet(
                columns,
                pictures.stream().map(Picture::caption).toList(),
                pictures.stream().map(Picture::png).toList());
    }

    @Override
    public void write(Html html) {
        html.open("div", "class", "pictures");
        if (!caption.isEmpty()) {
            html.element("p", caption, "class", "explain");
        }
        html.open("div", "class", "row");
        pictures.forEach(picture -> picture.write(html));
        html.close("div").close("div");
    }
}

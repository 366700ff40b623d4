package dev.kelvin.report;

import java.util.List;

/** Pictures side by side, to be compared; on a narrow screen one under the other. */
public record Pictures(String caption, List<Picture> pictures) implements Block {
    public Pictures {
        pictures = List.copyOf(pictures);
    }

    public Pictures(String caption, Picture... pictures) {
        this(caption, List.of(pictures));
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

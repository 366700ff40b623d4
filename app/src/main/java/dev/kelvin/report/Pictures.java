package dev.kelvin.report;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import java.util.List;

/**
 * Pictures side by side, to be compared; on a narrow screen one under the other.
 *
 * @param wide whether each is as wide as the page, such as one of many small panels, and scrolls on a narrow screen
 */
public record Pictures(String caption, List<Picture> pictures, boolean wide) implements Block {
    /** Pixels of a wide picture to one of the page: sharp on most screens. */
    private static final double SHARPNESS = 1.5;

    public Pictures {
        pictures = List.copyOf(pictures);
    }

    /** Pictures from left to right. */
    public Pictures(String caption, List<Picture> pictures) {
        this(caption, pictures, false);
    }

    /** Pictures from left to right. */
    public Pictures(String caption, Picture... pictures) {
        this(caption, List.of(pictures));
    }

    /** A picture as wide as the page. */
    public static Pictures wide(String caption, Picture picture) {
        return new Pictures(caption, List.of(picture), true);
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
        if (wide) {
            pictures.forEach(picture -> writeWide(html, picture));
        } else {
            html.open("div", "class", "row");
            pictures.forEach(picture -> picture.write(html));
            html.close("div");
        }
        html.close("div");
    }

    private static void writeWide(Html html, Picture picture) {
        html.open("figure");
        // the tab stop lets a keyboard scroll it
        html.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", picture.alt());
        picture.writeImage(html, SHARPNESS);
        html.close("div").element("figcaption", picture.caption()).close("figure");
    }

    /** A picture, the words under it, and the words for those who cannot see it. */
    public record Picture(String caption, String alt, Png png) {
        void write(Html html) {
            html.open("figure");
            writeImage(html, 1);
            html.element("figcaption", caption).close("figure");
        }

        /** The image alone, with {@code sharpness} of its pixels to one of the page. */
        void writeImage(Html html, double sharpness) {
            String width = Long.toString(Math.round(png.width() / sharpness));
            String height = Long.toString(Math.round(png.height() / sharpness));
            html.open("img", "src", png.dataUri(), "alt", alt, "width", width, "height", height);
        }
    }
}

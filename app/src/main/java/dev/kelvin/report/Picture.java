package dev.kelvin.report;

import dev.kelvin.draw.Png;

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

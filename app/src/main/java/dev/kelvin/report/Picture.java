package dev.kelvin.report;

import dev.kelvin.draw.Png;

/** A picture, the words under it, and the words for those who cannot see it. */
public record Picture(String caption, String alt, Png png) {
    void write(Html html) {
        html.open("figure");
        writeImage(html);
        html.element("figcaption", caption).close("figure");
    }

    public void writeImage(Html html) {
        html.open(
                "img",
                "src",
                png.dataUri(),
                "alt",
                alt,
                "width",
                Integer.toString(png.width()),
                "height",
                Integer.toString(png.height()));
    }
}

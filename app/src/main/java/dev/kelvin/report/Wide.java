package dev.kelvin.report;

/** A picture as wide as the page, such as one of many small panels; on a narrow screen it scrolls in a box of its own. */
public record Wide(String caption, Picture picture) implements Block {
    /** Pixels of the picture to one of the page: sharp on most screens. */
    private static final double SHARPNESS = 1.5;

    @Override
    public void write(Html html) {
        html.open("div", "class", "pictures");
        if (!caption.isEmpty()) {
            html.element("p", caption, "class", "explain");
        }
        html.open("figure");
        // the tab stop lets a keyboard scroll it
        html.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", picture.alt());
        picture.writeImage(html, SHARPNESS);
        html.close("div");
        html.element("figcaption", picture.caption()).close("figure").close("div");
    }
}

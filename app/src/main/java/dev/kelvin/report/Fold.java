package dev.kelvin.report;

/** A text kept as it is, such as a recipe, that opens when its summary is clicked. */
public record Fold(String summary, String text) implements Block {
    @Override
    public void write(Html html) {
        html.open("details").element("summary", summary);
        html.element("pre", text, "tabindex", "0").close("details");
    }
}

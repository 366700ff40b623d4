package dev.kelvin.report;

import java.util.List;

/**
 * What few readers want, and opens when its summary is clicked.
 *
 * @param text shown as it is, such as a recipe; may be empty
 */
public record Fold(String summary, String text, List<Block> blocks) implements Block {
    public Fold {
        blocks = List.copyOf(blocks);
    }

    /** A text alone. */
    public Fold(String summary, String text) {
        this(summary, text, List.of());
    }

    /** Blocks alone. */
    public Fold(String summary, List<Block> blocks) {
        this(summary, "", blocks);
    }

    @Override
    public void write(Html html) {
        html.open("details").element("summary", summary);
        if (!text.isEmpty()) {
            html.element("pre", text, "tabindex", "0");
        }
        if (!blocks.isEmpty()) {
            html.open("div", "class", "blocks");
            blocks.forEach(block -> block.write(html));
            html.close("div");
        }
        html.close("details");
    }
}

package dev.kelvin.report;

import java.util.List;

/** A heading and what stands under it. */
public record Section(String title, List<Block> blocks) {
    public Section {
        blocks = List.copyOf(blocks);
    }

    /** Blocks from top to bottom. */
    public Section(String title, Block... blocks) {
        this(title, List.of(blocks));
    }

    void write(Html html) {
        html.open("section").element("h2", title).open("div", "class", "blocks");
        blocks.forEach(block -> block.write(html));
        html.close("div").close("section");
    }
}

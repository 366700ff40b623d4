package dev.kelvin.report;

import java.util.List;

/** Blocks that few readers want, which open when their summary is clicked. */
public record Folded(String summary, List<Block> blocks) implements Block {
    public Folded {
        blocks = List.copyOf(blocks);
    }

    @Override
    public void write(Html html) {
        html.open("details").element("summary", summary).open("div", "class", "blocks");
        blocks.forEach(block -> block.write(html));
        html.close("div").close("details");
    }
}

package dev.kelvin.report;

import java.util.List;

/** Running text. */
public record Paragraphs(List<String> paragraphs) implements Block {
    public Paragraphs {
        paragraphs = List.copyOf(paragraphs);
    }

    /** Each text is a paragraph. */
    public Paragraphs(String... paragraphs) {
        this(List.of(paragraphs));
    }

    @Override
    public void write(Html html) {
        html.open("div", "class", "text");
        paragraphs.forEach(paragraph -> html.element("p", paragraph));
        html.close("div");
    }
}

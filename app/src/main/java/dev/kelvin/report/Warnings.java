package dev.kelvin.report;

import java.util.List;

/** What a reader must know before believing the rest, each in a sentence. Without sentences nothing is written. */
public record Warnings(List<String> sentences) implements Block {
    public Warnings {
        sentences = List.copyOf(sentences);
    }

    @Override
    public void write(Html html) {
        if (sentences.isEmpty()) {
            return;
        }
        html.open("div", "class", "warnings", "role", "note");
        html.element("p", sentences.size() == 1 ? "1 warning" : sentences.size() + " warnings");
        html.open("ul");
        sentences.forEach(sentence -> html.element("li", sentence));
        html.close("ul").close("div");
    }
}

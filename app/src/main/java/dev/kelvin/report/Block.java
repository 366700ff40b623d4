package dev.kelvin.report;

import dev.kelvin.report.Pictures.Picture;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One piece of a section. An implementation is a record of its contents, and writes itself as HTML. */
public interface Block {
    /** Writes this block; every text in it is escaped. */
    void write(Html html);

    /** Names with values in the order given: where a run comes from. */
    record Facts(Map<String, String> facts) implements Block {
        public Facts {
            facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        }

        @Override
        public void write(Html html) {
            html.open("dl");
            facts.forEach((name, value) ->
                    html.open("div").element("dt", name).element("dd", value).close("div"));
            html.close("dl");
        }
    }

    /** Pictures in time: a strip of all frames and, where scripts run, a player above it (see {@code report.js}). */
    record Film(String caption, List<Picture> frames) implements Block {
        public Film {
            frames = List.copyOf(frames);
        }

        @Override
        public void write(Html html) {
            html.open("div", "class", "film").element("p", caption, "class", "explain");
            html.open("div", "class", "strip");
            frames.forEach(frame -> frame.write(html));
            html.close("div").close("div");
        }
    }

    /**
     * What few readers want, and opens when its summary is clicked.
     *
     * @param text shown as it is, such as a recipe; may be empty
     */
    record Fold(String summary, String text, List<Block> blocks) implements Block {
        public Fold {
            blocks = List.copyOf(blocks);
        }

        @Override
        public void write(Html html) {
            html.open("details").element("summary", summary);
            if (!text.isEmpty()) {
                html.element("pre", text, "tabindex", "0");
            }
            if (!blocks.isEmpty()) {
                html.blocks(blocks);
            }
            html.close("details");
        }
    }

    /** Running text. */
    record Paragraphs(List<String> paragraphs) implements Block {
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
}

package dev.kelvin.report;

import java.util.List;

/** Writes HTML; text and attribute values are always escaped. Tag and attribute names are this package's constants. */
public final class Html {
    private final StringBuilder out = new StringBuilder();

    Html() {}

    /** Opens a tag; {@code attributes} are names and values in turn. */
    public Html open(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
        out.append('>');
        return this;
    }

    /** Closes a tag. */
    public Html close(String tag) {
        out.append("</").append(tag).append(">\n");
        return this;
    }

    /** A tag with its text; {@code attributes} are names and values in turn. */
    public Html element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    Html blocks(List<Block> blocks) {
        open("div", "class", "blocks");
        blocks.forEach(block -> block.write(this));
        return close("div");
    }

    Html text(String text) {
        escape(text);
        return this;
    }

    /** Appends what is HTML already and written by us: never anything that came from a recipe or from data. */
    public Html trusted(String markup) {
        out.append(markup);
        return this;
    }

    private void escape(String text) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isText(c) ? c : 0xFFFD);
            }
        });
    }

    /** Whether HTML allows the code point: no control characters, no half of a surrogate pair, no non-character. */
    private static boolean isText(int c) {
        boolean control = Character.isISOControl(c) && c != '\n' && c != '\t' && c != '\r';
        return !control && Character.getType(c) != Character.SURROGATE && (c & 0xFFFE) != 0xFFFE;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}

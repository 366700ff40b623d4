package dev.kelvin.report;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.Sha256;
import dev.kelvin.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A run's report: one HTML file that needs nothing else, neither a network nor a folder beside it.
 *
 * <p>A reader meets the title, one sentence, the highlights with their verdicts and the warnings; then the sections.
 * Put pictures first, then curves, the table of measures, and where the run comes from.
 */
public record Report(
        String title, String lead, List<Measure> highlights, List<String> warnings, List<Section> sections) {
    public Report {
        highlights = List.copyOf(highlights);
        warnings = List.copyOf(warnings);
        sections = List.copyOf(sections);
    }

    /** Writes {@link #html()} to a file: under a temporary name first, then renamed. */
    public void write(Path file) throws IOException {
        AtomicFile.write(file, html());
    }

    /** The page. */
    public String html() {
        String script = resource("report.js");
        Html html = new Html();
        html.trusted("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
        html.open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", policy(script));
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.element("title", title + " · Kelvin");
        html.open("style")
                .trusted(resource("report.css"))
                .close("style")
                .close("head")
                .open("body");
        writeHeader(html);
        html.open("main");
        sections.forEach(section -> section.write(html));
        html.close("main");
        html.open("script").trusted(script).close("script");
        return html.close("body").close("html").toString();
    }

    private void writeHeader(Html html) {
        html.open("header").element("p", "Kelvin · report", "class", "brand");
        html.element("h1", title).element("p", lead, "class", "lead");
        if (!highlights.isEmpty()) {
            html.open("ul", "class", "chips");
            highlights.forEach(measure -> measure.writeChip(html));
            html.close("ul");
        }
        if (!warnings.isEmpty()) {
            html.open("div", "class", "warnings", "role", "note");
            html.element("p", warnings.size() == 1 ? "1 warning" : warnings.size() + " warnings")
                    .open("ul");
            warnings.forEach(sentence -> html.element("li", sentence));
            html.close("ul").close("div");
        }
        html.close("header");
    }

    /** Nothing may be fetched, and no script may run but ours, which is known by its hash. */
    private static String policy(String script) {
        byte[] hash = HexFormat.of().parseHex(Sha256.of(script.getBytes(StandardCharsets.UTF_8)));
        return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                + "script-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    /** A browser reads CR LF as LF; with anything else in the file the hash of a script would not be its own. */
    private static String resource(String name) {
        return Yaml.resource(Report.class, name).replace("\r\n", "\n");
    }

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
            html.open("section").element("h2", title).blocks(blocks).close("section");
        }
    }
}

package dev.kelvin.report;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run's report: one HTML file that needs nothing else, neither a network nor a folder beside it.
 *
 * <p>A reader meets the title, one sentence, the highlights with their verdicts and the warnings; then the sections.
 * Put pictures first, then curves, the table of measures, and where the run comes from.
 *
 * @param title the run's name
 * @param lead what came out, in one sentence
 * @param highlights the few measures that matter most
 * @param warnings sentences; none where all is well
 */
public record Report(
        String title, String lead, List<Measure> highlights, List<String> warnings, List<Section> sections) {
    private static final List<String> LIBRARIES = List.of("vega", "vega-lite", "vega-embed");

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
        List<String> scripts = scripts();
        Html html = new Html();
        html.trusted("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
        html.open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", policy(scripts));
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
        scripts.forEach(script -> html.open("script").trusted(script).close("script"));
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
        new Warnings(warnings).write(html);
        html.close("header");
    }

    /** Nothing may be fetched, and no script may run but ours, each known by its hash. */
    private static String policy(List<String> scripts) {
        String hashes = scripts.stream()
                .map(script -> "'sha256-" + sha256(script) + "'")
                .collect(Collectors.joining(" "));
        return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                + "script-src " + hashes;
    }

    private static List<String> scripts() {
        return Stream.concat(LIBRARIES.stream().map(Report::library), Stream.of(resource("report.js")))
                .toList();
    }

    /** A library with its licence, without the link to a source map, which a debugger would try to load. */
    private static String library(String name) {
        String code = resource("vendor/" + name + ".min.js");
        int map = code.lastIndexOf("//# sourceMappingURL=");
        return "/*!\n" + resource("vendor/" + name + ".LICENSE") + "*/\n" + (map < 0 ? code : code.substring(0, map));
    }

    private static String resource(String name) {
        try (InputStream in = Report.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " is missing from this build of Kelvin");
            }
            // A browser reads CR LF as LF; with anything else in the file the hash of a script would not be its own.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(String text) {
        byte[] hash = HexFormat.of().parseHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
        return Base64.getEncoder().encodeToString(hash);
    }
}

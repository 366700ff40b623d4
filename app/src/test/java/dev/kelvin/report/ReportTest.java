package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.draw.Drawings;
import dev.kelvin.math.Box;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.report.Block.Facts;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock.Cell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final String NASTY = "</title><script>alert('x')</script> & \"é 漢字 😀\" \u0000\uD800";
    private static final String NASTY_ESCAPED =
            "&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;é 漢字 😀&quot; \uFFFD\uFFFD";
    private static final String SAMPLE = SampleReport.make().html();
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    @Test
    void everyTextIsEscapedWhereverItStands() {
        Measure measure = new Measure(NASTY, 1, NASTY, Verdict.GOOD);
        Picture picture = new Picture(NASTY, NASTY, Drawings.frame(Box.square(0, 0, 1), new float[0][2]));
        Report report = new Report(
                NASTY,
                NASTY,
                List.of(measure),
                List.of(NASTY),
                List.of(new Section(
                        NASTY,
                        new Paragraphs(NASTY),
                        TableBlock.of(NASTY, List.of(measure)),
                        new Pictures(NASTY, picture),
                        new Film(NASTY, List.of(picture)),
                        new Curves(NASTY, NASTY, List.of()),
                        new Facts(Map.of(NASTY, NASTY)),
                        new Fold(NASTY, NASTY, List.of()))));
        String html = report.html();
        assertThat(html).doesNotContain("alert('x')").doesNotContain("\uD800 ").doesNotContain("\u0000");
        assertThat(html.split(Pattern.quote(NASTY_ESCAPED), -1)).hasSizeGreaterThan(20);
    }

    @Test
    void thePageLoadsNothing() {
        String markup = SCRIPT.matcher(SAMPLE).replaceAll("");
        assertThat(markup).doesNotContain("http:", "https:", "//www", "<link", "<iframe", "<base", "@import", "url(");
        Matcher sources = Pattern.compile("\\b(src|href)=\"(.{0,30})").matcher(markup);
        while (sources.find()) {
            assertThat(sources.group(2)).startsWith("data:image/png;base64,");
        }
        assertThat(markup).contains("default-src &#39;none&#39;; img-src data:");
    }

    @Test
    void onlyOurScriptMayRunAndItIsKnownByItsHash() throws Exception {
        Matcher scripts = SCRIPT.matcher(SAMPLE);
        int count = 0;
        while (scripts.find()) {
            byte[] code = scripts.group(1).getBytes(StandardCharsets.UTF_8);
            String hash = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(code));
            assertThat(SAMPLE).contains("&#39;sha256-" + hash + "&#39;");
            assertThat(scripts.group(1)).doesNotContain("<!--", "<script", "sourceMappingURL");
            count++;
        }
        assertThat(count).isEqualTo(1);
        assertThat(SAMPLE).doesNotContain("unsafe-eval");
    }

    @Test
    void picturesHaveWordsAndHeadingsDontSkip() {
        String html = SCRIPT.matcher(SAMPLE).replaceAll("");
        assertThat(html)
                .contains("<html lang=\"en\">")
                .contains("scope=\"col\"")
                .contains("scope=\"row\"");
        assertThat(html).doesNotContain("alt=\"\"");
        Matcher headings = Pattern.compile("<h([1-6])>").matcher(html);
        int previous = 0;
        while (headings.find()) {
            int level = Integer.parseInt(headings.group(1));
            assertThat(level).isLessThanOrEqualTo(previous + 1);
            previous = level;
        }
        assertThat(html.split("<h1>", -1)).hasSize(2);
    }

    @Test
    void anEmptyReportIsAPage() {
        String html = new Report("t", "l", List.of(), List.of(), List.of()).html();
        assertThat(html).contains("<h1>t</h1>").doesNotContain("class=\"chips\"", "class=\"warnings\"");
    }

    @Test
    void measuresSayWhatTheyMeanAndWhenThereIsNoNumber() {
        Html html = new Html();
        TableBlock.of("c", List.of(new Measure("KL", Double.NaN, "surprise", Verdict.NONE)))
                .write(html);
        assertThat(html.toString()).contains("<small>surprise</small>", "not a number", "–");
    }

    /** The stylesheet gives the sentences of one the width of a phone, and keeps the first column of the other in sight. */
    @Test
    void tablesOfSentencesAndOfNumbersAreToldApart() {
        Html sentences = new Html();
        TableBlock.of("c", List.of(new Measure("KL", 1, "A sentence that is longer than a few words.", Verdict.NONE)))
                .write(sentences);
        Html numbers = new Html();
        new TableBlock("c", List.of("a", "b"), List.of(List.of(Cell.words("x1"), Cell.value(1)))).write(numbers);
        assertThat(sentences.toString()).contains("class=\"explained\"");
        assertThat(numbers.toString()).contains("class=\"numbers\"");
        assertThat(SAMPLE).contains(".explained tbody th { flex: 1 0 100%; }", "scrolls sideways");
    }

    @Test
    void whatFewReadersWantIsFoldedAway() {
        Html html = new Html();
        new Fold("More", "", List.of(new Paragraphs("inside"))).write(html);
        assertThat(html.toString().replace("\n", ""))
                .startsWith("<details><summary>More</summary>")
                .contains("inside")
                .endsWith("</details>");
    }

    @Test
    void theFileIsUtf8AndReplacesTheOldOne(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("report.html");
        Files.writeString(file, "old");
        new Report("漢字 \uD800", "l", List.of(), List.of(), List.of()).write(file);
        assertThat(Files.readString(file)).contains("<h1>漢字 \uFFFD</h1>");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}

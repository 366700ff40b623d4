package dev.kelvin.pages;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.Sha256;
import dev.kelvin.recipe.Asked;
import dev.kelvin.recipe.Study;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A page in Markdown that says which claims hold, such as {@code docs/claims.md}: a section for each study, made from its
 * results. A study that is measured again replaces its own section; everything else on the page stays.
 */
public final class ClaimsPage {
    private static final int DIGEST = 12;
    private static final String HEAD =
            "| claim | verdict | measured | reported | rule | remark |\n|---|---|---|---|---|---|\n";

    private ClaimsPage() {}

    /** Replaces or adds the sections of these studies. */
    public static void write(Path page, List<StudyReport.Measured> studies) throws IOException {
        String text = Files.exists(page) ? Files.readString(page) : "# Which claims hold\n";
        for (StudyReport.Measured each : studies) {
            String section = section(each);
            Matcher before = section(each.study().name()).matcher(text);
            text = before.find()
                    ? text.substring(0, before.start()) + section + text.substring(before.end())
                    : text.stripTrailing() + "\n\n" + section;
        }
        try {
            AtomicFile.write(page, text);
        } catch (IOException e) {
            throw new UserException(page + " can't be written: " + e.getMessage());
        }
    }

    /** Where a study's section is: from its first marker to its last. */
    static Pattern section(String study) {
        String name = Pattern.quote(study);
        return Pattern.compile("<!-- " + name + " [0-9a-f]+ -->\n.*?<!-- end of " + name + " -->\n", Pattern.DOTALL);
    }

    /** What the section's first marker says: the study's name, and a digest of its runs and chains. */
    static String marker(Study study) {
        String digest =
                Sha256.of((study.seeds() + " " + study.runs() + study.chains()).getBytes(StandardCharsets.UTF_8));
        return "<!-- " + study.name() + " " + digest.substring(0, DIGEST) + " -->\n";
    }

    private static String section(StudyReport.Measured each) {
        Study study = each.study();
        String rows = study.claims().stream().map(claim -> row(each, claim)).collect(Collectors.joining());
        return marker(study) + "## " + study.paper().replaceFirst("^(\\d+): ", "$1, ") + "\n\n"
                + "`./kelvin reproduce " + study.name() + "`, " + made(each) + ". " + study.about() + "\n\n*Scale:* "
                + study.scale() + "\n\n" + HEAD + rows + "<!-- end of " + study.name() + " -->\n";
    }

    /** When and by which commits of Kelvin the runs were trained, the oldest first. */
    private static String made(StudyReport.Measured each) {
        List<Provenance> runs = each.study().runs().stream()
                .flatMap(run -> IntStream.range(0, each.study().seeds())
                        .mapToObj(seed -> each.runner().run(run.name(), seed)))
                .filter(Files::exists)
                .map(run -> Provenance.read(RunFolder.open(run).provenance()))
                .sorted(Comparator.comparing(Provenance::began))
                .toList();
        if (runs.isEmpty()) {
            return "no runs";
        }
        LocalDate last = LocalDate.ofInstant(runs.get(runs.size() - 1).began(), ZoneOffset.UTC);
        List<String> commits = runs.stream().map(Provenance::commit).distinct().toList();
        return last + (commits.size() > 1 ? ", commits " : ", commit ") + String.join(" and ", commits);
    }

    private static String row(StudyReport.Measured each, Study.Claim claim) {
        String measured = claim.parsed().names().stream()
                .distinct()
                .map(name -> figure(each, name))
                .collect(Collectors.joining("; "));
        return cells(claim.says() + " *" + claim.place() + "* (" + claim.id() + ")")
                + cells(each.figures().verdict(claim).toString(), measured)
                + said(claim) + "|\n";
    }

    /** The cells of a claim that come from its study alone. */
    static String said(Study.Claim claim) {
        return cells(
                claim.reported().orElse(""),
                ClaimTable.words(claim.parsed()),
                claim.remark().orElse(""));
    }

    private static String figure(StudyReport.Measured each, String name) {
        Asked asked = Asked.parse(name);
        String moment = asked.moment().map(at -> "@" + at.word()).orElse("");
        return asked.run() + moment + " " + StudyReport.spread(each.figures().figure(name));
    }

    private static String cells(String... texts) {
        return List.of(texts).stream()
                .map(text -> "| " + text.strip().replace("|", "\\|").replaceAll("\\s+", " ") + " ")
                .collect(Collectors.joining());
    }
}

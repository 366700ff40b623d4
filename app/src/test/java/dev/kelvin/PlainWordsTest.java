package dev.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users read is written in the field's words: documents, recipes, messages, reports and Javadoc. */
class PlainWordsTest {
    /** Phrases that the field does not use, each with the one that it does. */
    private static final List<String> RETIRED = List.of(
            "what is made small -> loss, training objective",
            "what the random numbers follow from -> random seed",
            "left to right by chance -> random horizontal flip",
            "windows by chance -> random crop",
            "accepts? without asking -> accept/reject step",
            "weight on the squares -> L2 penalty on f",
            "foreign sets? -> out-of-distribution sets",
            "as many of equal weight -> effective number",
            "after a long walk -> long chains",
            "gradients an effective draw -> gradient evaluations per effective draw",
            "an effective draw costs -> per effective draw",
            "is it memory -> has it memorised the training images?",
            "when is this\\? -> inferred noise level",
            "a defect of kelvin -> internal error; please report it",
            "has no place where -> cannot be combined with",
            "passed over without a word -> silently ignored",
            "please note, \\d+ things -> warnings",
            "dies? at a brace -> is freed when its scope closes",
            "papers? 00\\d -> author and year",
            "changed at random -> augmented",
            "random changes of -> random augmentations of",
            "chains? walks? -> chains run",
            "(is|are|was|were) led (from|to|through|along|there) -> annealed",
            "(is|are) not told -> is not given",
            "(is|are) told from -> is separated from",
            "images? made again -> reconstructions",
            "features' classifier -> feature classifier");

    /** A string, a text block, or a comment of Java. */
    private static final Pattern WORDS =
            Pattern.compile("\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|/\\*[\\s\\S]*?\\*/|//[^\\n]*");

    private record Retired(Pattern phrase, String instead) {
        static Retired of(String line) {
            String[] parts = line.split(" -> ", 2);
            return new Retired(Pattern.compile("(?i)\\b" + parts[0]), parts[1]);
        }
    }

    private static final List<Retired> ALL = RETIRED.stream().map(Retired::of).toList();

    /** Any of them, so that most texts are searched once. */
    private static final Pattern ANY = Pattern.compile(
            RETIRED.stream().map(line -> line.split(" -> ", 2)[0]).collect(Collectors.joining("|", "(?i)\\b(?:", ")")));

    @Test
    void nothingThatUsersReadHasRetiredPhrases() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            String text = Files.readString(file);
            found.addAll(search(file.toString(), file.toString().endsWith(".java") ? words(text) : flat(text)));
        }
        assertThat(found).isEmpty();
    }

    /** Its twin: a phrase is found wherever it hides. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/**\n * The chains\n * walk.\n */",
                "say(\"the chains\"\n        + \" walk on f\");",
                "// Chains walk.",
                "\"\"\"\n    chains\n    walk\n    \"\"\""
            })
    void phrasesAreFoundAcrossLines(String java) {
        assertThat(search("Some.java", words(java))).hasSize(1);
    }

    @Test
    void codeIsNotSearched() {
        assertThat(search("Some.java", words("int chains = walk(); chains walk")))
                .isEmpty();
    }

    private static List<String> search(String name, String text) {
        List<String> found = new ArrayList<>();
        for (Retired retired : ANY.matcher(text).find() ? ALL : List.<Retired>of()) {
            for (Matcher match = retired.phrase.matcher(text); match.find(); ) {
                int from = Math.max(0, match.start() - 40);
                found.add(name + ": '" + text.substring(from, Math.min(text.length(), match.end() + 20)) + "': write "
                        + retired.instead);
            }
        }
        return found;
    }

    /** Strings and comments, those that follow each other as one text. */
    private static String words(String java) {
        StringBuilder words = new StringBuilder();
        Matcher match = WORDS.matcher(java);
        int end = 0;
        while (match.find()) {
            boolean joined = java.substring(end, match.start()).matches("\\s*\\+?\\s*");
            words.append(joined ? "" : " ¶ ").append(match.group().replaceAll("^\"+|\"+$|^/\\*\\*?|\\*/$|^//", ""));
            end = match.end();
        }
        return flat(words.toString());
    }

    private static String flat(String text) {
        return text.replaceAll("\\s*\\n\\s*(\\* ?)?", " ").replaceAll("\\s+", " ");
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String one : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "kelvin")) {
            files.add(Path.of("..", one));
        }
        for (String folder : List.of("core/src/main", "app/src/main", "examples/src/main", "spark/src/main", "docs")) {
            try (Stream<Path> all = Files.walk(Path.of("..", folder))) {
                all.filter(file -> file.toString().matches(".*\\.(java|md|yaml|bib)")
                                && !file.toString().contains("vendor"))
                        .forEach(files::add);
            }
        }
        return files;
    }
}

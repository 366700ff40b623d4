package dev.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code NOTICE} names each resource in our jars that somebody else made, and nothing that is not there. */
class NoticeTest {
    private static final Path ROOT = Path.of("..");

    /** What we write ourselves; whatever has another ending is somebody else's until it is added here. */
    private static final Pattern OURS = Pattern.compile(
            ".*(\\.yaml|\\.cu|\\.bib|\\.properties|logback\\.xml|/names\\.txt|/services/[^/]+|/report/report\\.(css|js))");

    @Test
    void everyResourceOfOthersIsNamed() throws IOException {
        List<String> others = new ArrayList<>();
        for (String module : List.of("core", "app")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/resources"))) {
                files.filter(Files::isRegularFile)
                        .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                        .filter(file -> !OURS.matcher(file).matches())
                        .forEach(others::add);
            }
        }
        assertThat(others).isNotEmpty();
        assertThat(named()).containsExactlyInAnyOrderElementsOf(others);
    }

    private static List<String> named() throws IOException {
        List<String> named = new ArrayList<>();
        Matcher files =
                Pattern.compile("\\b(core|app)/src/\\S+[^\\s.,;:]").matcher(Files.readString(ROOT.resolve("NOTICE")));
        while (files.find()) {
            named.add(files.group());
        }
        return named;
    }
}

package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/java.md} shows is what is in the files. */
class JavaPageTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "com", "example", "kelvin");

    @Test
    void thePageHasTheNumberedProgramsAsTheyAre() throws IOException {
        List<JavaPage.Program> programs = JavaPage.programs();
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.matches("E\\d.*")))
                    .containsExactlyInAnyOrderElementsOf(programs.stream()
                            .map(program -> program.name() + ".java")
                            .toList());
        }
        for (JavaPage.Program program : programs) {
            assertThat(program.text()).isEqualTo(Files.readString(SOURCES.resolve(program.name() + ".java")));
        }
    }

    /** The versions that the page names, for Maven and for Gradle, are those of the build. */
    @Test
    void thePageNamesTheVersionsOfTheBuild() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "java.md"));
        String build = Files.readString(Path.of("..", "pom.xml"));
        String version = value(build, "version");
        String javacpp = value(build, "javacpp.version");
        assertThat(JavaPage.pom()).contains("<version>" + version + "</version>");
        assertThat(page)
                .contains(
                        "dev.kelvin:kelvin-core:" + version,
                        "org.bytedeco:javacpp:" + javacpp + ":$platform",
                        "org.bytedeco:pytorch:"
                                + value(build, "pytorch.version").replace("${javacpp.version}", javacpp) + ":$platform",
                        "org.bytedeco:openblas:"
                                + value(build, "openblas.version").replace("${javacpp.version}", javacpp)
                                + ":$platform");
        String jvm = Files.readString(Path.of("..", "jvm.options"));
        assertThat(page)
                .contains(jvm.lines()
                        .filter(line -> line.startsWith("-Dorg.bytedeco"))
                        .toList());
    }

    private static String value(String pom, String element) {
        String after = pom.substring(pom.indexOf("<" + element + ">") + element.length() + 2);
        return after.substring(0, after.indexOf('<'));
    }
}

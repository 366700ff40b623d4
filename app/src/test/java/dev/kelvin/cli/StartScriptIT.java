package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code ./kelvin} on machines that lack something: a copy of it in a tree without sources, with a PATH that has only
 * the system's small tools, a stub for Maven where there is one, and a JVM folder of our own.
 */
@Execution(ExecutionMode.SAME_THREAD)
class StartScriptIT {
    private static final Path SCRIPT =
            Path.of("").toAbsolutePath().resolveSibling("kelvin"); // tests run in their module's folder

    private static final List<String> TOOLS = List.of(
            "cat",
            "cksum",
            "cut",
            "date",
            "dirname",
            "find",
            "grep",
            "head",
            "locale",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "touch");

    /** What a build leaves, but for the list of libraries. */
    private static final String JARS =
            "mkdir -p core/target; : >app/target/kelvin-app.jar; : >core/target/kelvin-core.jar; ";

    /** Help loads 1651 classes on JDK 17 and 1822 on JDK 25; a command that touches libtorch more than 4000. */
    private static final int MOST_CLASSES = 2300;

    private static final String JDK = System.getProperty("java.home");
    private static final String BUILDING = "kelvin: building (the first time brings about 300 MB and takes a minute";

    @TempDir
    private Path folder;

    private Path tree = Path.of("");
    private Path tools = Path.of("");
    private Path jvms = Path.of("");

    @BeforeEach
    void plant() throws IOException {
        tools = Files.createDirectory(folder.resolve("bin"));
        for (String tool : TOOLS) {
            Path found = List.of(Path.of("/usr/bin", tool), Path.of("/bin", tool)).stream()
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            standIn(tools.resolve(tool), found);
        }
        jvms = Files.createDirectory(folder.resolve("jvm"));
        tree = Files.createDirectory(folder.resolve("a tree"));
        String script = Files.readString(SCRIPT);
        assertThat(script).contains("/usr/lib/jvm/*");
        executable(tree.resolve("kelvin"), script.replace("/usr/lib/jvm/*", jvms + "/*"));
        Files.copy(SCRIPT.resolveSibling("jvm.options"), tree.resolve("jvm.options"));
        for (String module : List.of("core", "app")) {
            Files.createDirectories(tree.resolve(module).resolve("src/main"));
            Files.writeString(tree.resolve(module).resolve("pom.xml"), "");
        }
        Files.writeString(tree.resolve("pom.xml"), "");
        Files.writeString(tree.resolve("app/src/main/Source.java"), "");
    }

    @Test
    void needsAJdk() {
        assertNoJdk(kelvin(Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "javac 11.0.2, found 11 in",
        "javac 1.8.0_292, found 8 in",
        "javac 16.0.1, found 16 in",
        "nonsense, found a JDK of unknown version in",
        "'', found a JDK of unknown version in"
    })
    void saysWhichJdksAreTooOld(String version, String found) throws IOException {
        Path old = Files.createDirectories(jvms.resolve("old"));
        Files.createDirectory(old.resolve("bin"));
        executable(old.resolve("bin/javac"), "#!/bin/sh\necho '" + version + "'\n");
        Kelvin.Finished finished = kelvin(Map.of("JAVA_HOME", old.toString()));
        assertNoJdk(finished);
        assertThat(finished.complaint())
                .contains("; " + found + " " + old + ";")
                .containsOnlyOnce("; found");
    }

    @Test
    void findsAJdkInTheSystemsFolder() throws IOException {
        Path bin = Files.createDirectories(jvms.resolve("good/bin"));
        standIn(bin.resolve("javac"), Path.of(JDK, "bin", "javac"));
        assertNoMaven(kelvin(Map.of("JAVA_HOME", "/nowhere")));
    }

    @Test
    void findsAJdkOnThePath() {
        assertNoMaven(kelvin(Map.of("PATH", tools + ":" + JDK + "/bin")));
    }

    @Test
    void needsMaven() {
        assertNoMaven(kelvin(Map.of("JAVA_HOME", JDK)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[ERROR] Could not transfer artifact: Unknown host repo | the build could not fetch its libraries",
                "[ERROR] Network is unreachable                         | is the network there?",
                "[ERROR] x.jar: No space left on device                 | the disk is full",
                "[ERROR] /core/A.java:[1,2] cannot find symbol          | the build failed: [ERROR] /core/A.java:[1,2]",
            })
    void saysWhyABuildFailed(String message, String complaint) throws IOException {
        maven("echo '" + message + "'; exit 1");
        Kelvin.Finished finished = kelvin(Map.of("JAVA_HOME", JDK));
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.out()).isEmpty();
        List<String> lines = finished.messages().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith(BUILDING);
        assertThat(lines.get(1))
                .startsWith("kelvin: ")
                .contains(complaint)
                .endsWith("(log: " + tree.resolve("app/target/build.log") + ")");
    }

    @Test
    void saysWhereItCanNotWrite() throws IOException {
        maven("exit 1");
        Files.writeString(tree.resolve("app/target"), "a file");
        Kelvin.Finished finished = kelvin(Map.of("JAVA_HOME", JDK));
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.complaint()).startsWith("kelvin: can't write to " + tree.resolve("app/target"));
    }

    /** With a Java that refuses to keep classes, which must not matter, and would take long. */
    @Test
    void buildsOnceAndAgainWhenASourceIsNewer() throws IOException {
        Path bin = Files.createDirectories(jvms.resolve("good/bin"));
        standIn(bin.resolve("javac"), Path.of(JDK, "bin", "javac"));
        executable(
                bin.resolve("java"),
                "#!/bin/sh\ncase \"$*\" in *ArchiveClassesAtExit*) exit 1 ;; esac\nexec " + JDK + "/bin/java \"$@\"\n");
        Map<String, String> jdk = Map.of("JAVA_HOME", jvms.resolve("good").toString());
        Path classPath = Files.writeString(folder.resolve("classpath"), System.getProperty("java.class.path"));
        Path calls = folder.resolve("calls");
        maven(JARS + "echo called >>'" + calls + "'; cat '" + classPath + "' >app/target/classpath");
        Kelvin.Finished first = kelvin(jdk, "--version");
        assertThat(first.exit()).as(first.err()).isZero();
        assertThat(first.out()).startsWith("kelvin ");
        assertThat(first.messages().map(line -> line.replaceAll("\\d+ s$", "N s")))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(BUILDING),
                        line -> assertThat(line).isEqualTo("kelvin: built in N s"));

        Kelvin.Finished second = kelvin(jdk, "--version");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(calls).hasContent("called");

        Path source = tree.resolve("app/src/main/Source.java");
        Files.writeString(source, "another");
        long written = Files.getLastModifiedTime(source).toMillis();
        Files.setLastModifiedTime(tree.resolve("app/target/classpath"), FileTime.fromMillis(written - 10_000));
        kelvin(jdk, "--version");
        kelvin(jdk, "--version");
        assertThat(calls).hasContent("called\ncalled");

        Files.delete(tree.resolve("app/target/kelvin.jsa")); // as after a build by Maven alone
        assertThat(kelvin(jdk, "--version").err()).startsWith("kelvin: starting for the first time");
        assertThat(kelvin(jdk, "--version").err()).isEmpty();
    }

    /** Last on the class path, or the archive of kept classes would not fit. Java here only says what it was given. */
    @Test
    void putsPartsOfAUsersOwnOnTheClassPath() throws IOException {
        String home = talkingJdk();
        String ours = builtIn(tree);
        assertThat(kelvin(Map.of("JAVA_HOME", home)).out().lines())
                .containsSequence("-cp", ours, "dev.kelvin.cli.Main");
        assertThat(kelvin(Map.of("JAVA_HOME", home, "KELVIN_CLASSPATH", "an own.jar:/classes"), "recipes")
                        .out()
                        .lines())
                .containsSequence("-cp", ours + ":an own.jar:/classes", "dev.kelvin.cli.Main", "recipes");
    }

    /** The first file that Java opens would take the place of a closed standard input, and be read by 'score RUN -'. */
    @Test
    void aClosedStandardInputIsAnEmptyOne() throws IOException {
        String home = talkingJdk();
        executable(jvms.resolve("good/bin/java"), "#!/bin/sh\n(exec 3<&0) && echo open && cat\n");
        builtIn(tree);
        Kelvin.Finished closed = Kelvin.start(
                        folder,
                        environment(Map.of("JAVA_HOME", home)),
                        List.of(
                                "/bin/sh",
                                "-c",
                                "exec \"$0\" <&-",
                                tree.resolve("kelvin").toString()))
                .await();
        assertThat(closed.out()).isEqualTo("open\n");
    }

    /** A copy has other times than what it was copied from, and neither a Maven nor the old place to fall back on. */
    @Test
    void aCopyRunsItsOwnJarsWithoutBuilding() throws IOException {
        Map<String, String> jdk = Map.of("JAVA_HOME", talkingJdk());
        builtIn(tree);
        kelvin(jdk);
        Path copy = folder.resolve("a copy");
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(tree.relativize(file).toString()));
            }
        }
        executable(copy.resolve("kelvin"), Files.readString(tree.resolve("kelvin")));
        long built =
                Files.getLastModifiedTime(copy.resolve("app/target/classpath")).toMillis();
        Files.setLastModifiedTime(copy.resolve("app/src/main/Source.java"), FileTime.fromMillis(built + 10_000));
        Files.delete(tools.resolve("mvn"));
        Files.move(tree, folder.resolve("gone"));
        tree = copy;
        Kelvin.Finished finished = kelvin(jdk);
        assertThat(finished.out().lines()).containsSequence("-cp", ours(copy), "dev.kelvin.cli.Main");
        assertThat(finished.err()).startsWith("kelvin: starting for the first time");
        assertThat(kelvin(jdk).err()).isEmpty();

        Files.delete(folder.resolve("listed.jar"));
        assertThat(kelvin(jdk).err()).startsWith("kelvin: Maven is needed");
    }

    /** Names are written in octal, because the JVM of this test may not know them either. */
    @ParameterizedTest
    @CsvSource({"LC_ALL, POSIX", "LANG, xx_XX.UTF-8"})
    void namesOfFilesAreReadAndPrintedInAnyLocale(String variable, String locale) {
        requireBuilt();
        Map<String, String> environment = new HashMap<>(System.getenv());
        List.of("LC_ALL", "LC_CTYPE", "LANG").forEach(environment::remove);
        environment.put(variable, locale);
        environment.put("JAVA_HOME", JDK);
        String command =
                "name=$(printf 'B\\303\\274cher.yaml'); echo 'data: 3' >\"$name\"; exec \"$0\" train \"$name\"";
        Kelvin.Finished finished = Kelvin.start(folder, environment, List.of("sh", "-c", command, SCRIPT.toString()))
                .await();
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.err()).contains("B\u00fccher.yaml:1:").doesNotContain("?");
    }

    @Test
    void canBeLinkedTo() throws IOException {
        Path link = Files.createSymbolicLink(tools.resolve("kelvin"), tree.resolve("kelvin"));
        Kelvin.Finished finished = Kelvin.start(folder, environment(Map.of("JAVA_HOME", JDK)), List.of(link.toString()))
                .await();
        assertNoMaven(finished);
        assertThat(folder.resolve("bin/app")).doesNotExist();
    }

    /** Help comes in a second because little is loaded for it: none of libtorch's classes, and few in all. */
    @Test
    void helpLoadsLittle() throws IOException {
        requireBuilt();
        Path loaded = folder.resolve("loaded");
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("JAVA_HOME", JDK);
        environment.put("KELVIN_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        Kelvin.Finished help = Kelvin.start(folder, environment, List.of(SCRIPT.toString(), "--help"))
                .await();
        assertThat(help.exit()).as(help.err()).isZero();
        assertThat(help.out()).startsWith("Usage: kelvin");
        List<String> classes = Files.readAllLines(loaded);
        assertThat(classes)
                .hasSizeBetween(500, MOST_CLASSES)
                .noneMatch(line -> line.contains(" org.bytedeco.") || line.contains(" tools.jackson."));
    }

    // ----

    private static void requireBuilt() {
        Path target = SCRIPT.resolveSibling("app").resolve("target");
        assumeThat(target.resolve("kelvin-app.jar")).as("the build's jar").exists();
        assumeThat(target.resolve("classpath")).as("the build's list of jars").exists();
    }

    /** A JDK whose Java only says what it was given. */
    private String talkingJdk() throws IOException {
        Path bin = Files.createDirectories(jvms.resolve("good/bin"));
        standIn(bin.resolve("javac"), Path.of(JDK, "bin", "javac"));
        executable(bin.resolve("java"), "#!/bin/sh\nfor word; do echo \"$word\"; done\n");
        return jvms.resolve("good").toString();
    }

    /** A Maven that builds, with one library; the class path that follows. */
    private String builtIn(Path place) throws IOException {
        Path library = Files.writeString(folder.resolve("listed.jar"), "");
        maven(JARS + "echo '" + library + "' >app/target/classpath");
        return ours(place);
    }

    private String ours(Path place) {
        return place.resolve("app/target/kelvin-app.jar") + ":" + place.resolve("core/target/kelvin-core.jar") + ":"
                + folder.resolve("listed.jar");
    }

    private Kelvin.Finished kelvin(Map<String, String> environment, String... arguments) {
        String[] words = new String[arguments.length + 1];
        words[0] = tree.resolve("kelvin").toString();
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return Kelvin.start(folder, environment(environment), List.of(words)).await();
    }

    private Map<String, String> environment(Map<String, String> some) {
        Map<String, String> environment = new HashMap<>(some);
        environment.putIfAbsent("PATH", tools.toString());
        return environment;
    }

    private void maven(String body) throws IOException {
        executable(tools.resolve("mvn"), "#!/bin/sh\n" + body + "\n");
    }

    /** Not a link, because JUnit warns when it cleans up links that lead elsewhere. */
    private static void standIn(Path file, Path program) throws IOException {
        executable(file, "#!/bin/sh\nexec " + program + " \"$@\"\n");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void assertNoJdk(Kelvin.Finished finished) {
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.complaint()).startsWith("kelvin: no JDK 17 or later found in JAVA_HOME, PATH or ");
    }

    private static void assertNoMaven(Kelvin.Finished finished) {
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.complaint()).startsWith("kelvin: Maven is needed to build Kelvin and is not on the PATH");
    }
}

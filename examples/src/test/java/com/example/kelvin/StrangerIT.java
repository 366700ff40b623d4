package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger's Maven project, made of nothing but {@code docs/java.md}, against the jar and the poms of the build as {@code mvn
 * install} would put them into a local repository. That is a folder of this test: Kelvin's own files, and links to everything
 * else in the user's, so that nothing is fetched and nothing of the user's changes.
 */
class StrangerIT {
    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern NUMBERS = Pattern.compile("-?\\d+\\.\\d+(?:E-?\\d+)?");

    @TempDir
    private Path folder;

    private final List<Path> links = new ArrayList<>();

    @AfterEach
    void removeLinks() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }

    @Test
    void compilesAndRunsTheFiveProgramsOfThePage() throws Exception {
        Path project = Files.createDirectories(folder.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), JavaPage.pom());
        Path sources = Files.createDirectories(project.resolve("src/main/java/com/example/kelvin"));
        for (JavaPage.Program program : JavaPage.programs()) {
            Files.writeString(sources.resolve(program.name() + ".java"), program.text());
        }
        CommandLine digits = trainDigits(project);
        Command compiled = new Command(
                project, List.of("mvn", "-B", "-q", "-o", "-Dmaven.repo.local=" + repository(), "compile"), "compile");
        compiled.out();

        Map<String, Command> running = new HashMap<>();
        for (String name : List.of("E1TrainToy", "E2SampleDensity", "E4OwnNetwork", "E5OwnObjective")) {
            running.put(name, start(project, name));
        }
        for (String trained : List.of("E1TrainToy", "E4OwnNetwork", "E5OwnObjective")) {
            String line = out(running, trained).lines().findFirst().orElseThrow();
            List<Double> f = numbers(line);
            assertThat(f.get(0)).as(line).isGreaterThan(f.get(1)); // on a moon, between them
            assertThat(f.get(1)).as(line).isGreaterThan(f.get(2)); // far away
        }
        assertThat(out(running, "E1TrainToy")).contains("samples: [[");
        assertThat(out(running, "E2SampleDensity").lines().filter(line -> line.startsWith("mean")))
                .hasSize(1);
        assertThat(digits.await().exit()).isZero();
        String scored =
                start(project, "E3ScoreRun", "runs/moons", "runs/digits").out();
        List<Double> points = numbers(scored.lines().findFirst().orElseThrow());
        assertThat(points.get(0)).as(scored).isGreaterThan(points.get(1));
        assertThat(numbers(scored.lines().skip(1).findFirst().orElseThrow()).get(1))
                .as(scored)
                .isBetween(0.7, 1.0); // the accuracy on what it was trained on, after 100 steps
    }

    /** A joint energy model of digits, as the command line trains it. */
    private static CommandLine trainDigits(Path project) throws IOException {
        Files.writeString(project.resolve("jem.yaml"), """
                name: jem
                data: {images: {set: digits, noise: 0.03}}
                model: {short-run: {filters: 8}}
                classes: head
                negatives:
                  start: {uniform: {}}
                  kernel: {langevin: {stepSize: 1, noise: 0.01}}
                  steps: 3
                  buffer: {size: 200}
                objective: {cd-ce: {}}
                optimiser: {adam: {learningRate: 2e-3}}
                train: {iterations: 100, batch: 32}
                """);
        return CommandLine.start(project, "train", "jem.yaml", "--out=runs/digits");
    }

    private static String out(Map<String, Command> running, String name) throws Exception {
        return Objects.requireNonNull(running.get(name)).out();
    }

    private static List<Double> numbers(String line) {
        return NUMBERS.matcher(line)
                .results()
                .map(result -> Double.valueOf(result.group()))
                .toList();
    }

    /** A local repository: what {@code mvn install} puts there of the library, beside links to what the user's has. */
    private Path repository() throws IOException {
        Path users = Path.of(Objects.requireNonNull(System.getProperty("kelvin.localRepository")));
        Path own = Files.createDirectories(folder.resolve("repository"));
        linkAll(users, own, "dev");
        linkAll(users.resolve("dev"), Files.createDirectories(own.resolve("dev")), "kelvin");
        String version = Objects.requireNonNull(System.getProperty("kelvin.version"));
        install(own, "kelvin", version, HOME.resolve("pom.xml"), "pom");
        install(own, "kelvin-core", version, HOME.resolve("core/pom.xml"), "pom");
        install(own, "kelvin-core", version, HOME.resolve("core/target/kelvin-core.jar"), "jar");
        return own;
    }

    @Test
    void theJarIsAModule() throws IOException {
        try (JarFile jar =
                new JarFile(HOME.resolve("core/target/kelvin-core.jar").toFile())) {
            assertThat(ModuleDescriptor.read(jar.getInputStream(jar.getEntry("module-info.class")))
                            .name())
                    .isEqualTo("dev.kelvin.core");
        }
    }

    private void linkAll(Path from, Path to, String but) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (!name.equals(but)) {
                    links.add(Files.createSymbolicLink(to.resolve(name), entry.toAbsolutePath()));
                }
            }
        }
    }

    private static void install(Path repository, String artifact, String version, Path file, String type)
            throws IOException {
        Path at = Files.createDirectories(
                repository.resolve("dev/kelvin").resolve(artifact).resolve(version));
        Files.copy(file, at.resolve(artifact + "-" + version + "." + type), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Command start(Path project, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it lives for seconds
                "-Dkelvin.threads=1"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String path = "target/classes:" + Files.readString(project.resolve("target/classpath"));
        command.addAll(List.of("-cp", path, "com.example.kelvin." + program));
        command.addAll(List.of(arguments));
        return new Command(project, command, program);
    }

    /** A process, its output in files. */
    private static final class Command {
        private final Process process;
        private final String shown;
        private final Path out;
        private final Path err;

        Command(Path project, List<String> command, String name) throws IOException {
            shown = command.stream().filter(word -> word.length() < 200).collect(Collectors.joining(" "));
            out = project.resolve(name + ".out");
            err = project.resolve(name + ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(project.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1"); // Maven lives for seconds
            process = builder.start();
        }

        /** What it printed, when it has ended well. */
        String out() throws Exception {
            if (!process.waitFor(CommandLine.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(shown + " is still running after " + CommandLine.DEADLINE_SECONDS + " s");
            }
            assertThat(process.exitValue())
                    .as("%s: %s%s", shown, Files.readString(out), Files.readString(err))
                    .isZero();
            return Files.readString(out);
        }
    }
}

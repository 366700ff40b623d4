package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Judge;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the verbs say, read as their user does; on runs so small that they have much to complain of. */
class TerminalTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static final List<String> TINY = List.of(
            "model.mlp.hidden=[4]",
            "negatives.steps=1",
            "negatives.buffer.size=16",
            "train.batch=8",
            "train.iterations=4",
            "train.checkpointEvery=2");

    @TempDir
    private static Path folder;

    private static Said judged = new Said(-1, "", "");
    private static Said everything = new Said(-1, "", "");

    /** How a command ended. */
    private record Said(int exit, String out, String err) {}

    private static Said say(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        return new Said(exit, out.toString(), err.toString());
    }

    private static String path(String run) {
        return folder.resolve(run).toString();
    }

    @BeforeAll
    static void train() throws IOException {
        train("a run", 0);
        train("b", 1);
        train("unjudged", 2);
        judged = say("evaluate", path("a run"));
        everything = say("evaluate", path("b"), "--verbose");
    }

    private static void train(String name, long seed) throws IOException {
        List<String> settings = new ArrayList<>(TINY);
        settings.add("train.seed=" + seed);
        Recipe recipe = Recipes.load("rings", settings);
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), recipe, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
    }

    // ---- how a run ends

    @Test
    void aRunEndsWithVerdictsAndWarnings() {
        assertThat(judged.exit()).as(judged.err()).isZero();
        assertThat(judged.out().lines().count()).isBetween(5L, 14L);
        assertThat(judged.out())
                .contains("KL(data‖model)", " poor", " warning", " To try: ")
                .contains("What to try: kelvin diagnose '" + path("a run") + "'")
                .contains("Report: " + path("a run"))
                .doesNotContain("log Z, lower");
        assertThat(judged.out().lines().filter(line -> line.startsWith("  - "))).isNotEmpty();
    }

    @Test
    void moreIsToldIfAskedFor() {
        assertThat(everything.out().lines().count())
                .isGreaterThan(judged.out().lines().count() + 5);
        JsonNode object = JSON.readTree(say("evaluate", path("b"), "--json").out());
        assertThat(object.has("log_likelihood_error")).isTrue();
        assertThat(object.get("warnings").size()).isPositive();
    }

    /** The options that decide how much is said, with each other and with a dry run; both at once are refused below. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--quiet",
                "--verbose",
                "--json",
                "--quiet --json",
                "--verbose --json",
                "--dry-run --quiet",
                "--dry-run --verbose",
                "--json --dry-run --quiet",
                "--json --dry-run --verbose"
            })
    void optionsMeet(String options) {
        boolean dry = options.contains("--dry-run");
        List<String> words = new ArrayList<>(
                dry
                        ? List.of("train", "--resume", path("b"))
                        : List.of("sample", path("b"), "-n", "4", "--steps", "2"));
        words.addAll(List.of(options.split(" ")));
        Said said = say(words.toArray(String[]::new));
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out()).isNotEmpty();
        if (options.contains("--json")) {
            assertThat(JSON.readTree(said.out()).isObject()).isTrue();
            assertThat(said.out()).hasLineCount(1);
        }
        if (options.contains("--quiet")) {
            assertThat(said.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--quiet --verbose recipes | 2 | --quiet or --verbose, not both",
                "--quiet recipes --verbose | 2 | --quiet or --verbose, not both",
                "train rings --resume x    | 2 | name rings or --resume x, not both",
                "train                     | 2 | name a RECIPE, such as rings",
                "train rings --seed x      | 2 | takes a whole number such as 0 or 42, found 'x'",
                "sample r --seed 1.5       | 2 | takes a whole number such as 0 or 42, found '1.5'",
                "chains --target banana --kernel hmc --steps 3 | 2 | Unknown option",
                "compare                   | 2 | name two or more RUNs",
                "compare x                 | 2 | compare takes two or more RUNs, found only x",
                "compare x y               | 3 | there is no run at x",
                "trian rings               | 2 | Did you mean: kelvin train",
                "reproduce no.yaml         | 3 | no.yaml",
                "reproduce 001-toy 001-toy | 2 | the study '001-toy' is named twice",
                "train rings --seeds 0..1 --seed 3 | 2 | leave out --resume, --seed and --dry-run",
                "train rings --seeds 1..0  | 2 | --seeds takes whole numbers and ranges such as 0..4 or 1,2,5..7, found '1..0'",
                "train rings --seeds 0..1 --set train.seed=3 | 2 | --set train.seed and --seeds both say the seed",
                "sweep                     | 2 | name a RECIPE, such as rings, with --set and --seeds",
                "sweep rings --resume x    | 2 | name a RECIPE, such as rings, with --set and --seeds",
                "sweep --resume x --seeds 1 | 2 | --resume goes on with a sweep as it is",
                "sweep --resume x          | 3 | there is no sweep at x",
                "sweep rings --set a       | 2 | --set a is to be written as setting=value,value",
                "sweep rings --set a=1..2  | 2 | --set a has a range, from which points are drawn",
                "sweep rings --set a=1,2 --set a=3 | 2 | --set a is there twice",
                "sweep rings --set negatives.steps=1,1.0 | 2 | --set makes the same recipe twice: by steps 1, and by steps 1.0",
                "sweep rings --seeds 0..9999 --set a=1,2 | 2 | --set and --seeds make 20000 runs",
                "sweep rings --random 3    | 2 | --random takes a setting with several values or a range",
                "sweep rings --random 3 --set a=1,2 | 2 | --random 3 is more than the 2 points that there are",
                "sweep rings --task 3/2    | 2 | takes the number of a share, from 1 on",
                "sweep rings --task 1/2    | 2 | with --task name the folder that all tasks share",
                "sweep rings --jobs 0      | 2 | --jobs must be at least 1, found 0",
                "sweep rings --set train.batch=8,0 | 3 | --set train.batch=0: batch must be at least 1, found 0",
                "sweep rings --data x      | 3 | --data is for images and tables",
                "sweep no.yaml             | 3 | no.yaml",
                "train rings --out /proc/x --set train.iterations=1 | 3 | no file or folder can be made in /proc; name another place",
            })
    void mistakesAreNamedInALineOrTwo(String words, int exit, String message) {
        Said said = say(words.split(" "));
        assertThat(said.exit()).as(said.err()).isEqualTo(exit);
        assertThat(said.err()).contains(message).doesNotContain("Usage:", "    at ");
        assertThat(said.err().lines().count()).isLessThanOrEqualTo(3);
    }

    @Test
    void aStackTraceIsThereForThoseWhoAsk() {
        assertThat(say("evaluate", "nowhere").err()).hasLineCount(1);
        assertThat(say("evaluate", "nowhere", "--verbose").err()).contains("there is no run", "    at dev.kelvin");
    }

    /** What a dry run lists is what would be trained, and nothing is written. */
    @Test
    void aSweepIsListed() {
        String[] words = {
            "sweep", "rings", "--set", "negatives.steps=1,2", "--seeds", "0..2", "--dry-run", "--out", path("swept")
        };
        assertThat(say(words).out())
                .startsWith("6 runs in " + path("swept") + ": 2 points with 3 seeds\n  1_steps=1_seed=0  unfinished\n");
        List<String> share = new ArrayList<>(List.of(words));
        share.addAll(List.of("--json", "--task", "2/4"));
        JsonNode runs = JSON.readTree(say(share.toArray(String[]::new)).out()).path("runs");
        assertThat(runs.size()).isEqualTo(2);
        assertThat(runs.get(1).path("run").asString()).isEqualTo("2_steps=2_seed=2");
        assertThat(runs.get(1).path("settings").path("negatives.steps").asString())
                .isEqualTo("2");
        assertThat(folder.resolve("swept")).doesNotExist();
    }

    // ---- help

    @Test
    void helpsAndCompletes() {
        assertThat(say("help", "train").out()).startsWith("Usage: kelvin train");
        assertThat(say("help").out()).contains("completion", "reproduce", "Start with");
        assertThat(say().err()).startsWith("Usage: kelvin");
        assertThat(say("completion").out())
                .contains("complete -F _complete_kelvin", "--resume", "digits-latent", "004-toy", "--quiet");
    }

    /** The verbs' list has whole sentences. */
    @Test
    void everyVerbIsDescribedInOneSentence() {
        Main.commandLine()
                .getSubcommands()
                .forEach((name, verb) -> assertThat(
                                verb.getCommandSpec().usageMessage().description()[0])
                        .as(name)
                        .endsWith("."));
    }

    // ---- comparisons

    @Test
    void seedsAreGrouped() {
        Said said = say("compare", path("a run"), path("b"), "--out", path("c.html"));
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out())
                .contains("KL(data‖model), nats (lower is better)", path("a run") + " (2 seeds)", " to ")
                .doesNotContain("NaN");
        Said twice = say("compare", path("b"), folder.resolve("b/../b").toString());
        assertThat(twice.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(twice.err()).contains("is named twice");
    }

    @Test
    void aRunThatIsNotJudgedIsJudged() {
        Said said = say("compare", path("b"), path("unjudged"), "--json", "--out", path("d.html"));
        assertThat(said.exit()).as(said.err()).isZero();
        JsonNode object = JSON.readTree(said.out());
        assertThat(object.get(path("unjudged")).has("kl")).isTrue();
        assertThat(object.get("ranked_by").asString()).isEqualTo("kl");
        assertThat(object.get("groups").get(0).get("runs").size()).isEqualTo(2);
    }

    // ---- diagnosis

    @Test
    void modelAndSamplerAreToldApart() {
        Said said = say("diagnose", path("b"));
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out()).contains("The model: ", "The sampler: ", "R-hat", "kelvin train ");
        JsonNode object = JSON.readTree(say("diagnose", path("b"), "--json").out());
        assertThat(object.get("model").size() + object.get("sampler").size())
                .isEqualTo(object.get("sentences").size());
        assertThat(object.get("chains_above_data").asDouble()).isBetween(0.0, 1.0);
    }

    /** What is said of a run whose figures are all poor, and what of chains that are too few: all of it is done. */
    @Test
    void everyAdviceIsACommandThatWorks() throws IOException {
        Set<List<String>> commands = new LinkedHashSet<>();
        Path run = folder.resolve("b");
        try (Experiment experiment = new Experiment(RunFolder.open(run).recipe(List.of()), Device.CPU)) {
            for (Finding finding : Judge.of(experiment).findings(poor(0.9))) {
                finding.advice().forEach(advice -> commands.add(advice.command(run)));
            }
            for (Finding finding : Judge.of(experiment).findings(poor(0.0))) {
                finding.advice().forEach(advice -> commands.add(advice.command(run)));
            }
        }
        assertThat(commands).hasSizeGreaterThan(4);
        JsonNode stuck = JSON.readTree(say(
                        "chains",
                        "--target",
                        "mixture",
                        "--kernel",
                        "{mala: {stepSize: 0.01}}",
                        "-n",
                        "12",
                        "--burn-in",
                        "0",
                        "--chains",
                        "3",
                        "--seed",
                        "7",
                        "--json",
                        "--out",
                        path("stuck"))
                .out());
        assertThat(stuck.get("try").size()).isGreaterThan(2);
        stuck.get("try").forEach(command -> assertThat(command.asString()).contains("--chains 3 --seed 7"));
        stuck.get("try").forEach(command -> commands.add(words(command.asString())));
        int number = 0;
        for (List<String> command : commands) {
            List<String> words = new ArrayList<>(command);
            words.addAll(
                    command.get(0).equals("train")
                            ? List.of("--dry-run", "--json")
                            : List.of("--json", "--out", path("tried" + number++)));
            Said said = say(words.toArray(String[]::new));
            assertThat(said.exit()).as(words + ": " + said.err()).isZero();
        }
    }

    private static Evaluation poor(double rate) {
        Map<String, Double> figures = new HashMap<>(Map.of("kl", 5.0, "sample_tv", rate, "sample_tv_floor", 0.0));
        Stream.of("edge_mass", "rounding", "log_z_gap").forEach(name -> figures.put(name, 1e6));
        Stream.of("lighter_half", "grad_scale", "acceptance").forEach(name -> figures.put(name, 0.0));
        return new Evaluation(figures, Map.of(), List.of());
    }

    /** The words of a printed command, as a shell takes them. */
    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = Pattern.compile("'([^']*)'|(\\S+)").matcher(command);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.subList(1, words.size());
    }

    // ---- trials

    @Test
    void aDryRunTellsWhatIsKnownAtOnceAndThenTheTime() {
        Said said = say("train", "--resume", path("b"), "--dry-run");
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
                .startsWith("recipe", "device", "data", "batch", "parameters", "iterations", "mb_of_checkpoint")
                .contains("ms_per_step", "time_in_all", "estimated_by");
    }
}

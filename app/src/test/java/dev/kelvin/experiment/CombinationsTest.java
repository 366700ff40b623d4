package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.judge.Judge;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Learner;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where two options meet: each pair trains from YAML, is saved, resumed, sampled and scored, or is refused at its line with
 * the reason.
 */
class CombinationsTest {
    private static final int ITERATIONS = 4;
    private static final int STOP = 2;

    /** What a model's components are, and what the objective compares. */
    private enum Kind {
        PLAIN("", "%s"),
        CLASSES_GIVEN("classes: head\n", "{conditional-cd: {by: %s}}"),
        CLASSES_MARGINAL("classes: head\n", "{cd-ce: {by: %s}}"),
        CLASSES_PAIRS("classes: head\n", "{joint-cd: {by: %s}}"),
        TIMES_GIVEN("time: {count: 4, annealing: {steps: 1}}\n", "{conditional-cd: {by: %s}}"),
        TIMES_MARGINAL("time: {count: 4, annealing: {steps: 1}}\n", "{cd-ce: {by: %s}}"),
        TIMES_PAIRS("time: {count: 4, annealing: {steps: 1}}\n", "{joint-cd: {by: %s}}");

        private final String components;
        private final String objective;

        Kind(String components, String objective) {
            this.components = components;
            this.objective = objective;
        }

        boolean images() {
            return components.startsWith("classes");
        }

        boolean given() {
            return objective.startsWith("{conditional");
        }

        boolean marginal() {
            return components.length() > 0 && !given();
        }
    }

    /** A small recipe of a kind. */
    private record Setup(Kind kind, Map<String, String> parts) {
        static Setup of(Kind kind) {
            Map<String, String> parts = new LinkedHashMap<>();
            parts.put("components", kind.components);
            parts.put("data", kind.images() ? "{images: {set: digits}}" : "{toy: moons}");
            parts.put("model", kind.images() ? "{short-run: {filters: 2}}" : "{mlp: {hidden: [8]}}");
            parts.put("start", "gaussian");
            parts.put("kernel", "{langevin: {stepSize: 0.01}}");
            parts.put("steps", "2");
            parts.put("more", "");
            parts.put("objective", kind.objective.formatted("contrastive"));
            parts.put("optimiser", "{adam: {learningRate: 1e-3}}");
            parts.put("train", "{iterations: " + ITERATIONS + ", batch: 8, ema: 0.5}");
            return new Setup(kind, parts);
        }

        Setup with(String part, String value) {
            Map<String, String> changed = new LinkedHashMap<>(parts);
            changed.put(part, value);
            return new Setup(kind, changed);
        }

        /** With some words of the components replaced. */
        Setup components(String words, String others) {
            return with("components", parts.getOrDefault("components", "").replace(words, others));
        }

        Setup by(String objective) {
            return with("objective", kind.objective.formatted(objective));
        }

        /** With a term of the loss; asked after the objective. */
        Setup terms(String term) {
            return with(
                    "objective",
                    parts.getOrDefault("objective", "").lines().findFirst().orElse("") + "\nterms: [" + term + "]");
        }

        /** Another line of the negatives. */
        Setup and(String line) {
            return with("more", parts.get("more") + "  " + line + "\n");
        }

        String text() {
            String text = """
                    COMPONENTSdata: DATA
                    model: MODEL
                    negatives:
                      start: START
                      kernel: KERNEL
                      steps: STEPS
                    MOREobjective: OBJECTIVE
                    optimiser: OPTIMISER
                    train: TRAIN
                    """;
            for (Map.Entry<String, String> part : parts.entrySet()) {
                text = text.replace(part.getKey().toUpperCase(java.util.Locale.ROOT), part.getValue());
            }
            return text;
        }

        Case trains() {
            return new Case(this, Optional.empty());
        }

        /** With the line that is refused, by how it begins, and the reason. */
        Case refused(String at, String why) {
            return new Case(this, Optional.of(new Refusal(at, why)));
        }

        @Override
        public String toString() {
            return kind + " " + parts.values();
        }
    }

    private record Refusal(String at, String why) {}

    private record Case(Setup setup, Optional<Refusal> refusal) {
        @Override
        public String toString() {
            return setup.toString();
        }
    }

    static Stream<Case> robust() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String variant : List.of("default", "no-positive", "batch-corrected", "true-objective")) {
                Setup setup = Setup.of(kind)
                        .by("{robust: {beta: 0.5, variant: " + variant
                                + ", schedule: {milestones: {at: [1, 3], factor: .5}}}}");
                cases.add(
                        kind.given() && variant.equals("true-objective")
                                ? setup.refused(
                                        "objective: ",
                                        "takes 2 positives of each component or more, which no batch promises")
                                : setup.trains());
            }
        }
        return cases.stream();
    }

    static Stream<Case> kernels() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String inexact : List.of(
                    "{tempered-mala: {stepSize: 0.01, clip: 1, clamp: [-2, 2]}}",
                    "{mala: {stepSize: 0.01, noise: 0.01, ratio: step}}",
                    "{mala: {stepSize: 0.01, ratio: printed}}",
                    "{mala: {stepSize: 0.01, reject: false}}")) {
                Setup setup = Setup.of(kind).with("kernel", inexact);
                if (kind != Kind.TIMES_PAIRS) { // refused twice
                    cases.add(
                            kind.name().startsWith("TIMES") || kind == Kind.CLASSES_PAIRS
                                    ? setup.refused("  kernel: ", "must sample at temperature 1 where")
                                    : setup.trains());
                }
            }
            for (String kernel : List.of(
                    "{gradient-descent: {stepSize: 0.01}}",
                    "{mala: {stepSize: 0.01}}",
                    "{annealed: {inner: {mala: {stepSize: 0.01}}, decay: {cosine: {steps: 3}}}}",
                    "{psgld: {stepSize: 1e-3}}",
                    "{psgld: {stepSize: 1e-3, lagged: true, damping: 1}}",
                    "{hmc: {stepSize: 0.01, leaps: 2}}",
                    "{svgd: {stepSize: 0.01}}",
                    "{stein-langevin: {stepSize: 0.01, clip: 1, clamp: [-2, 2]}}",
                    "{replica-exchange: {inner: {mala: {stepSize: 0.01}}, rungs: 2, steps: 1}}")) {
                Setup setup = Setup.of(kind).with("kernel", kernel);
                cases.add(
                        kind.given() && (kernel.contains("svgd") || kernel.contains("stein"))
                                ? setup.refused(
                                        "  kernel: ", "its particles look at each other, whatever their component")
                                : setup.trains());
            }
        }
        return cases.stream();
    }

    static Stream<Case> starts() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            cases.add(Setup.of(kind).with("start", "uniform").trains());
            for (String start : List.of("gaussian", "{data: {noise: 0.1}}", "{batch: {noise: 0.1}}")) {
                for (String buffer : List.of(
                        "",
                        "buffer: {size: 40, reinitialise: 0.3}",
                        "buffer: {size: 12, eviction: reservoir, insertAllEnds: true, reinitialise: 0.5}")) {
                    Setup setup = Setup.of(kind).with("start", start);
                    cases.add((buffer.isEmpty() ? setup : setup.and(buffer)).trains());
                }
            }
            Setup augmented = Setup.of(kind)
                    .with("start", "data")
                    .and("buffer: {size: 40, augment: [flip, {resized-crop: {}}, {gaussian-noise: {std: 0.1}}]}");
            cases.add(
                    kind.images()
                            ? augmented.trains()
                            : augmented.refused("  buffer: ", "is for images, the data are points"));
        }
        return cases.stream();
    }

    /** Gaussians of the classes, of all data, and never of times. */
    static Stream<Case> classGaussians() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String buffer : List.of("", "buffer: {size: 40, reinitialise: 0.3}")) {
                Setup start = Setup.of(kind).with("start", "class-gaussian");
                Setup setup = buffer.isEmpty() ? start : start.and(buffer);
                cases.add(
                        kind.components.startsWith("time")
                                ? setup.refused("  start: ", "cannot be class-gaussian where there is time")
                                : setup.trains());
            }
        }
        cases.add(Setup.of(Kind.PLAIN)
                .with("data", "{images: {set: digits, low: -1, high: 1}}")
                .with("model", "{short-run: {filters: 2}}")
                .with("start", "class-gaussian")
                .trains());
        return cases.stream();
    }

    /** Samplers × objectives × memories of a classifier that is also a density. */
    static Stream<Case> jem() {
        Map<String, Boolean> kernels = new LinkedHashMap<>(); // and whether their temperature is known
        kernels.put("{langevin: {stepSize: 1, noise: 0.01}}", true);
        kernels.put("{psgld: {stepSize: 0.1, decay: 0.9, damping: 1, noise: 0.01}}", false);
        kernels.put("{psgld: {stepSize: 1e-3}}", true);
        kernels.put("{mala: {stepSize: 1, noise: 0.01}}", true);
        kernels.put("{mala: {stepSize: 1, noise: 0.01, mhTemperature: 1}}", true);
        kernels.put("{mala: {stepSize: 1, noise: 0.01, ratio: step}}", false);
        kernels.put("{tempered-mala: {stepSize: 1, noise: 0.01, clip: 1, clamp: [-1, 1]}}", false);
        kernels.put("{svgd: {stepSize: 0.01, clip: 1, clamp: [0, 1]}}", true);
        kernels.put("{stein-langevin: {stepSize: 1, noise: 0.01, clip: 1}}", true);
        List<Case> cases = new ArrayList<>();
        kernels.forEach((kernel, known) -> {
            for (String objective : List.of("contrastive", "{robust: {beta: 1e-5}}")) {
                for (String memory :
                        List.of("", ", bytes: true", ", weighted: true", ", bytes: true, weighted: true")) {
                    Setup setup = Setup.of(Kind.CLASSES_MARGINAL)
                            .with("kernel", kernel)
                            .by(objective)
                            .and("buffer: {size: 30, reinitialise: 0.3" + memory + "}");
                    if (!known && objective.contains("robust") && memory.contains("weighted")) {
                        continue; // refused twice
                    }
                    cases.add(
                            !known && objective.contains("robust")
                                    ? setup.refused("  kernel: ", "cannot be combined with a robust objective")
                                    : !known && memory.contains("weighted")
                                            ? setup.refused("  buffer: ", "needs the temperature T of exp(f/T)")
                                            : setup.trains());
                    if (known) { // and once more with further chains beside
                        cases.add(setup.and("also: [{share: 0.5, start: batch, kernel: " + kernel
                                        + ", steps: 1, buffer: {size: 20, reinitialise: 0.5" + memory + "}}]")
                                .trains());
                    }
                }
            }
        });
        return cases.stream();
    }

    /** Bytes, weights and further chains with all that they meet. */
    static Stream<Case> memories() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind);
            Setup bytes = setup.and(
                    "buffer: {size: 40, bytes: true, eviction: reservoir, insertAllEnds: true, reinitialise: 0.5}");
            cases.add(
                    kind.images() ? bytes.trains() : bytes.refused("  buffer: ", "is for images, the data are points"));
            cases.add(setup.and("buffer: {size: 40, weighted: true, eviction: reservoir, reinitialise: 0.5}")
                    .trains());
            cases.add(setup.and("buffer: {size: 40, weighted: true, insertAllEnds: true}")
                    .refused("  buffer: ", "weighted cannot be combined with insertAllEnds"));
            // two further sources, one of them with a memory, beside a first with another
            cases.add(setup.and("buffer: {size: 12, reinitialise: 0.3}")
                    .and("also: [{share: 0.25, start: batch, kernel: {hmc: {stepSize: 0.01, leaps: 2}}, steps: 1},"
                            + " {share: 0.3, start: uniform, kernel: {langevin: {stepSize: 0.05}}, steps: {from: 1, to: 3},"
                            + " buffer: {size: 16, eviction: reservoir, reinitialise: 0.5}}]")
                    .trains());
            Setup particles =
                    setup.and("also: [{share: 0.5, start: gaussian, kernel: {svgd: {stepSize: 0.01}}, steps: 1}]");
            cases.add(
                    kind.given()
                            ? particles.refused(
                                    "  also: ", "its particles look at each other, whatever their component")
                            : particles.trains());
        }
        Setup classes = Setup.of(Kind.CLASSES_MARGINAL);
        cases.add(classes.and("buffer: {size: 40, bytes: true, augment: [flip, {gaussian-noise: {std: 0.1}}]}")
                .trains());
        cases.add(classes.with("data", "{images: {set: digits, low: -1, high: 1, dequantise: true, noise: 0.03}}")
                .and("buffer: {size: 40, bytes: true}")
                .trains());
        cases.add(classes.with("components", "time: {count: 4, annealing: {steps: 1}}\n")
                .and("buffer: {size: 40, bytes: true}")
                .refused("  buffer: ", "cannot be combined with time: noisy images leave the range"));
        cases.add(classes.with("kernel", "{mala: {stepSize: 0.01}}")
                .with("start", "batch")
                .and("adapt: {}")
                .and("also: [{share: 0.5, start: class-gaussian, kernel: {mala: {stepSize: 0.1}}, steps: 1}]")
                .trains());
        return cases.stream();
    }

    private static final String GENERATOR = "{generator: {latent: 3, network: {widths: [3, 2]}}}";

    /** Chains that start at a generator's images, with kernels, objectives, components, memories, terms and numbers. */
    static Stream<Case> generators() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind).with("start", GENERATOR);
            if (kind.components.startsWith("time")) {
                cases.add(setup.with("data", "{images: {set: digits}}")
                        .with("model", "{short-run: {filters: 2}}")
                        .refused("  start: ", "cannot be combined with time, whose chains begin at noisy data"));
            } else if (kind.images()) {
                cases.add(setup.trains());
                cases.add(setup.by("{robust: {beta: 0.5}}")
                        .and("buffer: {size: 40, reinitialise: 0.3}")
                        .trains());
            } else {
                cases.add(setup.refused("  start: ", "can be generator only for images"));
            }
        }
        Setup classes = Setup.of(Kind.CLASSES_MARGINAL).with("start", GENERATOR);
        Setup given = Setup.of(Kind.CLASSES_GIVEN).with("start", GENERATOR);
        for (String memory : List.of(
                "insertAllEnds: true, eviction: reservoir",
                "bytes: true",
                "weighted: true",
                "visits: 1",
                "bytes: true, weighted: true, likeliest: true")) {
            String buffer = "buffer: {size: 40, reinitialise: 0.5, " + memory + "}";
            cases.add(classes.and(buffer).trains());
            cases.add(given.and(buffer).trains());
        }
        cases.add(classes.and("buffer: {size: 40, augment: [flip]}")
                .refused("  buffer: ", "cannot be combined with chains that start at a generator's images"));
        cases.add(classes.with("objective", "cross-entropy")
                .refused("  start: ", "is learnt from where chains end, and the objective has none"));
        for (String kernel : List.of(
                "{gradient-descent: {stepSize: 0.01}}",
                "{mala: {stepSize: 0.01}}",
                "{hmc: {stepSize: 0.01, leaps: 2}}",
                "{svgd: {stepSize: 0.01}}",
                "{stein-langevin: {stepSize: 0.01, clip: 1, clamp: [-2, 2]}}",
                "{replica-exchange: {inner: {mala: {stepSize: 0.01}}, rungs: 2, steps: 1}}")) {
            cases.add(classes.with("kernel", kernel).trains());
            cases.add(classes.with("kernel", kernel)
                    .and("buffer: {size: 40, reinitialise: 0.3}")
                    .trains());
        }
        cases.add(given.with("kernel", "{mala: {stepSize: 0.01}}")
                .and("adapt: {}")
                .trains());
        cases.add(classes.and("count: 5").and("sampleSteps: 3").trains());
        cases.add(classes.with("steps", "0").trains());
        String further = "also: [{share: 0.5, start: " + GENERATOR
                + ", kernel: {langevin: {stepSize: 0.05}}, steps: 1, buffer: {size: 20, reinitialise: 0.5}}]";
        cases.add(classes.and("buffer: {size: 40, reinitialise: 0.3}")
                .and(further)
                .trains());
        cases.add(classes.with("start", "uniform").and(further).trains());
        cases.add(classes.with("components", "classes: head\nbaseMeasure: gaussian\n")
                .trains());
        cases.add(classes.with("components", "classes: gains\n")
                .with("model", "{igebm: {widths: [4, 4]}}")
                .trains());
        cases.add(classes.terms("{kl: {steps: 2}}").trains());
        cases.add(classes.terms("{kl: {entropy: {neighbours: 5, after: 16}}}")
                .and("buffer: {size: 40, reinitialise: 0.3}")
                .trains());
        cases.add(classes.with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.1}}")
                .trains());
        for (String generator : List.of(
                "latent: 2, network: {widths: [2, 3, 4, 2], norm: none, activation: silu}",
                "latent: 2, network: {widths: [4]}",
                "network: {widths: [3, 2]}, optimiser: {sgd: {learningRate: 1e-3, clipNorm: 1}}",
                "network: {widths: [3, 2]}, optimiser: {sam: {by: {adam: {learningRate: 1e-3}}}}")) {
            cases.add(classes.with("start", "{generator: {" + generator + "}}").trains());
        }
        for (String train : List.of("precision: bfloat16", "precision: tf32", "ema: 0")) {
            cases.add(classes.with("train", "{iterations: 4, batch: 8, " + train + "}")
                    .with("model", "{sngan: {widths: [3, 4], halvings: 1}}")
                    .and("buffer: {size: 40, reinitialise: 0.3}")
                    .trains());
        }
        cases.add(latent("", "{langevin: {stepSize: 0.01}}")
                .with("start", GENERATOR)
                .refused("  start: ", "must be gaussian or uniform where there are latent vectors"));
        cases.add(classes.with("start", "{generator: {latent: 0}}").refused("  start: ", "latent must be at least 1"));
        return cases.stream();
    }

    private static Setup latent(String integration, String posterior) {
        return Setup.of(Kind.PLAIN)
                .with("data", "{images: {set: digits, low: -1, high: 1}}")
                .with(
                        "components",
                        "latent: {size: 3, noise: 0.5, generator: {widths: [4]}, posterior: {kernel: " + posterior
                                + ", steps: 3}" + (integration.isEmpty() ? "" : ", integration: " + integration)
                                + "}\n");
    }

    private static Setup widths(String widths, String integration) {
        Setup setup = latent(integration, "{langevin: {stepSize: 0.01}}");
        return setup.components("[4]", widths);
    }

    /** Priors of latent vectors: modes × kernels × objectives × memories. */
    static Stream<Case> latents() {
        List<Case> cases = new ArrayList<>();
        String langevin = "{langevin: {stepSize: 0.01}}";
        String mala = "{mala: {stepSize: 0.01}}";
        for (String mode : List.of("", "corrected", "detached", "paper")) {
            for (String more :
                    List.of("", ", exchangeEvery: 1", ", adaptive: true", ", exchangeEvery: 2, adaptive: true")) {
                if (mode.isEmpty() && !more.isEmpty()) {
                    continue;
                }
                String integration = mode.isEmpty() ? "" : "{mode: " + mode + ", count: 2" + more + "}";
                cases.add(latent(integration, langevin).trains());
                Setup exact = latent(integration, mala);
                cases.add(
                        mode.equals("paper")
                                ? exact.refused("latent: ", "whose steps have a derivative")
                                : exact.trains());
            }
            String integration = mode.isEmpty() ? "" : "{mode: " + mode + ", count: 2}";
            Setup setup = latent(integration, langevin);
            Setup sam = setup.with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.05}}");
            cases.add(
                    mode.equals("paper")
                            ? sam.refused(
                                    "optimiser: ",
                                    "cannot be sam where the gradient is backpropagated through the chains")
                            : sam.trains());
            if (!mode.isEmpty()) {
                for (String more : List.of("", ", exchangeEvery: 1", ", adaptive: true")) {
                    cases.add(latent("{mode: " + mode + ", count: 2, fromPrior: false" + more + "}", langevin)
                            .trains());
                }
            }
            Setup several = setup.components("steps: 3", "steps: 3, chains: 2");
            cases.add(several.trains());
            cases.add(several.with("train", "{iterations: 4, batch: 1}").trains());
            if (!mode.equals("paper")) {
                cases.add(several.with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.05}}")
                        .trains());
            }
            if (mode.isEmpty() || mode.equals("corrected")) {
                cases.add(several.and("buffer: {size: 40, reinitialise: 0.3}").trains());
                cases.add(several.by("{robust: {beta: 0.5}}").trains());
                cases.add(several.terms("{kl: {}}").trains());
            }
            boolean learns = mode.isEmpty() || mode.equals("corrected");
            String why = "need a prior that is trained by chains of its own";
            List<Case> ofPrior = List.of(
                    setup.by("{robust: {beta: 0.5}}").refused("objective: ", why),
                    setup.and("buffer: {size: 40, reinitialise: 0.3}").refused("  buffer: ", why),
                    setup.with("kernel", mala).and("adapt: {}").refused("  adapt: ", why),
                    setup.and("also: [{share: 0.5, start: {uniform: {}}, kernel: {mala: {stepSize: 0.01}}, steps: 2}]")
                            .refused("  also: ", why),
                    setup.terms("{kl: {}}").refused("terms: ", why));
            ofPrior.forEach(each -> cases.add(learns ? each.setup().trains() : each));
            cases.add(setup.by("{contrastive: {l2: 1}}").refused("objective: ", "cannot have an L2 penalty on f"));
            cases.add(setup.and("sampleSteps: 5").trains());
            cases.add(setup.with("steps", "{from: 1, to: 3}").trains());
            cases.add(setup.with(
                            "data",
                            "{images: {set: digits, low: -1, high: 1, noise: 0.03, dequantise: true, augment: [flip]}}")
                    .trains());
        }
        for (String other : List.of(
                "optimiser: {adam: {learningRate: 1e-2}}",
                "optimiser: {sam: {by: {adam: {learningRate: 1e-3}}}}",
                "measured: 2, std: 0.5",
                "measured: 2, measuredSteps: 30")) {
            Setup setup = latent("{mode: corrected, count: 2}", langevin);
            cases.add(setup.components("noise: 0.5", "noise: 0.5, " + other).trains());
        }
        Setup paper = latent("{mode: paper, count: 2}", langevin);
        cases.add(paper.components("noise: 0.5", "noise: 0.5, optimiser: {sam: {by: {adam: {learningRate: 1e-3}}}}")
                .refused("latent: ", "cannot be sam where the gradient is backpropagated through the chains"));
        Setup plain = latent("", langevin);
        cases.add(plain.with("kernel", "{svgd: {stepSize: 0.01}}").trains());
        cases.add(plain.with("start", "data").refused("  start: ", "must be gaussian or uniform"));
        cases.add(plain.with("kernel", "{langevin: {stepSize: 0.01, noise: 0.01}}")
                .refused("  kernel: ", "must sample at temperature 1 where there are latent vectors"));
        cases.add(
                plain.with("kernel", "{langevin: {stepSize: 0.08, noise: 0.4}}").trains()); // T = 1 + 2e-16
        cases.add(latent("", "{langevin: {stepSize: 0.005, noise: 0.1}}").trains());
        cases.add(latent("", "{langevin: {stepSize: 0.005, noise: 0.2}}").refused("latent: ", "leave its noise out"));
        cases.add(plain.by("{robust: {beta: 0.5, l2: 1}}").refused("objective: ", "cannot have an L2 penalty on f"));
        cases.add(latent("{mode: corrected, count: 2, exchangeEvery: 3}", langevin)
                .refused("latent: ", "must be below the steps of a posterior chain, 3"));
        cases.add(latent("", "{hmc: {stepSize: 0.01, mass: [1, 2]}}").refused("latent: ", "mass must have one number"));
        String one = "{iterations: 4, batch: 1}";
        cases.add(latent("{mode: corrected, count: 2}", langevin)
                .with("train", one)
                .trains());
        cases.add(latent("{mode: paper, count: 2}", langevin).with("train", one).refused("latent: ", "say 'eta: 0'"));
        cases.add(latent("{mode: paper, count: 2, eta: 0}", langevin)
                .with("train", one)
                .trains());
        cases.add(plain.with("model", "{short-run: {filters: 2}}")
                .refused("model: ", "takes images, and a latent model's prior takes latent vectors"));
        cases.add(plain.with("data", "{toy: moons}").refused("latent: ", "is for images, the data are points"));
        cases.add(latent("{mode: corrected, count: 0}", langevin).refused("latent: ", "count must be at least 1"));
        cases.add(latent("{power: 0}", langevin).refused("latent: ", "power must be above 0"));
        for (String wrong : List.of("size: 0", "noise: 0", "std: 0", "measured: 1", "measuredSteps: 1")) {
            String setting = wrong.substring(0, wrong.indexOf(':'));
            String right = setting.equals("size") ? "size: 3" : setting.equals("noise") ? "noise: 0.5" : "generator:";
            String changed = right.equals("generator:") ? wrong + ", generator:" : wrong;
            cases.add(plain.components(right, changed).refused("latent: ", setting + " must be "));
        }
        cases.add(plain.with("train", "{iterations: 4, batch: 8, precision: bfloat16}")
                .refused("train: ", "must be float or tf32 where there are latent vectors"));
        String tf32 = "{iterations: 4, batch: 8, precision: tf32}";
        cases.add(plain.with("train", tf32).trains());
        cases.add(latent("", mala).with("train", tf32).refused("train: ", "must be float with a kernel"));
        cases.add(plain.with("components", "classes: head\n" + plain.parts().getOrDefault("components", ""))
                .with("objective", "{cd-ce: {}}")
                .refused("latent: ", "cannot be combined with classes or time"));
        cases.add(latent("", "{svgd: {stepSize: 0.01}}").refused("latent: ", "must move each chain independently"));
        return cases.stream();
    }

    private static Case also(String source, String why) {
        return Setup.of(Kind.CLASSES_MARGINAL).and("also:").and("  - " + source).refused("    - ", why);
    }

    /** Further chains that do not go with the first are refused where they stand. */
    static Stream<Case> unlike() {
        return Stream.of(
                also(
                        "{share: 0.5, start: batch, kernel: {langevin: {stepSize: 1, noise: 0.01}}, steps: 1}",
                        "must sample at the temperature of the first chains, 1, because the negatives are weighed as one set;"
                                + " found 5e-5"),
                also(
                        "{share: 0.5, start: batch, kernel: {gradient-descent: {stepSize: 1}}, steps: 1}",
                        "found none, for want of noise"),
                also(
                        "{share: 0.5, start: batch, kernel: {psgld: {stepSize: 1, noise: 0.01}}, steps: 1}",
                        "found another at every place"),
                Setup.of(Kind.CLASSES_MARGINAL)
                        .with("kernel", "{psgld: {stepSize: 1, noise: 0.01}}")
                        .and(
                                "also: [{share: 0.5, start: batch, kernel: {psgld: {stepSize: 1, noise: 0.01}}, steps: 1}]")
                        .refused("  kernel: ", "cannot have further chains beside it"),
                Setup.of(Kind.CLASSES_MARGINAL)
                        .with("kernel", "{langevin: {stepSize: 1, noise: 0.01}}")
                        .and("also: [{share: 0.5, start: batch, kernel: {mala: {stepSize: 9, noise: 0.03}}, steps: 1}]")
                        .trains(),
                also(
                        "{share: 0.125, start: batch, kernel: {svgd: {stepSize: 0.01}}, steps: 1}",
                        "also.0.share must give at least 2 chains with svgd"),
                also(
                        "{share: 0.01, start: batch, kernel: {langevin: {stepSize: 1}}, steps: 1}",
                        "also.0.share gives no chain"),
                also(
                        "{share: 1, start: batch, kernel: {langevin: {stepSize: 1}}, steps: 1}",
                        "share must be above 0 and below 1, found 1"),
                also(
                        "{share: 0.5, start: batch, kernel: {langevin: {stepSize: 1}}, steps: 1, buffer: {size: 3}}",
                        "also.0.buffer.size must be at least 4, the number of negatives, found 3"),
                Setup.of(Kind.CLASSES_MARGINAL)
                        .and(
                                "also: [{share: 0.5, start: batch, kernel: {langevin: {stepSize: 1}}, steps: 1}, {share: 0.5,"
                                        + " start: batch, kernel: {langevin: {stepSize: 1}}, steps: 1}]")
                        .refused("  also: ", "must leave a share to the first chains: the shares add up to 1"),
                Setup.of(Kind.CLASSES_MARGINAL)
                        .with("train", "{iterations: 4, batch: 8, precision: bfloat16}")
                        .and("also: [{share: 0.5, start: batch, kernel: {mala: {stepSize: 1}}, steps: 1}]")
                        .refused("train: ", "must be float with a kernel that has an accept/reject step"));
    }

    static Stream<Case> adapted() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String kernel : List.of("{mala: {stepSize: 0.01}}", "{hmc: {stepSize: 0.01, leaps: 2}}")) {
                for (String start : List.of("gaussian", "batch")) {
                    for (boolean buffer : List.of(false, true)) {
                        Setup setup = Setup.of(kind)
                                .with("kernel", kernel)
                                .with("start", start)
                                .and("adapt: {acceptance: 0.7}");
                        Setup all = buffer ? setup.and("buffer: {size: 40}") : setup;
                        cases.add(
                                kind.marginal() && (buffer || start.equals("gaussian"))
                                        ? all.refused(
                                                "  adapt: ",
                                                "cannot be combined with chains whose component is not known")
                                        : all.trains());
                    }
                }
            }
            cases.add(
                    Setup.of(kind)
                            .with("start", "batch")
                            .and("adapt: {}")
                            .refused(
                                    "  adapt: ",
                                    "takes a kernel with a step size and an accept/reject step to adapt it by; this is Langevin"));
        }
        return cases.stream();
    }

    /** A base measure with components, objectives, kernels, terms, memories and numbers. */
    static Stream<Case> bases() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind).with("components", kind.components + "baseMeasure: gaussian\n");
            if (kind.components.startsWith("time")) {
                cases.add(setup.refused("baseMeasure: ", "cannot be combined with time, whose reference is the base"));
                continue;
            }
            cases.add(setup.trains());
            cases.add(setup.by("{robust: {beta: 0.5}}")
                    .and("buffer: {size: 40, reinitialise: 0.3}")
                    .trains());
            cases.add(setup.by("{contrastive: {l2: 0.1}}").refused("objective: ", "cannot have an L2 penalty on f"));
            if (kind != Kind.CLASSES_PAIRS) { // refused twice
                cases.add(setup.with("kernel", "{langevin: {stepSize: 0.01, noise: 0.01}}")
                        .refused("  kernel: ", "must sample at temperature 1 where there is a base"));
            }
            cases.add(setup.terms("{kl: {}}").trains());
            cases.add(setup.with("optimiser", "{sam: {by: {adamw: {learningRate: 1e-3, clipNorm: 1}}, rho: 0.05}}")
                    .trains());
            cases.add(setup.with("kernel", "{mala: {stepSize: 0.01}}")
                    .with("start", "batch")
                    .and("adapt: {acceptance: 0.6}")
                    .trains());
            if (!kind.given()) {
                cases.add(setup.with("kernel", "{svgd: {stepSize: 0.01}}").trains());
            }
            if (kind.images()) {
                cases.add(setup.with("train", "{iterations: 4, batch: 8, precision: bfloat16}")
                        .trains());
                cases.add(setup.with("components", "classes: gains\nbaseMeasure: gaussian\n")
                        .with("model", "{igebm: {widths: [4, 4]}}")
                        .trains());
            }
        }
        Setup plain = Setup.of(Kind.PLAIN).with("components", "baseMeasure: gaussian\n");
        cases.add(plain.with("kernel", "{mala: {stepSize: 0.1}}")
                .and("adapt: {acceptance: 0.6}")
                .and("buffer: {size: 40}")
                .trains());
        cases.add(plain.with("data", "{images: {set: digits, low: -1, high: 1}}")
                .with("model", "{wide-resnet: {depth: 10, width: 1, norm: batch}}")
                .trains());
        Setup latent = latent("", "{langevin: {stepSize: 0.01}}");
        cases.add(latent.with("components", latent.parts.get("components") + "baseMeasure: gaussian\n")
                .refused("baseMeasure: ", "cannot be combined with latent, whose prior has a Gaussian of its own"));
        return cases.stream();
    }

    static Stream<Case> schedules() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind)
                    .with("steps", "{from: 0, to: 3, after: 1, over: 2}")
                    .with(
                            "optimiser",
                            "{adam: {learningRate: 1e-3, schedule: {milestones: {at: [1, 3], factor: 0.5}}}}");
            cases.add(setup.trains());
            cases.add(setup.and("count: 5").trains());
        }
        return cases.stream();
    }

    static Stream<Case> others() {
        Setup classes = Setup.of(Kind.CLASSES_MARGINAL);
        Setup times = Setup.of(Kind.TIMES_MARGINAL);
        return Stream.of(
                Setup.of(Kind.CLASSES_GIVEN).with("objective", "contrastive").trains(),
                Setup.of(Kind.TIMES_GIVEN).with("objective", "contrastive").trains(),
                Setup.of(Kind.CLASSES_GIVEN)
                        .with("objective", "{robust: {beta: 0.5}}")
                        .trains(),
                classes.with("objective", "{cd-ce: {labels: 0.1}}").trains(),
                classes.with("objective", "{cd-ce: {labels: 0}}").trains(),
                classes.with("objective", "{columns: {compares: given, labels: 0.3}}")
                        .trains(),
                classes.with("objective", "{columns: {by: {robust: {beta: 0.5}}, compares: pair, labels: 2}}")
                        .trains(),
                classes.with("objective", "cross-entropy").trains(),
                times.with("objective", "cross-entropy").trains(),
                classes.with("model", "{igebm: {widths: [4, 4]}}")
                        .with("objective", "{cd-ce: {by: {robust: {beta: 0.5}}}}")
                        .trains(),
                Setup.of(Kind.TIMES_GIVEN)
                        .with("train", "{iterations: 4, batch: 3}")
                        .trains(),
                Setup.of(Kind.CLASSES_GIVEN)
                        .by("{robust: {beta: 0.5}}")
                        .and("count: 5")
                        .refused(
                                "  count: ",
                                "must be at least train.batch, 8, where a robust objective weighs each component"),
                Setup.of(Kind.CLASSES_MARGINAL)
                        .by("{robust: {beta: 0.5}}")
                        .and("count: 5")
                        .trains(),
                Setup.of(Kind.TIMES_MARGINAL)
                        .and("buffer: {size: 8}")
                        .with("train", "{iterations: 4, batch: 3}")
                        .trains(),
                times.with("kernel", "{langevin: {stepSize: 0.01, temperature: 2}}")
                        .refused("  kernel: ", "must sample at temperature 1 where there is time"),
                Setup.of(Kind.CLASSES_PAIRS)
                        .with("kernel", "{langevin: {stepSize: 0.01, temperature: 2}}")
                        .refused("  kernel: ", "must sample at temperature 1 where pairs are compared, found 2"),
                classes.with("kernel", "{langevin: {stepSize: 0.01, temperature: 2}}")
                        .trains(),
                classes.with("kernel", "{mala: {stepSize: 0.01}}")
                        .with("train", "{iterations: 4, batch: 8, precision: bfloat16}")
                        .refused("train: ", "must be float with a kernel that has an accept/reject step"),
                classes.with("train", "{iterations: 4, batch: 8, precision: bfloat16}")
                        .trains(),
                Setup.of(Kind.PLAIN)
                        .with("objective", "cd-ce")
                        .refused("objective: ", "is about classes or times, and the recipe has neither"),
                Setup.of(Kind.TIMES_GIVEN)
                        .and("buffer: {size: 8}")
                        .with("train", "{iterations: 4, batch: 8}")
                        .trains(),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{hmc: {stepSize: 0.01, mass: [1, 2, 3]}}")
                        .refused("  kernel: ", "mass must have one number for each of the 2 coordinates, found 3"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{replica-exchange: {inner: {hmc: {stepSize: 0.01, mass: [1]}}}}")
                        .refused("  kernel: ", "mass must have one number for each of the 2 coordinates, found 1"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{hmc: {stepSize: 0.01, mass: [1, 2]}}")
                        .trains(),
                Setup.of(Kind.PLAIN)
                        .by("{robust: {beta: 0.5, variant: true-objective}}")
                        .with("train", "{iterations: 4, batch: 1}")
                        .refused("objective: ", "takes a batch of 2 or more"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{svgd: {stepSize: 0.01}}")
                        .with("train", "{iterations: 4, batch: 1}")
                        .refused("train: ", "must be at least 2 with svgd, whose particles push each other"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{svgd: {stepSize: 0.01}}")
                        .and("count: 1")
                        .refused("  count: ", "must be at least 2 with svgd"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{svgd: {stepSize: 0.01, temperature: 2}}")
                        .and("count: 6")
                        .and("sets: 3")
                        .trains(),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{stein-langevin: {stepSize: 0.01}}")
                        .and("count: 6")
                        .and("sets: 2")
                        .and("also: [{share: 0.34, start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 1}]")
                        .trains(),
                Setup.of(Kind.PLAIN)
                        .and("count: 6")
                        .and("sets: 3")
                        .refused("  sets: ", "are of particles that push each other, as of svgd"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{svgd: {stepSize: 0.01}}")
                        .and("count: 6")
                        .and("sets: 4")
                        .refused(
                                "  sets: ",
                                "must divide the number of particles, 6, into sets of two or more, found 4"),
                Setup.of(Kind.PLAIN)
                        .with("kernel", "{svgd: {stepSize: 0.01}}")
                        .and("count: 6")
                        .and("sets: 6")
                        .refused(
                                "  sets: ",
                                "must divide the number of particles, 6, into sets of two or more, found 6"),
                Setup.of(Kind.PLAIN)
                        .by("{contrastive: {entropy: 1, entropySoftmax: 1}}")
                        .trains(),
                classes.with("kernel", "{svgd: {stepSize: 0.01}}")
                        .with("objective", "{cd-ce: {by: {contrastive: {entropy: 1, entropySoftmax: 5}}, alpha: 5}}")
                        .trains(),
                classes.with("objective", "{cd-ce: {by: joint-cd}}")
                        .refused("objective: ", "by must be a generative objective, such as contrastive or robust"));
    }

    /** What a joint energy model is made of: SAM, the smoothing factor, the label term's own batches, β·o, the entropy. */
    static Stream<Case> joint() {
        List<Case> cases = new ArrayList<>();
        String adaptive = "{adaptive: {every: 2, decay: 0.5}}";
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind);
            String sgd = "{sgd: {learningRate: 1e-3, momentum: 0.9, weightDecay: 5e-4, clipNorm: 0.5}}";
            cases.add(setup.with("optimiser", "{sam: {by: " + sgd + ", rho: 0.1}}")
                    .and("buffer: {size: 12, reinitialise: 0.5}")
                    .trains());
            cases.add(setup.with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.5, adaptive: true}}")
                    .trains());
            cases.add(setup.by("{contrastive: {entropy: 1, l2: 0.1}}").trains());
            cases.add(setup.by("{robust: {betaOverT: 0.5, schedule: {cosine: {warmup: 2}}}}")
                    .trains());
            cases.add(setup.by("{robust: {betaOverT: 1.5}}")
                    .refused("objective: ", "betaOverT must be at most 1/T, 1 with these chains"));
            cases.add(setup.by("{robust: {beta: 0.5, betaOverT: 0.5}}")
                    .refused("objective: ", "betaOverT cannot be combined with beta"));
            cases.add(setup.by("{robust: {variant: no-positive}}")
                    .refused("objective: ", "beta is missing: give beta, or betaOverT"));
            Setup apart = setup.with("data", "{images: {set: digits, labelled: {augment: [flip]}}}")
                    .with("model", "{short-run: {filters: 2}}");
            if (kind == Kind.CLASSES_MARGINAL) {
                cases.add(apart.trains());
                cases.add(apart.with("data", "{images: {set: digits, labelled: {batch: 11}}}")
                        .with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.1}}")
                        .trains());
                cases.add(apart.with("data", "{images: {set: digits, labelled: {batch: 0}}}")
                        .refused("data: ", "batch must be at least 1, found 0"));
            } else if (kind.images()) {
                cases.add(apart.refused("data: ", "takes an objective with a label term"));
            } else {
                cases.add(apart.refused("data: ", "takes a model with classes ('classes: head')"));
            }
        }
        for (Kind kind : List.of(Kind.CLASSES_MARGINAL, Kind.TIMES_MARGINAL)) {
            Setup setup = Setup.of(kind);
            cases.add(setup.with("objective", "{cd-ce: {alpha: 50}}").trains());
            for (String compared : List.of("marginal", "pair", "given")) {
                cases.add(setup.with(
                                "objective",
                                "{columns: {by: {robust: {beta: 0.5}}, compares: " + compared + ", labels: 0.5, alpha: "
                                        + adaptive + "}}")
                        .with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}}}")
                        .trains());
            }
            cases.add(setup.with("objective", "{cd-ce: {labels: 0, alpha: " + adaptive + "}}")
                    .refused("objective: ", "alpha cannot be adaptive without the label term"));
            cases.add(setup.with("objective", "{cd-ce: {alpha: 0}}")
                    .refused("objective: ", "alpha must be above 0, found 0"));
        }
        Setup all = Setup.of(Kind.CLASSES_MARGINAL)
                .with(
                        "data",
                        "{images: {set: digits, noise: 0.03, dequantise: true, labelled: {augment: [{crop: {padding: 2}}]}}}")
                .with("kernel", "{langevin: {stepSize: 1, noise: 0.01}}") // T = 5e-5
                .with("objective", "{cd-ce: {by: {robust: {betaOverT: 4}}, alpha: " + adaptive + "}}")
                .with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}}}")
                .and("buffer: {size: 12, reinitialise: 0.5}");
        for (String precision : List.of("float", "bfloat16")) {
            Setup setup = all.with("train", "{iterations: 4, batch: 8, ema: 0.5, precision: " + precision + "}");
            cases.add(setup.trains());
            cases.add(setup.with("model", "{wide-resnet: {depth: 10, width: 1, norm: batch}}")
                    .trains());
        }
        cases.add(all.with("model", "{igebm: {widths: [4, 4]}}").trains());
        cases.add(all.with("kernel", "{svgd: {stepSize: 0.01}}")
                .with("objective", "{cd-ce: {by: {contrastive: {entropy: 0.5}}, alpha: 5}}")
                .trains());
        cases.add(all.with("objective", "{cross-entropy: {}}").trains());
        cases.add(all.with("objective", "{cd-ce: {labels: 0}}")
                .refused("data: ", "takes an objective with a label term"));
        cases.add(all.with("objective", "{cd-ce: {by: {robust: {betaOverT: 20001}}}}")
                .refused("objective: ", "betaOverT must be at most 1/T, 20000 with these chains"));
        return cases.stream();
    }

    /** The KL term of improved contrastive divergence, with all that chains can be. */
    static Stream<Case> lastMoves() {
        List<Case> cases = new ArrayList<>();
        String kl = "{kl: {weight: 0.5, steps: 2}}";
        String entropy = "{kl: {entropy: {neighbours: 5, after: 16}}}";
        String noisy = "{langevin: {stepSize: 1, noise: 0.01, noiseFirst: true, clip: 0.1, clamp: [-1, 1]}}";
        for (Kind kind : Kind.values()) {
            Setup setup = Setup.of(kind).terms(kl);
            cases.add(setup.trains());
            cases.add(setup.by("{robust: {beta: 0.5}}").terms(kl).trains());
            cases.add(setup.terms(entropy)
                    .and("buffer: {size: 12, eviction: reservoir, insertAllEnds: true, reinitialise: 0.5}")
                    .trains());
            cases.add(setup.terms(entropy)
                    .and("buffer: {size: 12, weighted: true}")
                    .with("steps", "{from: 1, to: 3, after: 1, over: 2}")
                    .with("kernel", "{langevin: {stepSize: 0.01, anneal: {polynomial: {offset: 3}}}}")
                    .with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3, clipNorm: 3}}}}")
                    .trains());
            cases.add(setup.with("kernel", "{gradient-descent: {stepSize: 0.01}}")
                    .with("start", "batch")
                    .and("count: 5")
                    .trains());
            cases.add(
                    setup.terms(entropy).refused("terms: ", "looks at samples of a replay buffer, and there is none"));
            cases.add(setup.with("steps", "{from: 1, to: 3}")
                    .refused("terms: ", "takes the last 2 moves of every chain again, and negatives.steps is 1"));
            cases.add(setup.terms("{kl: {weight: 0, steps: 9}}").trains()); // asks for nothing
            Setup judged = setup.with("kernel", "{mala: {stepSize: 0.01, clip: 1}}");
            cases.add(judged.trains());
            cases.add(judged.with("start", "batch").and("adapt: {}").refused("terms: ", "step sizes that are adapted"));
            Setup divided = setup.with("kernel", "{psgld: {stepSize: 1e-3}}");
            cases.add(divided.refused("terms: ", "only through the last: say 'steps: 1'"));
            cases.add(divided.terms("{kl: {}}").trains());
            for (String kernel : List.of("tempered-mala", "hmc", "stein-langevin")) {
                boolean itself = kernel.equals("tempered-mala") // which is refused for itself
                        ? kind.name().startsWith("TIMES") || kind == Kind.CLASSES_PAIRS
                        : kernel.equals("stein-langevin") && kind.given();
                if (!itself) {
                    cases.add(setup.with("kernel", "{" + kernel + ": {stepSize: 0.01}}")
                            .refused("terms: ", "last moves, which " + kernel + " does not have"));
                }
            }
            cases.add(
                    setup.and("also: [{share: 0.25, start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 2}]")
                            .refused("terms: ", "cannot be combined with further chains"));
            cases.add(setup.and("adapt: {}").refused("  adapt: ", "an accept/reject step to adapt it by"));
        }
        cases.add(Setup.of(Kind.CLASSES_MARGINAL)
                .with("objective", "cross-entropy")
                .terms(kl)
                .refused("terms: ", "needs chains, and the objective has none"));
        Setup images = Setup.of(Kind.CLASSES_MARGINAL).with("kernel", noisy).terms(entropy);
        for (String train : List.of("precision: bfloat16", "precision: tf32")) {
            cases.add(images.with("train", "{iterations: 4, batch: 8, ema: 0.5, " + train + "}")
                    .with("model", "{improved-cd: {filters: 4, groups: 2, pairs: [2, 1]}}")
                    .and("buffer: {size: 12, bytes: true, augment: [flip]}")
                    .trains());
        }
        cases.add(images.with("components", "classes: gains\n")
                .with("objective", "{conditional-cd: {}}")
                .with("model", "{igebm: {widths: [4, 4]}}")
                .terms(entropy)
                .and("buffer: {size: 12}")
                .trains());
        cases.add(images.with("objective", "{cd-ce: {alpha: {adaptive: {every: 2}}}}")
                .with("model", "{wide-resnet: {depth: 10, width: 1, norm: batch}}")
                .terms(kl)
                .trains());
        return cases.stream();
    }

    /** Parts of other published models with components, kernels, memories, terms, optimisers and further chains. */
    static Stream<Case> published() {
        List<Case> cases = new ArrayList<>();
        String visits = "buffer: {size: 12, reinitialise: 0.5, visits: 1}";
        String exchange = "{replica-exchange: {inner: {langevin: {stepSize: 0.01}}, rungs: 2, steps: 1}}";
        String sam = "{sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.05}}";
        String beside = "also: [{share: 0.5, start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 1, buffer:"
                + " {size: 12, visits: 2}}]";
        for (Kind kind : Kind.values()) {
            boolean times = kind.components.startsWith("time");
            Setup setup = Setup.of(kind);
            Setup limited = setup.and(visits);
            cases.add(limited.trains());
            cases.add(limited.and(beside).with("optimiser", sam).trains());
            cases.add(
                    limited.with("kernel", exchange).by("{robust: {beta: 0.5}}").trains());
            cases.add(
                    limited.terms("{kl: {entropy: {neighbours: 5, after: 16}}}").trains());
            cases.add(setup.and("buffer: {size: 12, weighted: true, likeliest: true, visits: 2}")
                    .trains());
            cases.add(setup.and("buffer: {size: 12, insertAllEnds: true, eviction: reservoir, visits: 2}")
                    .refused("  buffer: ", "visits cannot be combined with insertAllEnds in a reservoir"));
            cases.add(setup.and("buffer: {size: 12, insertAllEnds: true, visits: 2}")
                    .trains());
            cases.add(setup.and("buffer: {size: 12, visits: 0}")
                    .refused("  buffer: ", "visits must be at least 1, found 0"));
            for (String by :
                    List.of("contrastive", "{contrastive: {l2: 0.1, entropy: 0.5}}", "{robust: {beta: 0.5}}")) {
                Setup trimmed = limited.by("{trimmed: {share: 0.3, by: " + by + "}}");
                cases.add(
                        kind.given()
                                ? trimmed.refused("objective: ", "negatives are left out by the order of f")
                                : trimmed.trains());
            }
            Setup logistic = limited.by("{binary-cross-entropy: {l2: 0.1}}");
            cases.add(
                    times
                            ? logistic.refused("objective: ", "cannot be binary-cross-entropy where there is time")
                            : logistic.trains());
            if (!times) {
                cases.add(
                        logistic.with("kernel", exchange).with("optimiser", sam).trains());
                cases.add(logistic.with("kernel", "{gradient-descent: {stepSize: 0.01}}")
                        .terms("{kl: {}}")
                        .trains());
                cases.add(setup.by("binary-cross-entropy")
                        .with("components", kind.components + "baseMeasure: gaussian\n")
                        .refused("objective: ", "cannot be binary-cross-entropy where there is a base measure"));
            }
            String bounded = kind.images()
                    ? "{squared-norm: {inner: {short-run: {filters: 2}}, size: 3}}"
                    : "{squared-norm: {inner: {mlp: {hidden: [8]}}, size: 3}}";
            Setup square = setup.with("model", bounded);
            if (times) {
                cases.add(square.refused("model: ", "cannot be combined with time: f of a time is tied"));
            } else {
                cases.add(square.trains());
                cases.add(square.by("{robust: {beta: 0.5}}")
                        .with("kernel", exchange)
                        .with("optimiser", sam)
                        .trains());
                cases.add(square.by("{contrastive: {l2: 1}}").terms("{kl: {}}").trains());
                cases.add(square.with("components", kind.components + "baseMeasure: gaussian\n")
                        .and(beside)
                        .trains());
                cases.add(square.by("binary-cross-entropy")
                        .refused("model: ", "f is never above 0, so that nothing is more likely one of the data"));
            }
            Setup rounds = setup.and("sampleSteps: 2").and("sampleRounds: 3");
            String augment = "buffer: {size: 12, augment: [flip, {resized-crop: {}}]}";
            cases.add(
                    times
                            ? setup.and("sampleRounds: 3")
                                    .refused(
                                            "  sampleRounds: ",
                                            "cannot be combined with time, whose chains are annealed")
                            : rounds.refused("  sampleRounds: ", "needs augmentations of images between the rounds"));
            Setup denoised = setup.and("denoise: 0.1");
            if (times) {
                cases.add(denoised.refused("  denoise: ", "cannot be combined with time, whose chains end where"));
            } else {
                cases.add(denoised.trains());
                cases.add(denoised.and(visits)
                        .by("{robust: {beta: 0.5}}")
                        .with("kernel", exchange)
                        .trains());
                cases.add(denoised.with("components", kind.components + "baseMeasure: gaussian\n")
                        .with("kernel", "{mala: {stepSize: 0.01}}")
                        .trains());
                cases.add(denoised.with("kernel", "{gradient-descent: {stepSize: 0.01}}")
                        .refused("  denoise: ", "needs the temperature T of exp(f/T)"));
                if (kind != Kind.CLASSES_PAIRS) { // refused twice
                    cases.add(denoised.with("kernel", "{tempered-mala: {stepSize: 0.01}}")
                            .refused("  denoise: ", "needs the temperature T of exp(f/T)"));
                }
            }
            if (kind.images()) {
                Setup again = rounds.and(augment).and("denoise: 0.1");
                cases.add(again.trains());
                cases.add(again.by("{robust: {beta: 0.5}}").and(beside).trains());
                cases.add(again.with("train", "{iterations: 4, batch: 8, ema: 0.5, precision: bfloat16}")
                        .trains());
                if (!kind.given()) {
                    cases.add(again.with("kernel", "{svgd: {stepSize: 0.01}}").trains());
                } else {
                    cases.add(again.with("kernel", "{mala: {stepSize: 0.01}}")
                            .and("adapt: {}")
                            .trains());
                }
            }
            cases.add(setup.and("sampleRounds: 0")
                    .refused("  sampleRounds: ", "sampleRounds must be at least 1, found 0"));
            cases.add(setup.and("denoise: 0").refused("  denoise: ", "denoise must be above 0, found 0"));
            if (!kind.given()) {
                Setup trimmed = setup.by("trimmed");
                cases.add(trimmed.and(beside).with("optimiser", sam).trains());
                cases.add(trimmed.with("kernel", exchange).trains());
                cases.add(trimmed.with("kernel", "{gradient-descent: {stepSize: 0.01}}")
                        .terms("{kl: {}}")
                        .trains());
            }
            cases.add(setup.by("{trimmed: {share: 1}}")
                    .refused("objective: ", "share must be above 0 and below 1, found 1"));
            cases.add(setup.by("{trimmed: {by: cd-ce}}")
                    .refused("objective: ", "by must be a generative objective, such as contrastive or robust"));
        }
        cases.add(Setup.of(Kind.CLASSES_MARGINAL)
                .with(
                        "objective",
                        "{cd-ce: {by: {trimmed: {by: binary-cross-entropy}}, alpha: {adaptive: {every: 2}}}}")
                .with("kernel", "{langevin: {stepSize: 1, noise: 0.01}}")
                .with("train", "{iterations: 4, batch: 8, ema: 0.5, precision: bfloat16}")
                .and("buffer: {size: 12, bytes: true, augment: [flip], visits: 1}")
                .trains());
        Setup wide = Setup.of(Kind.CLASSES_MARGINAL)
                .with("model", "{squared-norm: {inner: {wide-resnet: {depth: 10, width: 1, norm: batch}}}}")
                .with("kernel", "{langevin: {stepSize: 1, noise: 0.01}}");
        cases.add(wide.trains());
        cases.add(wide.with("train", "{iterations: 4, batch: 8, ema: 0.5, precision: bfloat16}")
                .and("buffer: {size: 12, bytes: true, visits: 1}")
                .trains());
        cases.add(wide.with("components", "classes: gains\n")
                .refused("classes: ", "can be gains only for igebm and improved-cd"));
        Setup latent = latent("", "{langevin: {stepSize: 0.01}}");
        cases.add(latent.with("model", "{squared-norm: {inner: {mlp: {hidden: [8]}}, size: 3}}")
                .trains());
        cases.add(latent.and("denoise: 0.1")
                .refused("  denoise: ", "the chains of a latent model are of latent vectors"));
        cases.add(latent.and("sampleRounds: 2").refused("  sampleRounds: ", "needs augmentations of images"));
        cases.add(latent.and(visits).by("trimmed").trains());
        cases.add(latent.by("binary-cross-entropy")
                .refused("objective: ", "cannot be binary-cross-entropy where there are latent vectors"));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("published")
    void partsOfOthersTrainAndGoOnOrAreRefused(Case each) {
        trainsAndGoesOnOrIsRefused(each);
    }

    /** A kernel whose steps are adapted has no last moves either: both are told. */
    @ParameterizedTest
    @ValueSource(strings = "hmc")
    void theKlTermIsRefusedWithAdaptedSteps(String kernel) {
        String text = Setup.of(Kind.PLAIN)
                .terms("{kl: {}}")
                .with("kernel", "{" + kernel + ": {stepSize: 0.01}}")
                .and("adapt: {}")
                .text();
        assertThatThrownBy(() -> Recipes.parse("a.yaml", text, List.of()))
                .isInstanceOfSatisfying(
                        RecipeException.class,
                        e -> assertThat(e.problems())
                                .hasSize(2)
                                .allSatisfy(each -> assertThat(each.toString()).contains("terms"))
                                .anySatisfy(each ->
                                        assertThat(each.toString()).contains("which " + kernel + " does not have"))
                                .anySatisfy(each -> assertThat(each.toString())
                                        .contains("step sizes that are adapted: leave out negatives.adapt")));
    }

    /** The forms of a timeline, as the paper prints it and otherwise. */
    static Stream<Case> timelines() {
        return Stream.of(
                        "pinned: false",
                        "cumulative: false",
                        "pinned: false, cumulative: false",
                        "scaled: false",
                        "base: first",
                        "base: first, scaled: false",
                        "base: first, cumulative: false",
                        "base: none, pinned: false",
                        "base: none, pinned: false, cumulative: false, mixing: geometric",
                        "mixing: cosine, base: first",
                        "mixing: geometric",
                        "mixing: cosine, annealing: {schedule: weighted, weights: [1, 0.5]}",
                        "annealing: {schedule: basic}")
                .flatMap(off -> Stream.of(Kind.TIMES_GIVEN, Kind.TIMES_MARGINAL, Kind.TIMES_PAIRS)
                        .map(kind -> Setup.of(kind)
                                .with("components", "time: {count: 4, " + off + "}\n")
                                .trains()));
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource({
        "robust",
        "kernels",
        "starts",
        "classGaussians",
        "jem",
        "memories",
        "unlike",
        "adapted",
        "bases",
        "schedules",
        "timelines",
        "joint",
        "lastMoves",
        "latents",
        "generators",
        "others"
    })
    void trainsAndGoesOnOrIsRefused(Case each) {
        if (each.refusal().isPresent()) {
            refuses(each.setup().text(), each.refusal().get());
        } else {
            trains(each.setup().text());
        }
    }

    private static void refuses(String text, Refusal refusal) {
        assertThatThrownBy(() -> Recipes.parse("a.yaml", text, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageStartingWith("a.yaml:" + line(text, refusal.at()) + ":")
                .hasMessageContaining(refusal.why())
                .satisfies(e -> assertThat(((RecipeException) e).problems()).hasSize(1));
    }

    /** What only the data tell, which are opened after the recipe was read, is refused at its line too. */
    static Stream<Case> unfit() {
        Setup images = Setup.of(Kind.CLASSES_GIVEN);
        return Stream.of(
                images.with("kernel", "{hmc: {stepSize: 0.01, mass: [1, 2]}}")
                        .refused("  kernel: ", "mass must have one number for each of the 64 coordinates, found 2"),
                images.with("start", "{gaussian: {mean: [1, 2]}}")
                        .refused("  start: ", "mean takes 64 numbers, as the data has, found 2"),
                images.with("data", "{images: {set: digits, size: 7}}")
                        .refused("data: ", "size is for a folder of pictures; the images of digits are 8×8"),
                images.and("buffer: {size: 9}")
                        .refused("  buffer: ", "size must be at least 10, a slot for each class"),
                images.and("buffer: {size: 20, augment: [{crop: {padding: 9}}]}")
                        .refused("  buffer: ", "padding must be less than the image's side"),
                images.with("model", "{igebm: {widths: [4, 4, 4, 4]}}")
                        .refused("model: ", "must be at least 16, because this network halves images 4 times"),
                latent("", "{langevin: {stepSize: 0.01}}")
                        .with("data", "{images: {set: digits, low: 0, high: 16}}")
                        .refused("data: ", "must have pixels within −1 and 1"),
                images.with("start", "{generator: {network: {widths: [2, 2, 2, 2, 2]}}}")
                        .refused("  start: ", "double the image 4 times, to a multiple of 16 pixels"),
                images.with("start", "{generator: {network: {widths: [2, 2, 2, 2]}}}")
                        .and("count: 1")
                        .refused("  start: ", "has a smallest image of one pixel, and batch norm takes two values"),
                images.with("start", GENERATOR)
                        .with("data", "{images: {set: digits, low: 0, high: 16}}")
                        .refused(
                                "data: ",
                                "must have pixels within −1 and 1, where chains start at a generator's images"),
                widths("[4, 4, 4, 4]", "").refused("latent: ", "double the image 4 times, to a multiple of 16 pixels"),
                widths("[1000000000]", "{mode: paper, count: 9000}")
                        .refused("latent: ", "GB for a step, and this machine has"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void isRefusedByItsDataBeforeItStarts(Case each) throws IOException {
        String text = each.setup().text();
        Refusal refusal = each.refusal().orElseThrow();
        Path file = Files.writeString(folder.resolve("a.yaml"), text);
        Recipe recipe = Recipes.load(file.toString(), List.of());
        assertThatThrownBy(() -> new Experiment(recipe, Device.CPU).close())
                .isInstanceOfSatisfying(
                        SettingException.class,
                        e -> assertThat(Recipes.refused(file.toString(), List.of(), e))
                                .hasMessageStartingWith(file + ":" + line(text, refusal.at()) + ":")
                                .hasMessageContaining(refusal.why()));
    }

    private static int line(String text, String beginning) {
        List<String> lines = text.lines().toList();
        int line = 1;
        while (!lines.get(line - 1).startsWith(beginning)) {
            line++;
        }
        return line;
    }

    /** One learner takes all steps; another takes over its state halfway and ends at the same. */
    private static void trains(String text) {
        Recipe recipe = Recipes.parse("a.yaml", text, List.of());
        assertThat(Recipes.parse("a.yaml", RecipeWriter.yaml(recipe), List.of()))
                .isEqualTo(recipe);
        try (Scope scope = Scope.open();
                Experiment whole = new Experiment(recipe, Device.CPU);
                Experiment second = new Experiment(recipe, Device.CPU)) {
            step(whole, 0, STOP);
            State saved = State.empty();
            whole.learner().save(saved);
            second.learner().load(State.of(copies(saved), Map.copyOf(saved.numbers())));
            step(whole, STOP, ITERATIONS);
            step(second, STOP, ITERATIONS);
            assertSame(whole.learner(), second.learner());
            looks(whole);
        }
    }

    private static Map<String, Tensor> copies(State state) {
        Map<String, Tensor> copies = new LinkedHashMap<>();
        state.tensors().forEach((name, tensor) -> copies.put(name, tensor.copy()));
        return copies;
    }

    private static void step(Experiment experiment, long from, long to) {
        int batch = experiment.recipe().train().batch();
        for (long step = from; step < to; step++) {
            try (Scope scope = Scope.open()) {
                Key[] keys = Key.of(0).child(step).split(2);
                StepReport report = experiment
                        .learner()
                        .step(keys[1], step, experiment.batches().batch(keys[0], step, batch));
                assertThat(report.values().values()).allMatch(Double::isFinite);
            }
        }
    }

    /** One of each kind, and one with every memory, stopped and resumed by the trainer. */
    static Stream<Case> everyKind() {
        Stream<Case> joint = Stream.of(Setup.of(Kind.CLASSES_MARGINAL)
                .with("data", "{images: {set: digits, noise: 0.03, labelled: {augment: [flip]}}}")
                .with("objective", "{cd-ce: {by: {robust: {betaOverT: 0.5}}, alpha: {adaptive: {every: 2}}}}")
                .with("optimiser", "{sam: {by: {adam: {learningRate: 1e-3}}}}")
                .and("buffer: {size: 12, reinitialise: 0.5}")
                .trains());
        Case memories = Setup.of(Kind.CLASSES_MARGINAL)
                .with("start", "class-gaussian")
                .by("{robust: {beta: 0.5}}")
                .and("buffer: {size: 12, bytes: true, weighted: true, eviction: reservoir, reinitialise: 0.5}")
                .and("also: [{share: 0.25, start: batch, kernel: {stein-langevin: {stepSize: 0.01}}, steps: 1,"
                        + " buffer: {size: 5}}, {share: 0.25, start: class-gaussian, kernel: {mala: {stepSize: 0.01}},"
                        + " steps: 2, buffer: {size: 6, bytes: true, insertAllEnds: true}}]")
                .trains();
        Case generator = Setup.of(Kind.CLASSES_MARGINAL)
                .with("start", GENERATOR)
                .by("{robust: {beta: 0.5}}")
                .and("buffer: {size: 12, bytes: true, weighted: true, eviction: reservoir, reinitialise: 0.5}")
                .and("also: [{share: 0.25, start: " + GENERATOR
                        + ", kernel: {langevin: {stepSize: 0.01}}, steps: 2, buffer: {size: 6}}]")
                .trains();
        Case published = Setup.of(Kind.CLASSES_MARGINAL)
                .with("model", "{squared-norm: {inner: {short-run: {filters: 2}}, size: 3}}")
                .by("{trimmed: {share: 0.3, by: {robust: {beta: 0.5}}}}")
                .and("buffer: {size: 12, bytes: true, reinitialise: 0.5, visits: 1, augment: [flip]}")
                .and("also: [{share: 0.25, start: batch, kernel: {langevin: {stepSize: 0.01}}, steps: 1,"
                        + " buffer: {size: 5, visits: 2}}]")
                .and("sampleRounds: 2")
                .and("denoise: 0.1")
                .trains();
        return Stream.concat(
                Stream.concat(joint, Stream.of(memories, generator, published)),
                Stream.of(Kind.values())
                        .map(kind -> Setup.of(kind)
                                .by("{robust: {beta: 0.5}}")
                                .and("buffer: {size: 12, eviction: reservoir, reinitialise: 0.5}")
                                .trains()));
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void resumesFromItsCheckpoint(Case each) throws IOException {
        Recipe recipe = Recipes.parse("a.yaml", each.setup().text(), List.of());
        try (Experiment whole = new Experiment(recipe, Device.CPU);
                Experiment first = new Experiment(recipe, Device.CPU);
                Experiment second = new Experiment(recipe, Device.CPU)) {
            assertThat(train(whole, folder.resolve("whole"), ITERATIONS)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(train(first, folder.resolve("parts"), STOP)).isEqualTo(Trainer.Outcome.INTERRUPTED);
            assertThat(train(second, folder.resolve("parts"), ITERATIONS)).isEqualTo(Trainer.Outcome.FINISHED);
            assertSame(whole.learner(), second.learner());
            assertThat(ComponentJudge.of(second).evaluate(Map::of).figures().values())
                    .allMatch(Double::isFinite);
        }
    }

    private static Trainer.Outcome train(Experiment experiment, Path path, long until) throws IOException {
        long[] done = {0};
        TrainListener counting = new TrainListener() {
            @Override
            public void stepped(long step, StepReport report) {
                done[0] = step;
            }
        };
        Trainer trainer = new Trainer(
                experiment.trainerSettings(),
                experiment.batches(),
                experiment.learner(),
                new Checkpoints(path),
                Optional.empty(),
                counting,
                System::nanoTime);
        return trainer.run(() -> done[0] >= until);
    }

    private static void assertSame(Learner one, Learner other) {
        State first = State.empty();
        State second = State.empty();
        one.save(first);
        other.save(second);
        assertThat(second.numbers()).isEqualTo(first.numbers());
        assertThat(second.tensors().keySet()).isEqualTo(first.tensors().keySet());
        first.tensors().forEach((name, tensor) -> {
            Tensor same = second.tensors().get(name);
            assertThat(same == null ? new double[0] : same.toDoubles()).as(name).isEqualTo(tensor.toDoubles());
        });
    }

    /** Samples and scores are numbers of the right shape. */
    private static void looks(Experiment experiment) {
        try (Scope scope = Scope.open()) {
            Sampler sampler = experiment.model().sampler();
            Tensor drawn = sampler.draw(SampleRequest.of(Key.of(1), 6)).x();
            assertThat(drawn.size(0)).isEqualTo(6);
            assertThat(drawn.allFinite()).isTrue();
            assertThat(sampler.draw(SampleRequest.fresh(Key.of(2), 3)).x().allFinite())
                    .isTrue();
            assertThat(sampler.draw(SampleRequest.given(Key.of(3), 2, 0, 0)).x().allFinite())
                    .isTrue();
            assertThat(experiment.model().joint().at(drawn).shape())
                    .containsExactly(6, experiment.components().count());
            assertThat(experiment.model().density().at(drawn).allFinite()).isTrue();
            assertThat(Judge.of(experiment).story()).isNotEmpty();
        }
    }
}

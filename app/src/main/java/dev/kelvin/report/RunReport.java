package dev.kelvin.report;

import dev.kelvin.energy.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.recipe.DataSpec;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.RecipeWriter;
import dev.kelvin.run.Evaluation;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.Parts;
import dev.kelvin.run.PlaneExhibits;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The report of a model of the plane: the pictures, the curves, the figures and what they mean. */
public final class RunReport {
    /** The report's draws have a key of their own: looking at a run changes nothing in it. */
    private static final Key KEY = Key.of(0).child(-3);

    private static final int FILM_CHAINS = 2000;
    private static final int PICTURED_SAMPLES = 5_000;

    private final RunFolder folder;
    private final Parts parts;
    private final PlaneExhibits densities;
    private final Findings findings;
    private final Domain domain;

    public RunReport(RunFolder folder, Parts parts, PlaneExhibits densities, Evaluation evaluation) {
        this.folder = folder;
        this.parts = parts;
        this.densities = densities;
        this.findings = new Findings(parts.recipe(), evaluation);
        this.domain = domain(parts);
    }

    /** Where the data's pictures are drawn. */
    public static Domain domain(Parts parts) {
        Box box = parts.toy().domain();
        return new Domain(box.xMin(), box.xMax(), box.yMin(), box.yMax());
    }

    /** What is wrong with a run by its figures, in sentences; none where all is well. */
    public static List<String> warnings(Recipe recipe, Evaluation evaluation) {
        return recipe.data() instanceof DataSpec.Images
                ? new ImageFindings(recipe, evaluation).warnings()
                : new Findings(recipe, evaluation).warnings();
    }

    /** The points of a tensor [n, 2]. */
    public static float[][] points(Tensor x) {
        float[] flat = x.toFloats();
        float[][] points = new float[flat.length / 2][];
        for (int i = 0; i < points.length; i++) {
            points[i] = new float[] {flat[2 * i], flat[2 * i + 1]};
        }
        return points;
    }

    /** Writes {@code report.html}, the pictures as PNG, the samples in them as npy, and the curves for TensorBoard. */
    public void write() throws IOException {
        Path samples = folder.samples();
        List<MetricsLog.Line> metrics = new MetricsLog(folder.metrics()).read();
        List<Picture> density = drawn(densityPictures());
        List<Supplier<Picture>> frames = new ArrayList<>();
        List<Picture> points;
        try (Scope scope = Scope.open()) {
            Tensor drawn = draw(frames);
            Npy.write(samples.resolve("training-sampler.npy"), drawn);
            points = drawn(samplePictures(drawn));
        }
        List<Picture> film = drawn(frames);
        List<Curves> curves = curves(metrics);

        writePictures(samples, density, points, film, curves);
        Provenance provenance = Provenance.read(folder.provenance());
        Instant began = provenance.began();
        TensorBoard.write(
                folder.path().resolve("events.out.tfevents." + began.getEpochSecond() + ".kelvin"), began, metrics);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("What was trained", new Paragraphs(findings.story())));
        sections.add(new Section(
                "What it learnt",
                new Pictures("The learnt density beside the true one.", density.subList(0, density.size() / 2)),
                new Pictures(
                        "Their logarithms, which show what the model believes where there is no data.",
                        density.subList(density.size() / 2, density.size()))));
        sections.add(new Section(
                "What it samples",
                new Pictures("Samples of the model, made as in training, beside as many of the data.", points),
                new Film(
                        "How samples come about: " + filmChains()
                                + (densities.times().isPresent()
                                        ? " chains are led from the reference to the data, time by time."
                                        : " chains walk from their starts under the trained model."),
                        film)));
        densities.times().ifPresent(times -> sections.add(TimeSection.of(times)));
        sections.add(new Section("How training went", List.copyOf(curves)));
        sections.add(new Section("Figures of merit", Table.of("Each with what it means", findings.measures())));
        sections.add(new Section(
                "Where it comes from",
                new Facts(provenance.facts()),
                new Fold("The recipe, every default written out", RecipeWriter.yaml(parts.recipe()))));
        List<String> warnings = new ArrayList<>(parts.warnings());
        warnings.addAll(findings.warnings());
        new Report(parts.recipe().name(), findings.lead(), findings.highlights(), warnings, sections)
                .write(folder.report());
    }

    /** Pictures, drawn at once where there are processors: encoding them takes longer than anything else here. */
    private static List<Picture> drawn(List<Supplier<Picture>> pictures) {
        return pictures.parallelStream().map(Supplier::get).toList();
    }

    /** The files with pictures, again at once. */
    private static void writePictures(
            Path samples, List<Picture> density, List<Picture> points, List<Picture> film, List<Curves> curves)
            throws IOException {
        Map<String, Supplier<Optional<Png>>> files = new LinkedHashMap<>();
        files.put("density.png", () -> Optional.of(Figures.sheet(2, density)));
        files.put("samples.png", () -> Optional.of(Figures.sheet(2, points)));
        files.put("chain.png", () -> Optional.of(Figures.sheet(4, film)));
        for (int i = 0; i < curves.size(); i++) {
            Curves chart = curves.get(i);
            files.put("curves-" + (i + 1) + ".png", () -> Figures.curves(chart));
        }
        try {
            files.entrySet().parallelStream()
                    .forEach(file -> file.getValue().get().ifPresent(png -> {
                        try {
                            png.write(samples.resolve(file.getKey()));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private List<Supplier<Picture>> densityPictures() {
        double[][] model = rows(densities.model());
        double[][] reference = densities.truth().map(RunReport::rows).orElse(model);
        Scale linear = Scale.linear(reference);
        Scale log = Scale.log(reference);
        List<Supplier<Picture>> pictures = new ArrayList<>();
        if (densities.truth().isPresent()) {
            pictures.add(density("True density", "Heat map of the data's density", reference, linear));
        }
        pictures.add(density("Learnt density", "Heat map of the model's density", model, linear));
        if (densities.truth().isPresent()) {
            pictures.add(density(
                    "True density, logarithm", "Heat map of the logarithm of the data's density", reference, log));
        }
        pictures.add(
                density("Learnt density, logarithm", "Heat map of the logarithm of the model's density", model, log));
        return pictures;
    }

    private Supplier<Picture> density(String caption, String description, double[][] density, Scale scale) {
        return () -> new Picture(caption, description, Figures.density(domain, density, scale));
    }

    private List<Supplier<Picture>> samplePictures(Tensor drawn) {
        int count = (int) drawn.size(0);
        float[][] data = points(parts.toy().draw(KEY.child(2), count));
        float[][] model = points(drawn);
        return List.of(
                () -> new Picture(
                        count + " samples of the data", "Scatter plot of the data", Figures.samples(domain, data)),
                () -> new Picture(
                        count + " samples of the model",
                        "Scatter plot of the model's samples",
                        Figures.samples(domain, model)));
    }

    /** A time-joint model's chains take a walk through all times each: fewer. */
    private int filmChains() {
        return densities.times().isPresent() ? FILM_CHAINS / 2 : FILM_CHAINS;
    }

    /** Adds the film's frames, and tells the samples of the model: where it takes a film to make them, its last frame. */
    private Tensor draw(List<Supplier<Picture>> film) {
        List<Tensor> last = new ArrayList<>();
        parts.sampler().film(KEY.child(1), filmChains(), (moment, x) -> {
            float[][] points = points(x);
            film.add(() -> new Picture(moment, "The chains at " + moment, Figures.frame(domain, points)));
            last.add(Scope.detach(x.copy()));
        });
        for (Tensor frame : last.subList(0, last.size() - 1)) {
            frame.close();
        }
        try (Tensor end = last.get(last.size() - 1)) {
            return densities.times().isPresent()
                    ? end.copy()
                    : parts.sampler().draw(KEY.child(0), PICTURED_SAMPLES).x();
        }
    }

    /** The charts of what was logged. */
    static List<Curves> curves(List<MetricsLog.Line> metrics) {
        List<Curves> curves = new ArrayList<>();
        for (CurveGroup group : CurveGroup.ALL) {
            List<Series> series = new ArrayList<>();
            group.names().forEach((metric, label) -> {
                List<Series.Point> points = metrics.stream()
                        .filter(line -> line.values().containsKey(metric))
                        .map(line -> new Series.Point(line.step(), line.values().getOrDefault(metric, Double.NaN)))
                        .toList();
                if (!points.isEmpty()) {
                    series.add(new Series(label, points));
                }
            });
            if (!series.isEmpty()) {
                curves.add(new Curves(group.title(), group.explanation(), series));
            }
        }
        return curves;
    }

    static double[][] rows(GridDensity grid) {
        int n = grid.cells();
        double[] logs = grid.logDensities();
        double[][] rows = new double[n][n];
        for (int i = 0; i < logs.length; i++) {
            rows[i / n][i % n] = Math.exp(logs[i]);
        }
        return rows;
    }

    /** Metrics that belong in one chart, with the names that people read. */
    private record CurveGroup(String title, String explanation, Map<String, String> names) {
        static final List<CurveGroup> ALL = List.of(
                new CurveGroup(
                        "How far the density is from the truth",
                        "KL(data‖model) in nats on a coarse grid at each checkpoint; 0 is perfect.",
                        Map.of("kl", "KL(data‖model)")),
                new CurveGroup(
                        "Data against samples",
                        "The mean of f at the data minus that at the model's samples. Healthy training keeps it near 0;"
                                + " a drift means that the sampler can't follow the model.",
                        Map.of("gap", "f₊ − f₋")),
                new CurveGroup(
                        "f at the data and at the samples",
                        "Only differences of f matter, so a common drift is harmless.",
                        ordered("f_positive", "f₊, at the data", "f_negative", "f₋, at the samples")),
                new CurveGroup(
                        "Loss and its parts",
                        "An EBM's loss is no measure of its quality: it should hover, not fall.",
                        ordered("loss", "loss", "l2", "weight on the squares")),
                new CurveGroup(
                        "Weights of the robust objective",
                        "GradScale is the share of the gradient that is used, w₊ the weight that a positive would have among"
                                + " the negatives: at a GradScale of 0 nothing is learnt.",
                        ordered("grad_scale", "GradScale, mean(1 − w₊)", "w_positive", "mean w₊", "beta", "β")),
                new CurveGroup(
                        "Negatives that count",
                        "The effective number of negatives, 1/Σw²: how many share the weight of the robust objective.",
                        Map.of("effective_negatives", "effective negatives")),
                new CurveGroup(
                        "Gradient",
                        "The length of the parameters' gradient before any limit.",
                        Map.of("gradient_norm", "norm of the gradient")),
                new CurveGroup(
                        "Acceptance",
                        "The share of the sampler's proposals that were accepted; about 0.6 is best for MALA.",
                        Map.of("acceptance", "acceptance")));

        /** Names and labels in turn. */
        private static Map<String, String> ordered(String... namesAndLabels) {
            Map<String, String> names = new LinkedHashMap<>();
            for (int i = 0; i < namesAndLabels.length; i += 2) {
                names.put(namesAndLabels[i], namesAndLabels[i + 1]);
            }
            return names;
        }
    }
}

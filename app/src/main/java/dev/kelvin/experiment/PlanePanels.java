package dev.kelvin.experiment;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.draw.Domain;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Scale;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.report.Film;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the report shows of a model of the plane: its density and its samples. */
public final class PlanePanels {
    /** The report's draws have a key of their own: looking at a run changes nothing in it. */
    private static final Key KEY = Purpose.REPORT.key();

    private static final int FILM_CHAINS = 2000;
    private static final int PICTURED_SAMPLES = 5_000;

    private final Path samples;
    private final PlaneJudge densities;
    private final Experiment experiment;
    private final Domain domain;

    /** Samples are written to that folder. */
    PlanePanels(Path samples, PlaneJudge densities) {
        this.samples = samples;
        this.densities = densities;
        this.experiment = densities.experiment();
        this.domain = domain(densities.toy());
    }

    /** Where the data's pictures are drawn. */
    public static Domain domain(ToyData toy) {
        Box box = toy.domain();
        return new Domain(box.xMin(), box.xMax(), box.yMin(), box.yMax());
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

    Judgement.Shown shown() throws IOException {
        List<Picture> density = drawn(densityPictures());
        List<Supplier<Picture>> frames = new ArrayList<>();
        List<Picture> points;
        try (Scope scope = Scope.open()) {
            Tensor drawn = draw(frames);
            Npy.write(samples.resolve("model.npy"), drawn);
            points = drawn(samplePictures(drawn));
        }
        List<Picture> film = drawn(frames);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                "What it learnt",
                new Pictures("The learnt density beside the true one.", density.subList(0, density.size() / 2)),
                new Pictures(
                        "Their logarithms, which show what the model believes where there is no data.",
                        density.subList(density.size() / 2, density.size()))));
        sections.add(new Section(
                "What it samples",
                new Pictures(
                        "Samples of the model beside as many of the data. "
                                + experiment.columns().samplesWords(experiment.recipe()),
                        points),
                new Film(
                        "How chains reach their samples: " + filmChains()
                                + experiment.columns().filmWords(),
                        film)));
        sections.addAll(densities.columns().sections());
        return new Judgement.Shown(
                sections,
                Map.of(
                        "density.png", () -> Pictures.sheet(2, density),
                        "samples.png", () -> Pictures.sheet(2, points),
                        "chain.png", () -> Pictures.sheet(4, film)));
    }

    /** Pictures, drawn at once where there are processors: encoding them takes longer than anything else here. */
    private static List<Picture> drawn(List<Supplier<Picture>> pictures) {
        return pictures.parallelStream().map(Supplier::get).toList();
    }

    private List<Supplier<Picture>> densityPictures() {
        double[][] model = rows(densities.model());
        double[][] reference = densities.truth().map(PlanePanels::rows).orElse(model);
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
        return () -> new Picture(caption, description, Drawings.density(domain, density, scale));
    }

    private List<Supplier<Picture>> samplePictures(Tensor drawn) {
        int count = (int) drawn.size(0);
        Tensor data = densities.toy().draw(KEY.child(2), count);
        List<Supplier<Picture>> pictures = new ArrayList<>();
        pictures.add(scatter(" samples of the data", "Scatter plot of the data", data));
        if (!experiment.sampler().negativesDiffer()) {
            pictures.add(scatter(" samples of the model", "Scatter plot of the model's samples", drawn));
            return pictures;
        }
        Tensor negatives = experiment
                .sampler()
                .drawNegatives(KEY.child(3), PICTURED_SAMPLES)
                .x();
        pictures.add(scatter(" samples of the model: chains on f", "Scatter plot of chains on f", drawn));
        pictures.add(scatter(
                " of training's negatives: chains on (1 − β)f", "Scatter plot of training's chains", negatives));
        return pictures;
    }

    private Supplier<Picture> scatter(String caption, String description, Tensor x) {
        float[][] points = points(x);
        return () -> new Picture(points.length + caption, description, Drawings.samples(domain, points));
    }

    /** Chains that are annealed through all columns take a long walk each, and those that push each other a dear one: fewer. */
    private int filmChains() {
        boolean dear = experiment.sampler().annealed() || experiment.kernel().interacts();
        return dear ? FILM_CHAINS / 2 : FILM_CHAINS;
    }

    /** Adds the film's frames, and tells the samples of the model: where it takes a film to make them, its last frame. */
    private Tensor draw(List<Supplier<Picture>> film) {
        List<Tensor> last = new ArrayList<>();
        experiment.sampler().film(KEY.child(1), filmChains(), (moment, x) -> {
            float[][] points = points(x);
            film.add(() -> new Picture(moment, "The chains at " + moment, Drawings.frame(domain, points)));
            last.add(Scope.detach(x.copy()));
        });
        for (Tensor frame : last.subList(0, last.size() - 1)) {
            frame.close();
        }
        try (Tensor end = last.get(last.size() - 1)) {
            return experiment.sampler().annealed()
                    ? end.copy()
                    : experiment.sampler().draw(KEY.child(0), PICTURED_SAMPLES).x();
        }
    }

    /** A grid as rows of densities, the lowest first. */
    public static double[][] rows(GridDensity grid) {
        int n = grid.cells();
        double[] logs = grid.logDensities();
        double[][] rows = new double[n][n];
        for (int i = 0; i < logs.length; i++) {
            rows[i / n][i % n] = Math.exp(logs[i]);
        }
        return rows;
    }
}

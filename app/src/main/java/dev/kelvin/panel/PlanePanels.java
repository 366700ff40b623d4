package dev.kelvin.panel;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Scale;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.PlaneJudge;
import dev.kelvin.judge.ReportSamples;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What the report shows of a model of the plane: its density and its samples. */
public record PlanePanels(PlaneJudge densities, Box domain) implements Panels {
    PlanePanels(PlaneJudge densities) {
        this(densities, densities.toy().domain());
    }

    /** The points of a tensor [n, 2]. */
    public static float[][] points(Tensor x) {
        return points(x.toFloats());
    }

    private static float[][] points(float... flat) {
        return IntStream.range(0, flat.length / 2)
                .mapToObj(i -> new float[] {flat[2 * i], flat[2 * i + 1]})
                .toArray(float[][]::new);
    }

    @Override
    public Shown show(Path folder, Evaluation evaluation) throws IOException {
        List<Picture> density = drawn(densityPictures());
        int compared = densities.truth().isPresent() ? 4 : 2; // the map of differences comes last
        ReportSamples samples = densities.samples();
        try (Scope scope = Scope.open()) {
            Npy.write(folder.resolve("model.npy"), samples.model().tensor());
        }
        List<Picture> points = drawn(samplePictures(samples));
        List<Picture> film = drawn(samples.film().stream()
                .<Supplier<Picture>>map(frame -> () -> frame(frame))
                .toList());
        List<Section> sections = new ArrayList<>();
        List<Block> learnt = new ArrayList<>();
        learnt.add(new Pictures(
                densities.truth().isPresent() ? "The learnt density beside the true one." : "The learnt density.",
                density.subList(0, compared / 2)));
        learnt.add(new Pictures(
                "The logarithm, which shows what the model believes where there is no data.",
                density.subList(compared / 2, compared)));
        if (density.size() > compared) {
            learnt.add(new Pictures(
                    "Where the model has too much (green) and too little (purple).",
                    density.subList(compared, density.size())));
        }
        sections.add(new Section("What it learnt", learnt));
        sections.add(new Section(
                "What it samples",
                new Pictures(
                        "Samples of the model beside as many of the data. "
                                + densities.components().samplesWords(),
                        points),
                new Film(
                        "How chains reach their samples: "
                                + samples.film().get(0).x().count()
                                + densities.components().filmWords(),
                        film)));
        sections.addAll(ComponentPanels.of(densities.components()));
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        files.put("density.png", () -> Pictures.sheet(2, density.subList(0, compared)));
        if (density.size() > compared) {
            files.put("difference.png", density.get(compared)::png);
        }
        files.put("samples.png", () -> Pictures.sheet(2, points));
        files.put("chain.png", () -> Pictures.sheet(4, film));
        return new Shown(sections, files);
    }

    /** Pictures, drawn at once where there are processors: encoding them takes longer than anything else here. */
    private static List<Picture> drawn(List<Supplier<Picture>> pictures) {
        return pictures.parallelStream().map(Supplier::get).toList();
    }

    private List<Supplier<Picture>> densityPictures() {
        double[][] model = rows(densities.model());
        Optional<double[][]> truth = densities.truth().map(PlanePanels::rows);
        double[][] reference = truth.orElse(model);
        Scale linear = Scale.linear(reference);
        Scale log = Scale.log(reference);
        List<Supplier<Picture>> pictures = new ArrayList<>();
        truth.ifPresent(
                known -> pictures.add(density("True density", "Heat map of the data's density", known, linear)));
        pictures.add(density("Learnt density", "Heat map of the model's density", model, linear));
        truth.ifPresent(known -> pictures.add(
                density("True density, logarithm", "Heat map of the logarithm of the data's density", known, log)));
        pictures.add(
                density("Learnt density, logarithm", "Heat map of the logarithm of the model's density", model, log));
        truth.ifPresent(known -> pictures.add(() -> difference(model, known)));
        return pictures;
    }

    /** A map of learnt minus true density; its colours end at the largest difference. */
    private Picture difference(double[][] model, double[][] reference) {
        double[][] difference = new double[model.length][];
        double reach = 0;
        for (int i = 0; i < model.length; i++) {
            double[] row = model[i].clone();
            for (int j = 0; j < row.length; j++) {
                row[j] -= reference[i][j];
                reach = Double.isFinite(row[j]) ? Math.max(reach, Math.abs(row[j])) : reach;
            }
            difference[i] = row;
        }
        return new Picture(
                "Learnt − true density",
                "Map of the learnt minus the true density",
                Drawings.difference(domain, difference, reach > 0 ? reach : 1));
    }

    private Supplier<Picture> density(String caption, String description, double[][] density, Scale scale) {
        return () -> new Picture(caption, description, Drawings.density(domain, density, scale));
    }

    private List<Supplier<Picture>> samplePictures(ReportSamples samples) {
        boolean differ = samples.negatives().isPresent();
        List<Supplier<Picture>> pictures = new ArrayList<>();
        Drawn data = densities.data(samples.model().count());
        pictures.add(scatter(" samples of the data", "Scatter plot of the data", data));
        String plot = differ ? "Scatter plot of chains on f" : "Scatter plot of the model's samples";
        pictures.add(scatter(" samples of the model" + (differ ? ": chains on f" : ""), plot, samples.model()));
        String negatives = " of training's negatives: chains on (1 − β)f";
        samples.negatives()
                .ifPresent(chains -> pictures.add(scatter(negatives, "Scatter plot of training's chains", chains)));
        return pictures;
    }

    private Supplier<Picture> scatter(String caption, String description, Drawn x) {
        float[][] points = points(x.values());
        return () -> new Picture(
                points.length + caption + outside(domain, points), description, Drawings.samples(domain, points));
    }

    private Picture frame(ReportSamples.Frame frame) {
        float[][] points = points(frame.x().values());
        long outside = countOutside(domain, points);
        String caption = outside == 0 ? frame.moment() : frame.moment() + ", " + outside + " outside";
        return new Picture(caption, "The chains at " + frame.moment(), Drawings.frame(domain, points));
    }

    @Override
    public Picture picture(String caption) {
        double[][] density = rows(densities.model());
        Scale scale = Scale.linear(densities.truth().map(PlanePanels::rows).orElse(density));
        return new Picture(caption, "Heat map of the density of " + caption, Drawings.density(domain, density, scale));
    }

    /** How many of the points a picture does not show, after a comma; nothing where it shows all. */
    public static String outside(Box domain, float[][] points) {
        long outside = countOutside(domain, points);
        return outside == 0
                ? ""
                : ", of which " + Numbers.forPeople((double) outside) + (outside == 1 ? " lies" : " lie")
                        + " outside the picture";
    }

    /** A point that is not finite is outside too. */
    private static long countOutside(Box domain, float[][] points) {
        return Arrays.stream(points)
                .filter(point -> !(point[0] >= domain.xMin()
                        && point[0] <= domain.xMax()
                        && point[1] >= domain.yMin()
                        && point[1] <= domain.yMax()))
                .count();
    }

    /** A grid as rows of densities, the lowest first. */
    public static double[][] rows(GridDensity grid) {
        int n = grid.cells();
        double[] logs = grid.logDensities();
        return IntStream.range(0, n)
                .mapToObj(i ->
                        Arrays.stream(logs, i * n, (i + 1) * n).map(Math::exp).toArray())
                .toArray(double[][]::new);
    }
}

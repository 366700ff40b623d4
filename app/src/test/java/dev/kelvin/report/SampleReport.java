package dev.kelvin.report;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Scale;
import dev.kelvin.draw.Series;
import dev.kelvin.math.Box;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.report.Block.Facts;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** A made-up run on rings, for tests and for eyes: {@code main} writes it to a folder. */
final class SampleReport {
    static final Box DOMAIN = Box.square(0, 0, 3);
    private static final int GRID = 256;
    private static final double[] RADII = {0.7, 1.4, 2.1};
    private static final int STEPS = 2000;

    private SampleReport() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        long start = System.nanoTime();
        Report report = make();
        report.write(folder.resolve("report.html"));
        System.err.println("report: " + (System.nanoTime() - start) / 1_000_000 + " ms");
        Pictures.sheet(2, densities(Scale.linear(rings(0.1, 0)))).write(folder.resolve("density.png"));
        Drawings.samples(DOMAIN, samples(20_000, 1)).write(folder.resolve("samples.png"));
        Pictures.sheet(6, frames()).write(folder.resolve("chain.png"));
        loss().drawn().file().write(folder.resolve("curves.png"));
        System.err.println("all: " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    static Report make() {
        List<Measure> measures = List.of(
                new Measure(
                        "KL divergence",
                        0.0342,
                        "How many nats of surprise the model adds to each data point; 0 is perfect, below 0.05 is hard to see.",
                        Verdict.GOOD),
                new Measure(
                        "Total variation",
                        0.118,
                        "The share of probability that lies in the wrong place, from 0 (none) to 1 (all).",
                        Verdict.FAIR),
                new Measure(
                        "Samples' total variation",
                        0.31,
                        "The same for samples' histogram; with 20 000 samples even a perfect model shows 0.06.",
                        Verdict.POOR),
                new Measure("Parameters", 12_417, "How many numbers were learnt.", Verdict.NONE));
        double[][] truth = rings(0.1, 0);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Version", "0.1.0-SNAPSHOT");
        facts.put("Commit", "bc2b7e8f0a6c1c1c94d3fd2d5d8e3a3c5b7e9f10");
        facts.put("Seed", "42");
        facts.put("Machine", "2 × Intel Xeon, 8 GB, Linux 6.1, Java 17.0.15");
        facts.put("Data", "rings, fresh samples at each step");
        return new Report(
                "rings",
                "A small network learnt the three rings in 58 s: its density is close to the true one.",
                measures.subList(0, 3),
                List.of("The short-run samples are worse than the density: the sampler does not converge in 20 steps; "
                        + "try negatives.steps=60."),
                List.of(
                        new Section(
                                "What was trained",
                                new Paragraphs("An energy-based model gives every point of the plane a number, f, that"
                                        + " is high where data are likely. Here f is a small neural network with"
                                        + " layers of 32, 64, 64 and 64 units. It was trained by contrastive"
                                        + " divergence: f is raised at data and lowered where a short Langevin chain,"
                                        + " started from noise, ends up.")),
                        new Section(
                                "What it learnt",
                                new Pictures(
                                        "Brighter is more likely. Both pictures share one scale, so that equal colours mean"
                                                + " equal densities.",
                                        densities(Scale.linear(truth))),
                                new Pictures(
                                        "The logarithm of the same densities shows what lies between the rings.",
                                        densities(Scale.log(truth))),
                                new Pictures(
                                        "Twenty thousand points each; 3 of the model's lie outside the picture.",
                                        new Picture(
                                                "samples of the model",
                                                "Points on three rings, somewhat blurred",
                                                Drawings.samples(DOMAIN, samples(20_000, 1))),
                                        new Picture(
                                                "data",
                                                "Points on three rings",
                                                Drawings.samples(DOMAIN, samples(20_000, 2))))),
                        new Section(
                                "From noise to data",
                                new Film("Two thousand chains start as noise and climb f step by step.", frames())),
                        new Section("How training went", loss(), gap(), temperature(), acceptance()),
                        new Section("Figures of merit", TableBlock.of("Measured on the final model.", measures)),
                        new Section(
                                "Where this comes from",
                                new Facts(facts),
                                new Fold(
                                        "The recipe, with every default written out",
                                        "name: rings\ndata: {toy: rings}\nmodel: {mlp: {hidden: [32, 64, 64, 64]}}\n",
                                        List.of()))));
    }

    static List<Picture> densities(Scale scale) {
        return List.of(
                new Picture(
                        "learnt",
                        "Heat map of the learnt density: three rings",
                        Drawings.density(DOMAIN, rings(0.12, 0.004), scale)),
                new Picture(
                        "true",
                        "Heat map of the true density: three rings",
                        Drawings.density(DOMAIN, rings(0.1, 0), scale)));
    }

    static List<Picture> frames() {
        float[][] end = samples(2000, 3);
        Random noise = new Random(4);
        float[][] start = new float[end.length][2];
        for (float[] point : start) {
            point[0] = (float) (1.2 * noise.nextGaussian());
            point[1] = (float) (1.2 * noise.nextGaussian());
        }
        List<Picture> frames = new ArrayList<>();
        for (int frame = 0; frame < 12; frame++) {
            float share = frame / 11f;
            float[][] now = new float[end.length][2];
            for (int i = 0; i < now.length; i++) {
                for (int d = 0; d < 2; d++) {
                    now[i][d] = (1 - share) * start[i][d] + share * end[i][d];
                }
            }
            String caption = "step " + frame * 5;
            frames.add(new Picture(caption, "Two thousand points at " + caption, Drawings.frame(DOMAIN, now)));
        }
        return frames;
    }

    static Curves loss() {
        return new Curves(
                "Loss and its parts",
                "The loss of an energy-based model hovers around zero; it does not measure progress.",
                List.of(
                        curve("loss", 5, t -> 2 * Math.exp(-4 * t), 0.4),
                        curve("contrast", 6, t -> 1.5 * Math.exp(-4 * t), 0.3),
                        curve("weight on squares", 7, t -> 0.5 * Math.exp(-2 * t), 0.05)));
    }

    static Curves gap() {
        return new Curves(
                "f of data minus f of samples",
                "Near zero when the sampler keeps up with the model; growing without bound means divergence.",
                List.of(curve("f₊ − f₋", 8, t -> Math.exp(-3 * t), 0.2)));
    }

    private static Curves temperature() {
        return new Curves(
                "Sampler's temperature",
                "Should settle at 1.",
                List.of(curve("measured", 9, t -> 1 + Math.exp(-5 * t), 0.02), curve("wanted", 9, t -> 1, 0)));
    }

    private static Curves acceptance() {
        double[] values = new double[STEPS];
        for (int i = 0; i < STEPS; i++) {
            values[i] = i > 800 && i < 1000 ? Double.NaN : 0.6 + 0.1 * Math.sin(i / 200.0);
        }
        return new Curves(
                "Acceptance",
                "The share of proposals that were taken.",
                List.of(Series.of("acceptance", values, i -> 10.0 * i)));
    }

    private static Series curve(String name, long seed, DoubleUnaryOperator shape, double noise) {
        Random random = new Random(seed);
        double[] values = new double[STEPS];
        for (int i = 0; i < STEPS; i++) {
            values[i] = shape.applyAsDouble((double) i / STEPS) + noise * random.nextGaussian();
        }
        return Series.of(name, values, i -> 10.0 * i);
    }

    static float[][] samples(int count, long seed) {
        Random random = new Random(seed);
        float[][] points = new float[count][2];
        for (float[] point : points) {
            double radius = RADII[random.nextInt(RADII.length)] + 0.1 * random.nextGaussian();
            double angle = 2 * Math.PI * random.nextDouble();
            point[0] = (float) (radius * Math.cos(angle));
            point[1] = (float) (radius * Math.sin(angle));
        }
        return points;
    }

    static double[][] rings(double width, double floor) {
        double[][] density = new double[GRID][GRID];
        for (int row = 0; row < GRID; row++) {
            for (int column = 0; column < GRID; column++) {
                double x = -3 + 6 * (column + 0.5) / GRID;
                double y = -3 + 6 * (row + 0.5) / GRID;
                double r = Math.hypot(x, y);
                double sum = floor;
                for (double radius : RADII) {
                    double z = (r - radius) / width;
                    sum += Math.exp(-z * z / 2) / (width * Math.sqrt(2 * Math.PI)) / (3 * 2 * Math.PI * radius);
                }
                density[row][column] = sum;
            }
        }
        return density;
    }
}

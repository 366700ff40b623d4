package com.example.kelvin;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.model.Model;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Loads runs, of {@code kelvin train} or of Java, and scores points, or images, with each. */
public final class E3ScoreRun {
    private E3ScoreRun() {}

    /** Points in double; f is unnormalised, and log p is known where the run was judged and its normaliser could be. */
    public static double[] scorePoints(Model model, double[][] points) {
        return model.isNormalised() ? model.logLikelihood(points) : model.score(points);
    }

    /** The share of images whose likeliest class is the right one; the model knows their range of pixels, and checks their size. */
    public static double accuracy(Model model, ImageSet images) {
        int[] predicted = model.classify(images);
        long right = IntStream.range(0, predicted.length)
                .filter(i -> predicted[i] == images.label(i))
                .count();
        return (double) right / predicted.length;
    }

    /** {@code E3ScoreRun runs/moons runs/digits}: each as what it was trained on. */
    public static void main(String[] runs) throws IOException {
        for (String run : runs) {
            try (Model model = Model.load(Path.of(run));
                    ImageSet digits = Digits.load()) { // ImageFiles.read(path) reads your own
                if (model.range().isEmpty()) {
                    double[] scores = scorePoints(model, new double[][] {{0, 1}, {2, 2}});
                    System.out.println(run + ": " + Arrays.toString(scores));
                } else {
                    double f = Arrays.stream(model.score(digits)).average().orElseThrow();
                    System.out.println(run + ": mean f " + f + ", accuracy " + accuracy(model, digits));
                }
            }
        }
    }
}

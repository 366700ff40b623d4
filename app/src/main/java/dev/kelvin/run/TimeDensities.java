package dev.kelvin.run;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A time-joint model's density at every time, p(z|t), normalised on one grid that holds them all, and the truth at some
 * times, where it is known. As the model is meant to be normalised by itself, every log Z should be 0.
 */
public record TimeDensities(List<GridDensity> model, Map<Integer, GridDensity> truth, TimeView view) {
    /** Cells a side: enough for the toys' narrowest noise, and 256 times fit into memory. */
    private static final int CELLS = 128;

    /** Times at which the truth is looked at; it may be an integral at every cell. */
    private static final int LOOKS = 7;

    /** Of the reference, in standard deviations, that the grid holds. */
    private static final double REACH = 4.5;

    static Optional<TimeDensities> of(Experiment parts, Device device) {
        if (!(parts.learner() instanceof TimeLearner learner)) {
            return Optional.empty();
        }
        TimeEnergy energy = (TimeEnergy) learner.model();
        Box box = around(parts.toy().domain(), energy);
        double shift = Math.log(energy.times());
        List<GridDensity> model = GridDensity.each(
                z -> energy.joint(learner.averaged(), z).plus(shift), energy.times(), box, CELLS, DType.FLOAT, device);
        Map<Integer, GridDensity> truth = new TreeMap<>();
        for (int t : looks(energy.times())) {
            truth(parts.toy(), learner, energy, t)
                    .ifPresent(density -> truth.put(t, GridDensity.of(density, box, CELLS, DType.FLOAT, Device.CPU)));
        }
        try (Scope scope = Scope.open()) {
            return Optional.of(new TimeDensities(model, truth, TimeView.of(parts, learner, points(parts, energy))));
        }
    }

    /** The true density of z at a time: of αx + β(m + σξ). */
    private static Optional<LogDensity> truth(ToyData data, TimeLearner learner, TimeEnergy energy, int t) {
        double beta = 1 - learner.alpha(t);
        double[] shift = new double[data.dimension()];
        for (int i = 0; i < energy.mean().size(); i++) {
            shift[i] = beta * energy.mean().get(i);
        }
        return data.mixed(learner.alpha(t), shift, beta * energy.std());
    }

    private static Box around(Box domain, TimeEnergy energy) {
        double x = energy.mean().isEmpty() ? 0 : energy.mean().get(0);
        double y = energy.mean().isEmpty() ? 0 : energy.mean().get(1);
        double reach = REACH * energy.std();
        return new Box(
                Math.min(domain.xMin(), x - reach),
                Math.max(domain.xMax(), x + reach),
                Math.min(domain.yMin(), y - reach),
                Math.max(domain.yMax(), y + reach));
    }

    /** Times spread evenly from the first to the last. */
    static List<Integer> looks(int times) {
        int count = Math.min(LOOKS, times);
        return IntStream.range(0, count)
                .map(i -> (int) Math.round((double) i * (times - 1) / (count - 1)))
                .boxed()
                .toList();
    }

    /** Two samples of the data, the reference's centre, and twice its width from there. */
    private static Map<String, Tensor> points(Experiment parts, TimeEnergy energy) {
        Tensor noise = parts.starts().draw(Key.of(0), 1); // for its place
        float[] data = parts.toy().draw(Key.of(0).child(1), 2).toFloats();
        float centre = energy.mean().isEmpty() ? 0 : energy.mean().get(0).floatValue();
        float middle = energy.mean().isEmpty() ? 0 : energy.mean().get(1).floatValue();
        float[] points = {data[0], data[1], data[2], data[3], centre, middle, centre + 2 * (float) energy.std(), middle
        };
        Map<String, Tensor> named = new LinkedHashMap<>();
        for (int i = 0; i < points.length; i += 2) {
            named.put(
                    String.format(Locale.ROOT, "z = (%.2f, %.2f)", points[i], points[i + 1]),
                    Tensors.of(new float[] {points[i], points[i + 1]}, 1, 2).to(noise.device()));
        }
        return named;
    }

    /** The square that holds the densities of all times. */
    public Box box() {
        return model.get(0).box();
    }

    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        double worst = model.stream()
                .mapToDouble(grid -> Math.abs(grid.logNormaliser()))
                .max()
                .orElseThrow();
        figures.put("log_z_max", worst);
        figures.put("log_z_last", model.get(model.size() - 1).logNormaliser());
        figures.putAll(view.figures());
        List<Double> distances = new ArrayList<>();
        truth.forEach((t, grid) -> distances.add(grid.klTo(model.get(t))));
        distances.stream().mapToDouble(Double::doubleValue).average().ifPresent(mean -> figures.put("kl_mean", mean));
        return figures;
    }
}

package dev.kelvin.run;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Study;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.ParticleSets;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs a study's chains on a model, and measures how well the sets of them agree. */
final class ChainRunFigures {
    /** Draws of each chain that are kept for the report's pictures. */
    private static final int PICTURED = 250;

    private ChainRunFigures() {}

    /** The figures of chains; the draws of their first set are kept in a file. */
    static Map<String, Double> of(Key key, Study.Walked walk, Experiment experiment, Path draws) throws IOException {
        Key[] keys = key.split(2);
        LogDensity density = experiment.model().densityFor(walk.kernel());
        int half = walk.steps() / 2;
        Chains chains;
        try (Scope scope = Scope.open()) {
            Tensor start =
                    experiment.model().starts().draw(keys[0], Memory.array(Float.BYTES, walk.chains(), walk.sets()));
            Kernel<?> kernel = ParticleSets.of(walk.kernel(), walk.chains());
            chains = Chains.run(keys[1], kernel, density, start, new Chains.Length(half, walk.steps() - half, 1));
        }
        Trace trace = chains.trace();
        double[] classic = new double[walk.sets()];
        double[] rank = new double[walk.sets()];
        double[] size = new double[walk.sets()];
        Arrays.fill(size, Double.POSITIVE_INFINITY);
        for (int i = 0; i < trace.coordinates(); i++) {
            double[][] all = trace.coordinate(i);
            for (int set = 0; set < walk.sets(); set++) {
                double[][] ten = Arrays.copyOfRange(all, set * walk.chains(), (set + 1) * walk.chains());
                classic[set] = Math.max(classic[set], Rhat.classic(ten));
                rank[set] = Math.max(rank[set], Rhat.rankNormalised(ten).max());
                size[set] = Math.min(size[set], EffectiveSampleSize.bulk(ten));
            }
        }
        keep(draws, trace, walk.chains());
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Rhat.RHAT.name(), quantile(classic, 0.5));
        figures.put(Rhat.RHAT_LOW.name(), quantile(classic, 0.1));
        figures.put(Rhat.RHAT_HIGH.name(), quantile(classic, 0.9));
        figures.put(Rhat.RANK_RHAT.name(), quantile(rank, 0.5));
        figures.put(EffectiveSampleSize.ESS.name(), quantile(size, 0.5));
        chains.acceptance().ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
        return figures;
    }

    private static void keep(Path file, Trace trace, int chains) throws IOException {
        int every = Math.max(1, trace.draws() / PICTURED);
        int draws = (trace.draws() + every - 1) / every;
        float[] kept = new float[draws * chains * trace.coordinates()];
        for (int i = 0; i < trace.coordinates(); i++) {
            double[][] values = trace.coordinate(i);
            for (int at = 0; at < draws * chains; at++) {
                kept[at * trace.coordinates() + i] = (float) values[at % chains][at / chains * every];
            }
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (Scope scope = Scope.open()) {
            Npy.write(file, Tensors.of(kept, draws, chains, trace.coordinates()));
        }
    }

    /** The value below which that share lies; infinite values are kept, one that is not a number makes it so. */
    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted); // NaN comes last
        double at = share * (sorted.length - 1);
        double low = sorted[(int) Math.floor(at)];
        double high = sorted[(int) Math.ceil(at)];
        return Double.isNaN(sorted[sorted.length - 1])
                ? Double.NaN
                : low == high ? low : low + (at - Math.floor(at)) * (high - low);
    }
}

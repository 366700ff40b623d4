package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * What chains visited, in bounded memory: when {@code most} draws are held, every second one is dropped and from then on
 * only every second offered one is kept. So the draws are always evenly spaced and cover the whole run.
 */
public final class Trace {
    private final int most;
    private final List<float[]> draws = new ArrayList<>(); // each [chains, coordinates]
    private int chains;
    private int stride = 1;
    private long offered;

    public Trace(int most) {
        this.most = Math.toIntExact(Check.atLeast("most", most, 2));
    }

    /** Offers the chains' positions, [chains, ...]. */
    public void add(Tensor x) {
        chains = Math.toIntExact(x.size(0));
        if (offered++ % stride != 0) {
            return;
        }
        if (draws.size() == most) {
            halve();
            if ((offered - 1) % stride != 0) {
                return;
            }
        }
        draws.add(x.toFloats());
    }

    private void halve() {
        List<float[]> kept = new ArrayList<>();
        for (int i = 0; i < draws.size(); i += 2) {
            kept.add(draws.get(i));
        }
        draws.clear();
        draws.addAll(kept);
        stride *= 2;
    }

    /** Every how many offered draws one is held. */
    public int stride() {
        return stride;
    }

    public int draws() {
        return draws.size();
    }

    public int chains() {
        return chains;
    }

    public int coordinates() {
        return draws.isEmpty() ? 0 : draws.get(0).length / Math.max(1, chains);
    }

    /** One coordinate of all chains, [chain][draw], as the diagnostics want it. */
    public double[][] coordinate(int coordinate) {
        int width = coordinates();
        double[][] values = new double[chains][draws.size()];
        for (int draw = 0; draw < draws.size(); draw++) {
            for (int chain = 0; chain < chains; chain++) {
                values[chain][draw] = draws.get(draw)[chain * width + coordinate];
            }
        }
        return values;
    }

    /** The chains of several traces of equal length, side by side. */
    static Trace beside(List<Trace> traces) {
        Trace all = new Trace(traces.get(0).most);
        all.stride = traces.get(0).stride;
        all.offered = traces.get(0).offered;
        all.chains = traces.stream().mapToInt(Trace::chains).sum();
        for (int draw = 0; draw < traces.get(0).draws(); draw++) {
            float[] row = new float[all.chains * traces.get(0).coordinates()];
            int at = 0;
            for (Trace trace : traces) {
                float[] part = trace.draws.get(draw);
                System.arraycopy(part, 0, row, at, part.length);
                at += part.length;
            }
            all.draws.add(row);
        }
        return all;
    }
}

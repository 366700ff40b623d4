package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Learns nothing: its parameters count the steps, its reports are what the test wants. */
public final class FakeLearner implements Learner {
    /** What a step reports as its gap; {@code visit} counts how often this step was tried before. */
    @FunctionalInterface
    public interface Script {
        double gap(long step, int visit);
    }

    private final Parameters parameters = TinyRun.MODEL.layout().init(Key.of(1), DType.FLOAT);
    private final Script script;
    public final List<Long> steps = new ArrayList<>();
    public final List<Key> keys = new ArrayList<>();

    /** The step whose update, the first time, makes the parameters infinite. */
    public long breaksAt = -1;

    public FakeLearner(Script script) {
        this.script = script;
        parameters.flat().timesInPlace(0);
    }

    /** How many steps are in the parameters. */
    public double count() {
        return parameters.flat().max().item();
    }

    @Override
    public StepReport step(Key key, long step, Batch positives) {
        int visit = (int) steps.stream().filter(done -> done == step).count();
        steps.add(step);
        keys.add(key);
        parameters.flat().addNumberInPlace(1);
        if (step == breaksAt && visit == 0) {
            parameters.flat().timesInPlace(Double.POSITIVE_INFINITY);
        }
        double gap = script.gap(step, visit);
        return new StepReport(Map.of("loss", -gap, "gap", gap));
    }

    @Override
    public EnergyModel model() {
        return TinyRun.MODEL;
    }

    @Override
    public Parameters averaged() {
        return parameters;
    }

    @Override
    public void save(State state) {
        state.put("parameters", parameters.flat());
    }

    @Override
    public void load(State state) {
        state.restore("parameters", parameters.flat());
    }

    @Override
    public void close() {
        parameters.close();
    }
}

package dev.kelvin.energy;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import java.util.List;
import java.util.stream.Stream;

/** Models of points in the plane with several components: classes, and times in every form. */
public final class JointDensities {
    static final int TIMES = 5;
    static final double STD = 0.7;
    static final List<Double> MEAN = List.of(0.5, -1.0);

    public static final EnergyModel CLASSES =
            new EnergyModel(new Mlp(2, List.of(6, 5), 3, Activation.SILU, 0), new LogitHead(3));

    private JointDensities() {}

    /** With so many outputs as the head takes. */
    public static EnergyModel times(List<Double> mean, boolean cumulative, boolean pinned) {
        return times(new Timeline(TIMES, mean, STD, cumulative, pinned));
    }

    private static EnergyModel times(Timeline timeline) {
        return new EnergyModel(new Mlp(2, List.of(8), timeline.outputs(), Activation.TANH, 0), timeline);
    }

    /** As the paper prints it (base FIRST, not scaled) and its ablations. */
    private static EnergyModel printed(boolean cumulative, boolean scaled, Timeline.Base base) {
        return times(new Timeline(
                TIMES, MEAN, STD, cumulative, scaled, base, base != Timeline.Base.NONE, Timeline.Mixing.COSINE));
    }

    /** Every form of the head. */
    public static Stream<EnergyModel> timelines() {
        Network deep = new ResidualMlp(2, 8, 2, TIMES - 1, Activation.SILU, 0);
        return Stream.of(
                times(List.of(), true, true),
                times(MEAN, false, true),
                times(MEAN, true, false),
                times(List.of(), false, false),
                printed(true, false, Timeline.Base.EVERY),
                printed(true, false, Timeline.Base.FIRST),
                printed(true, true, Timeline.Base.FIRST),
                printed(false, true, Timeline.Base.FIRST),
                printed(true, false, Timeline.Base.NONE),
                printed(true, true, Timeline.Base.NONE),
                printed(false, true, Timeline.Base.NONE),
                new EnergyModel(deep, new Timeline(TIMES, MEAN, STD, true, true)));
    }

    static Stream<EnergyModel> all() {
        return Stream.concat(Stream.of(CLASSES), timelines());
    }

    /** Sharp ones, so that the components differ. */
    public static Parameters parameters(EnergyModel model) {
        Parameters parameters = model.layout().init(Key.of(1), DType.DOUBLE);
        parameters.flat().timesInPlace(3);
        return parameters;
    }
}

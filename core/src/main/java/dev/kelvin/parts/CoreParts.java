package dev.kelvin.parts;

import dev.kelvin.PartProvider;
import dev.kelvin.negative.Start;
import dev.kelvin.objective.Columned;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.GradientDescent;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.Svgd;
import dev.kelvin.sample.TemperedMala;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ChannelsLast;
import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.FeatureNet;
import dev.kelvin.nn.Generator;
import dev.kelvin.nn.Igebm;
import dev.kelvin.nn.ImprovedCd;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.nn.Resnet;
import dev.kelvin.nn.ShortRun;
import dev.kelvin.nn.WideResnet;
import java.util.List;
import java.util.stream.Stream;

/** The library's own parts, in the order in which people want to see them. */
public final class CoreParts implements PartProvider {
    private static final List<?> KERNELS = List.of(
            Langevin.class,
            GradientDescent.class,
            Mala.class,
            TemperedMala.class,
            Psgld.class,
            Hmc.class,
            Svgd.class,
            ReplicaExchange.class,
            Decay.Polynomial.class,
            Decay.Cosine.class);

    private static final List<?> NETWORKS = List.of(
            Mlp.class,
            ResidualMlp.class,
            ShortRun.class,
            Igebm.class,
            ImprovedCd.class,
            WideResnet.class,
            Resnet.class,
            Generator.class,
            FeatureNet.class,
            ClassGains.class,
            Bfloat16.class,
            ChannelsLast.class);

    private static final List<?> OBJECTIVES = List.of(
            Contrastive.class,
            Robust.class,
            Columned.CdCe.class,
            Columned.JointCd.class,
            Columned.ConditionalCd.class,
            Columned.CrossEntropy.class,
            Columned.Columns.class);

    private static final List<?> OPTIMISERS = List.of(
            Sgd.class,
            Adam.class,
            Adamw.class,
            Schedule.Constant.class,
            Schedule.Step.class,
            Schedule.Milestones.class,
            Schedule.Exponential.class,
            Schedule.Cosine.class,
            Schedule.Linear.class);

    private static final List<?> STARTS =
            List.of(Start.GaussianStart.class, Start.UniformStart.class, Start.DataStart.class, Start.BatchStart.class);

    private static final List<?> TARGETS = List.of();

    private static final List<?> TOYS = List.of();

    private static final List<?> FORMATS = List.of();

    private static final List<?> AUGMENTATIONS = List.of();

    private static final List<?> FIGURES = List.of();

    @Override
    public List<?> parts() {
        return Stream.of(
                        KERNELS,
                        NETWORKS,
                        OBJECTIVES,
                        OPTIMISERS,
                        STARTS,
                        TARGETS,
                        TOYS,
                        FORMATS,
                        AUGMENTATIONS,
                        FIGURES)
                .<Object>flatMap(List::stream)
                .toList();
    }
}

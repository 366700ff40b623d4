package dev.kelvin.parts;

import dev.kelvin.PartProvider;
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
    private static final List<?> KERNELS = List.of();

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

    private static final List<?> OBJECTIVES = List.of();

    private static final List<?> OPTIMISERS = List.of();

    private static final List<?> STARTS = List.of();

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

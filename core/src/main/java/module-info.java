import org.jspecify.annotations.NullMarked;

/**
 * Energy-based models: training, samples and scores.
 *
 * <p>Begin with {@link dev.kelvin.model.Model} and {@link dev.kelvin.training.ModelTraining}. The other packages are for parts of
 * one's own, and for those who want a part by itself.
 */
@NullMarked
module dev.kelvin.core {
    requires java.desktop;
    requires org.apache.commons.statistics.distribution;
    requires org.bytedeco.cuda;
    requires org.bytedeco.javacpp;
    requires org.bytedeco.openblas;
    requires org.bytedeco.pytorch;
    requires static org.jspecify;
    requires org.slf4j;
    requires de.siegmar.fastcsv;
    requires transitive com.fasterxml.jackson.annotation;
    requires transitive tools.jackson.databind;

    exports dev.kelvin.model;
    exports dev.kelvin.model.condition;
    exports dev.kelvin.training;
    exports dev.kelvin.data.augment;
    exports dev.kelvin.data.format;
    exports dev.kelvin.data.image;
    exports dev.kelvin.data.table;
    exports dev.kelvin.data.table.scale;
    exports dev.kelvin.data.toy;
    exports dev.kelvin.diagnostic;
    exports dev.kelvin.distributed;
    exports dev.kelvin.energy;
    exports dev.kelvin.energy.analytic;
    exports dev.kelvin.math;
    exports dev.kelvin.metric;
    exports dev.kelvin.metric.figure;
    exports dev.kelvin.metric.image;
    exports dev.kelvin.negative;
    exports dev.kelvin.nn;
    exports dev.kelvin.nn.conv;
    exports dev.kelvin.objective;
    exports dev.kelvin.optim;
    exports dev.kelvin.part;
    exports dev.kelvin.sample;
    exports dev.kelvin.sample.anneal;
    exports dev.kelvin.sample.chain;
    exports dev.kelvin.sample.posterior;
    exports dev.kelvin.sample.warmup;
    exports dev.kelvin.tensor;
    exports dev.kelvin.tensor.file;
    exports dev.kelvin.train;
    exports dev.kelvin.train.checkpoint;
    exports dev.kelvin.train.latent;
    exports dev.kelvin.train.loop;

    uses dev.kelvin.part.PartProvider;

    provides dev.kelvin.part.PartProvider with
            dev.kelvin.parts.CoreParts;
}

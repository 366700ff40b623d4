package dev.kelvin.dataset;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.Loader;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.negative.Batch;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sets, and what brings batches of the first; others for the label term, where it has its own. */
record OpenedImages(ImageSets sets, Loader loader, Optional<Loader> labelled) {
    /** Bytes up to which a set is kept on the device: on a GPU CIFAR-10 whole. */
    private static final long RESIDENT = 1 << 28;

    /** The child of the data's key that decides the order of the label term's batches; a loader takes those from −1 on. */
    private static final long LABELLED = -2;

    static OpenedImages of(ImageSettings spec, Key key, Device device) {
        ImageSets sets = ImageSets.of(spec);
        try {
            Loader loader = new Loader(key, sets.train(), options(spec, spec.augment(), sets.train(), device));
            Optional<Loader> labelled = spec.labelled()
                    .map(own -> new Loader(
                            key.child(LABELLED), sets.train(), options(spec, own.augment(), sets.train(), device)));
            return new OpenedImages(sets, loader, labelled);
        } catch (RuntimeException e) {
            sets.close();
            throw e;
        }
    }

    /** Both loaders' batches of a step, before any noise. */
    Batch batch(long step, int count) {
        Batch batch = new Batch(loader.batch(step, count), loader.labels(step, count));
        return labelled.map(other -> batch.labelledBy(new Batch(other.batch(step, count), other.labels(step, count))))
                .orElse(batch);
    }

    void close() {
        loader.close();
        labelled.ifPresent(Loader::close);
        sets.close();
    }

    private static Loader.Options options(
            ImageSettings spec, List<Augmentation> augment, ImageSet train, Device device) {
        long bytes = train.pixels().count() * (device.cuda() ? 1 : Float.BYTES); // as the loader keeps them
        List<Augmentation> changes = new ArrayList<>(augment);
        if (spec.dequantise()) {
            changes.add(new Dequantisation(train.maximum()));
        }
        return new Loader.Options(
                new PixelRange(spec.low(), spec.high()),
                changes.isEmpty() ? Optional.empty() : Optional.of(new Augmentation.InTurn(changes)),
                device,
                true,
                bytes <= RESIDENT);
    }
}

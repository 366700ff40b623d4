package dev.kelvin.dataset;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Training images by chance, and of classes that are asked for. */
final class ClassDraws implements SampleSource {
    private final ImageDataset data;
    private final List<List<Integer>> imagesOf = new ArrayList<>();

    /** Refuses images without classes. */
    ClassDraws(ImageDataset data) {
        ImageSet set = data.train();
        if (!set.labelled() || set.classes().size() < 2) {
            throw new UserException("the images of " + set.name()
                    + (set.labelled() ? " are all of one class" : " have no labels")
                    + ", and the recipe asks for classes; leave 'classes' out");
        }
        this.data = data;
        set.classes().forEach(name -> imagesOf.add(new ArrayList<>()));
        for (int i = 0; i < set.count(); i++) {
            imagesOf.get(set.label(i)).add(i);
        }
        for (int label = 0; label < imagesOf.size(); label++) {
            if (imagesOf.get(label).isEmpty()) {
                throw new UserException("no training image of " + set.name() + " is of the class "
                        + set.classes().get(label) + ", and the recipe asks for classes; number them from 0 without"
                        + " gaps");
            }
        }
    }

    @Override
    public Tensor draw(Key key, int count) {
        return data.draws().draw(key, count);
    }

    @Override
    public Tensor drawGiven(Key key, long... labels) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(3);
            RandomGenerator random = keys[0].stream();
            long[] drawn = Arrays.stream(labels)
                    .map(label -> {
                        List<Integer> images = imagesOf.get((int) label);
                        return images.get(random.nextInt(images.size()));
                    })
                    .toArray();
            return scope.keep(data.drawn(keys[1], keys[2], drawn));
        }
    }
}

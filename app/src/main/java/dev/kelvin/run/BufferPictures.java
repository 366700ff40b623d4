package dev.kelvin.run;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.tensor.Scope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * Pictures of a replay buffer's images, {@code buffer-STEP.png} among a run's samples, drawn at its regular checkpoints: always
 * of the same places, so that one sees how they change. The newest is kept, and those of checkpoints 1, 2, 5, 10, 20, 50 and so on.
 */
public final class BufferPictures {
    private static final int MOST = 100;
    private static final int COLUMNS = 10;

    private static final Pattern NAME = Pattern.compile("buffer-([0-9]{9,18})\\.png");

    private final Path samples;
    private final long every;

    /** In a run's folder of samples, of a run that has a checkpoint so often. */
    BufferPictures(Path samples, long every) {
        this.samples = samples;
        this.every = every;
    }

    /** Draws the model's buffer as it is at a step; nothing where it has none, or none of images. */
    static void draw(Experiment experiment, RunFolder folder, long step) throws IOException {
        if (experiment.data() instanceof ImageDataset data
                && experiment.model().buffer().isPresent()) {
            ReplayBuffer buffer = experiment.model().buffer().get();
            Png picture;
            try (Scope scope = Scope.open()) {
                int times = experiment.components().count() / MOST; // of 1024 times every tenth
                int apart = Math.max(1, Math.min(times, buffer.size() / MOST));
                long[] rows = LongStream.range(0, Math.min(MOST, buffer.size() / apart))
                        .map(i -> i * apart)
                        .toArray();
                picture = ImageGrid.of(data.unit(experiment.model().fromChains(buffer.chainsAt(rows))), COLUMNS);
            }
            new BufferPictures(folder.samples(), experiment.recipe().train().checkpointEvery()).add(step, picture);
        }
    }

    void add(long step, Png picture) throws IOException {
        picture.write(samples.resolve(String.format(Locale.ROOT, "buffer-%09d.png", step)));
        for (Map.Entry<Long, Path> other : files(samples).entrySet()) {
            if (other.getKey() != step && !isKept(other.getKey())) {
                Files.deleteIfExists(other.getValue());
            }
        }
    }

    private boolean isKept(long step) {
        return step % every == 0 && Long.toString(step / every).matches("[125]0*");
    }

    private static Map<Long, Path> files(Path samples) throws IOException {
        try (Stream<Path> files = Files.list(samples)) {
            List<Path> all = files.toList();
            Map<Long, Path> found = new TreeMap<>();
            for (Path file : all) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    found.put(Long.parseLong(name.group(1)), file);
                }
            }
            return found;
        }
    }

    /** The pictures among a run's samples by their steps, the first first. */
    public static Map<Long, Png> read(Path samples) throws IOException {
        Map<Long, Png> pictures = new LinkedHashMap<>();
        for (Map.Entry<Long, Path> file : files(samples).entrySet()) {
            byte[] bytes = Files.readAllBytes(file.getValue());
            pictures.put(file.getKey(), new Png(bytes, ImageIO.read(new ByteArrayInputStream(bytes))));
        }
        return pictures;
    }
}

package dev.kelvin.train.checkpoint;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A checkpoint's tensors on disk: one safetensors file, or that file cut into parts of a given size, {@code
 * STEP.safetensors.001-of-012} and so on, which put one after the other are the file: {@code cat STEP.safetensors.*}. The
 * header has the sum of the whole, so that it does not matter which of the two there is.
 *
 * @param whole the file, whether it is there or not
 */
record TensorParts(Path whole) {
    /** What a part's name has after the file's. */
    static final String ENDING = "\\.[0-9]{3,6}-of-[0-9]{3,6}";

    /** Its files in their order, one or all parts; fails with the name of one that is missing. */
    List<Path> files() throws IOException {
        if (Files.exists(whole)) {
            return List.of(whole);
        }
        Map<Integer, Integer> found = new TreeMap<>(); // how many there are, by how many there should be
        for (Path part : partsThere()) {
            String name = part.getFileName().toString();
            found.merge(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)), 1, Integer::sum);
        }
        int count = found.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow(() -> new NoSuchFileException(whole.toString()))
                .getKey();
        List<Path> files = parts(count);
        for (Path part : files) {
            if (!Files.exists(part)) {
                throw new NoSuchFileException(part.toString());
            }
        }
        return files;
    }

    private List<Path> partsThere() throws IOException {
        Pattern ours = Pattern.compile(Pattern.quote(whole.getFileName().toString()) + ENDING);
        try (Stream<Path> siblings = Files.list(whole.resolveSibling("."))) {
            return siblings.map(each -> whole.resolveSibling(each.getFileName()))
                    .filter(each -> ours.matcher(each.getFileName().toString()).matches())
                    .toList();
        }
    }

    private List<Path> parts(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> whole.resolveSibling(
                        String.format(Locale.ROOT, "%s.%03d-of-%03d", whole.getFileName(), i, count)))
                .toList();
    }

    /** Writes tensors as one file, or as parts where it would be larger than {@code largest}; removes what else there was. */
    void write(Map<String, Tensor> tensors, Map<String, String> metadata, OptionalLong largest) throws IOException {
        long size = largest.isPresent() ? Safetensors.size(tensors, metadata) : 0;
        long each = largest.orElse(Long.MAX_VALUE);
        List<Path> files = size <= each ? List.of(whole) : parts(Math.toIntExact((size + each - 1) / each));
        List<Path> others = new ArrayList<>(partsThere());
        others.add(whole);
        others.removeAll(files);
        for (Path other : others) {
            Files.deleteIfExists(other);
        }
        for (int i = 0; i < files.size(); i++) {
            long from = i * each;
            long to = files.size() == 1 ? Long.MAX_VALUE : from + each;
            AtomicFile.write(files.get(i), out -> Safetensors.write(out, tensors, metadata, from, to));
        }
    }

    /** Reads the tensors whose names are wanted. */
    Map<String, Tensor> read(Predicate<String> wanted) throws IOException {
        List<Path> files = files();
        return (files.size() == 1 ? Safetensors.read(files.get(0), wanted) : Safetensors.read(whole, files, wanted))
                .tensors();
    }
}

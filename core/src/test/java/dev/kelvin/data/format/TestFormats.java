package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.part.PartProvider;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A format of a user's own: this class, and a line in META-INF/services. */
public final class TestFormats implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(Tiny.class);
    }

    /** The letters TINY, then grey images of 2 × 2 pixels, a byte each. */
    static final class Tiny implements ImageFormat {
        private static final int START = 4;

        @Override
        public String title() {
            return "tiny";
        }

        @Override
        public Optional<Source> file(FileStart file, ImageFiles.Options options) {
            return file.begins('T', 'I', 'N', 'Y') ? Optional.of(() -> read(file.path())) : Optional.empty();
        }

        @Override
        public Optional<Source> part(Folder folder, ImageFiles.Options options) {
            return folder.named(options.part().word() + "\\.tiny").stream()
                    .findFirst()
                    .map(file -> () -> read(file));
        }

        /** A folder that holds one such file under any other name. */
        @Override
        public Optional<Source> whole(Folder folder, ImageFiles.Options options) {
            List<Path> files = folder.named(".*\\.tiny");
            return files.isEmpty() ? Optional.empty() : Optional.of(() -> read(files.get(0)));
        }

        private static ImageSet read(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            ByteBuffer pixels = ByteBuffer.wrap(bytes, START, bytes.length - START);
            float[] values = new float[pixels.remaining()];
            for (int i = 0; i < values.length; i++) {
                values[i] = pixels.get() & 0xFF;
            }
            try (Scope scope = Scope.open()) {
                return new ImageSet(
                        String.valueOf(file.getFileName()),
                        scope.keep(
                                Tensors.of(values, values.length / 4, 1, 2, 2).to(DType.BYTE)),
                        new int[0],
                        List.of(),
                        255);
            }
        }
    }
}

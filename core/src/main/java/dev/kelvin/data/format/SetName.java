package dev.kelvin.data.format;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** What people call a set that came from a file: its folder and its file, less what all such names have. */
final class SetName {
    private static final Pattern ENDINGS = Pattern.compile(
            "([-_.](images|imgs)[-_.]?)?(idx\\d[-.]ubyte)?([-_.]32x32)?(\\.(npy|npz|mat|bin))?(\\.gz)?$");

    private SetName() {}

    static String of(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        String stem = ENDINGS.matcher(String.valueOf(file.getFileName())).replaceFirst("");
        String outer = folder == null || folder.getFileName() == null ? "" : folder.getFileName() + "/";
        return stem.isEmpty() ? String.valueOf(file.getFileName()) : outer + stem;
    }
}

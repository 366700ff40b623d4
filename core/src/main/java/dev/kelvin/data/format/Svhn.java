package dev.kelvin.data.format;

import java.util.Optional;

/** The MATLAB files of Street View House Numbers; {@link SvhnFile} reads one. */
public final class Svhn implements ImageFormat {
    @Override
    public String title() {
        return "MATLAB level 5";
    }

    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        return SvhnFile.begins(file.bytes()) ? Optional.of(() -> SvhnFile.read(file.path())) : Optional.empty();
    }

    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) {
        return folder.first(options.part().word() + "_32x32\\.mat", options);
    }
}

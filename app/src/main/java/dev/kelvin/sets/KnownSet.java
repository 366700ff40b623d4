package dev.kelvin.sets;

import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An image set that Kelvin knows by name: what it is, where its makers publish it, and the files' MD5 sums as they
 * publish them.
 *
 * @param base the official address; a file's name is added to it
 * @param megabytes what there is to fetch
 * @param folder where it lies under {@link #root()}
 * @param work that it is cited by, as {@link dev.kelvin.part.Cites} names works
 */
public record KnownSet(
        String name,
        String about,
        String terms,
        String base,
        int megabytes,
        String folder,
        String work,
        List<File> files) {
    /** A file to fetch. */
    public record File(String name, String md5) {}

    private static final String IDX = "train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz"
            + " t10k-images-idx3-ubyte.gz t10k-labels-idx1-ubyte.gz";

    public static final List<KnownSet> ALL = List.of(
            new KnownSet(
                    "mnist",
                    "70 000 handwritten digits, 28x28 grey, 10 classes",
                    "CC BY-SA 3.0",
                    "https://ossci-datasets.s3.amazonaws.com/mnist/",
                    12,
                    "mnist",
                    "lecun1998",
                    files(
                            IDX,
                            "f68b3c2dcbeaaa9fbdd348bbdeb94873 d53e105ee54ea40749a09fcbcd1e9432"
                                    + " 9fb629c4189551a2d022fa330f9573f3 ec29112dd5afa0611ce80d1b7f02629c")),
            new KnownSet(
                    "fashion-mnist",
                    "70 000 pieces of clothing, 28x28 grey, 10 classes",
                    "MIT",
                    "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
                    31,
                    "fashion-mnist",
                    "xiao2017",
                    files(
                            IDX,
                            "8d4fb7e6c68d591d4c3dfef9ec88bf0d 25c81989df183df01b3e8a0aad5dffbe"
                                    + " bef4ecab320f06d8554ea6380940ec79 bb300cfdad3c16e7a12a480ee83cd310")),
            new KnownSet(
                    "kmnist",
                    "70 000 old Japanese characters, 28x28 grey, 10 classes",
                    "CC BY-SA 4.0",
                    "http://codh.rois.ac.jp/kmnist/dataset/kmnist/",
                    21,
                    "kmnist",
                    "clanuwat2018",
                    files(
                            IDX,
                            "bdb82020997e1d708af4cf47b453dcf7 e144d726b3acfaa3e44228e80efcd344"
                                    + " 5c965bf0a639b31b8f53240b1b52f4d7 7320c461ea6c1c855c0b718fb2a4b134")),
            new KnownSet(
                    "cifar10",
                    "60 000 photographs, 32x32 in colour, 10 classes",
                    "none stated",
                    "https://www.cs.toronto.edu/~kriz/",
                    170,
                    "cifar-10-batches-bin",
                    "krizhevsky2009",
                    files("cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530")),
            new KnownSet(
                    "cifar100",
                    "60 000 photographs, 32x32 in colour, 100 classes",
                    "none stated",
                    "https://www.cs.toronto.edu/~kriz/",
                    169,
                    "cifar-100-binary",
                    "krizhevsky2009",
                    files("cifar-100-binary.tar.gz", "03b5dce01913d631647c71ecec9e9cb8")),
            new KnownSet(
                    "svhn",
                    "99 289 house numbers, 32x32 in colour, 10 classes",
                    "for non-commercial use",
                    "http://ufldl.stanford.edu/housenumbers/",
                    246,
                    "svhn",
                    "netzer2011",
                    files(
                            "train_32x32.mat test_32x32.mat",
                            "e26dedcc434d2e4c54c9b2d4a06d8373 eb5a983be6a315427106f1b164d9cef3")));

    private static List<File> files(String names, String sums) {
        String[] name = names.split(" ", -1);
        String[] sum = sums.split(" ", -1);
        return IntStream.range(0, name.length)
                .mapToObj(i -> new File(name[i], sum[i]))
                .toList();
    }

    public static Optional<KnownSet> named(String name) {
        return ALL.stream().filter(set -> set.name.equals(name)).findFirst();
    }

    /** Where sets lie: {@code $KELVIN_DATA}, or a folder of the user's cache. */
    public static Path root() {
        String chosen = System.getenv("KELVIN_DATA");
        return chosen != null && !chosen.isBlank()
                ? Path.of(chosen)
                : Path.of(System.getProperty("user.home"), ".cache", "kelvin", "data");
    }

    public Path path() {
        return root().resolve(folder);
    }

    /** Whether all of it is here; files that come packed may lie there unpacked. */
    public boolean there() {
        return Files.isDirectory(path())
                && files.stream()
                        .map(File::name)
                        .allMatch(file -> isArchive(file) || has(file) || has(file.replaceFirst("\\.gz$", "")));
    }

    private boolean has(String file) {
        return Files.exists(path().resolve(file));
    }

    /** An archive is thrown away once it is unpacked. */
    private static boolean isArchive(String file) {
        return file.endsWith(".tar.gz");
    }

    /** Is told how far a file is; the total is negative where the server does not say. */
    @FunctionalInterface
    public interface Progress {
        void at(String file, long bytes, long total);
    }

    /** Brings every file that is not there yet, and unpacks archives. */
    public void get(URI from, Progress progress) throws IOException {
        Path folder = path();
        for (File file : files) {
            boolean archive = isArchive(file.name);
            if (archive && there()) {
                continue;
            }
            Path to = archive ? folder.resolveSibling(file.name) : folder.resolve(file.name);
            Download.get(from.resolve(file.name), to, file.md5, (bytes, total) -> progress.at(file.name, bytes, total));
            if (archive) {
                Path fresh = folder.resolveSibling(folder.getFileName() + ".part");
                Tar.unpack(to, fresh);
                Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(to);
            }
        }
    }

    /** The files of a set by its name, or any other path. */
    public static Path find(String nameOrPath) {
        Optional<KnownSet> set = named(nameOrPath);
        if (set.isEmpty()) {
            return Path.of(nameOrPath);
        }
        Path path = set.get().path();
        if (!set.get().there()) {
            throw new UserException(nameOrPath
                    + (Files.isDirectory(path) ? " is not whole in " + path : " is not on this machine")
                    + "; fetch it with 'kelvin data get " + nameOrPath + "', or name the folder that it is in");
        }
        return path;
    }
}

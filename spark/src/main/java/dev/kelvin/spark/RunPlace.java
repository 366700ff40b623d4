package dev.kelvin.spark;

import dev.kelvin.io.Sha256;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;

/** Where a run's folder is on this machine, and which run it is: each executor reads a copy of its own. */
final class RunPlace {
    private RunPlace() {}

    /** The folder of that path or, where there is none, what Spark has unpacked from an archive of that name. */
    static Path of(String run) {
        List<Path> places = new ArrayList<>(List.of(Path.of(run.replaceFirst("^file:(?://)?(?=/)", ""))));
        if (SparkEnv.get() != null && !places.get(0).isAbsolute()) {
            places.add(Path.of(SparkFiles.get(run)));
        }
        return places.stream()
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        "there is no run at " + places.get(0).toAbsolutePath()
                                + " on this machine" + (places.size() > 1 ? ", nor at " + places.get(1) : "")
                                + "; a run must be a folder that each executor can read: on a shared file system, or sent by"
                                + " --archives RUN.tar.gz#" + places.get(0).getFileName()));
    }

    /** A checksum of all that says which model it is, so that no executor scores with another. */
    static String stamp(Path run) {
        List<Path> files = new ArrayList<>(List.of(run.resolve(ModelCard.FILE)));
        try (Stream<Path> checkpoints = Files.list(run.resolve("checkpoints"))) {
            checkpoints
                    .filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .forEach(files::add);
            return Sha256.of(files);
        } catch (IOException e) {
            throw new InvalidInputException(run + " is no run: there is no " + e.getMessage());
        }
    }
}

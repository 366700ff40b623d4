package dev.kelvin.run;

import dev.kelvin.Parallel;
import dev.kelvin.data.format.Rows;
import dev.kelvin.energy.Table;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.Score;
import dev.kelvin.metric.Scores;
import dev.kelvin.recipe.RunException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what a model says of every sample, a line each: its number from 0 on, f, the score that tells the data from others
 * (higher is more like the data) and, of a model with classes, the likeliest class and p(y|x) of each. However many samples
 * there are, few are in memory.
 */
public final class Scoring {
    /** Samples at a time: enough to keep the processors busy, and few enough of large images. */
    private static final int MOST = 1024;

    private static final int LEAST = 32;
    private static final int NUMBERS = 1 << 20;

    private static final JsonMapper JSON = new JsonMapper();

    /** How lines are written. */
    public enum Format {
        CSV,
        JSONL
    }

    private final Experiment experiment;
    private final Score by;
    private final Format format;
    private final List<String> classes;
    private final List<String> words; // the classes' names as they are written

    public Scoring(Experiment experiment, Score by, Format format) {
        this.experiment = experiment;
        this.by = by;
        this.format = format;
        boolean has;
        try (Scope scope = Scope.open()) {
            has = experiment.table().hasClasses();
        }
        if (by == Score.MAX_P && !has) {
            throw new RunException("--score " + by.option() + " takes p(y|x), and the model of "
                    + experiment.recipe().name() + " knows no classes; take --score f or --score gradient");
        }
        if (by == Score.GRADIENT && experiment.latent().isPresent()) {
            throw new RunException("--score " + by.option() + " takes the gradient of f, and that of "
                    + experiment.recipe().name() + ", a latent model, comes from chains and has none; take --score f");
        }
        classes = has ? experiment.data().classes() : List.of();
        words = classes.stream().map(this::word).toList();
    }

    private String word(String name) {
        return format == Format.JSONL ? JSON.writeValueAsString(name) : quoted(name);
    }

    /** As RFC 4180 has it. */
    private static String quoted(String name) {
        return name.matches("[^,\"\r\n]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The classes' names; none where the model has none. */
    public List<String> classes() {
        return classes;
    }

    /** Writes all lines, unless it is told to stop; gives how many were written. */
    public long write(Rows rows, OutputStream out, LongConsumer progress, BooleanSupplier stop) throws IOException {
        if (format == Format.CSV) {
            out.write(bytes(header()));
        }
        long shape = experiment.data().shape().stream().reduce(1L, (a, b) -> a * b);
        int batch = (int) Math.max(LEAST, Math.min(MOST, NUMBERS / shape));
        long done = 0;
        try (Scope scope = Scope.open()) {
            Table table = experiment.table();
            while (!stop.getAsBoolean()) {
                try (Scope each = Scope.open()) {
                    Optional<Tensor> next = rows.next(batch);
                    if (next.isEmpty()) {
                        break;
                    }
                    for (byte[] lines : lines(table, next.get(), done)) {
                        out.write(lines);
                    }
                    done += next.get().size(0);
                }
                progress.accept(done);
            }
        }
        return done;
    }

    private String header() {
        return classes.stream()
                .map(name -> "," + quoted("p_" + name))
                .collect(Collectors.joining("", "row,f,in_distribution" + (classes.isEmpty() ? "" : ",class"), "\n"));
    }

    /** In two halves at once: half of the time is the text's. */
    private List<byte[]> lines(Table table, Tensor x, long first) {
        long n = x.size(0);
        if (n < LEAST) {
            return List.of(text(table, x, first));
        }
        return Parallel.halves(half -> {
            long from = half == 0 ? 0 : n / 2;
            long to = half == 0 ? n / 2 : n;
            try (Scope scope = Scope.open()) {
                return text(table, x.narrow(0, from, to - from), first + from);
            }
        });
    }

    private byte[] text(Table table, Tensor x, long first) {
        Scores scores = Scores.of(table, x, by);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < scores.f().length; i++) {
            if (format == Format.CSV) {
                csv(text, scores, i, first + i);
            } else {
                json(text, scores, i, first + i);
            }
        }
        return bytes(text.toString());
    }

    private void csv(StringBuilder text, Scores scores, int i, long row) {
        text.append(row).append(',').append(number(scores.f()[i]));
        text.append(',').append(number(scores.score()[i]));
        if (!classes.isEmpty()) {
            text.append(',').append(words.get(scores.predicted(i)));
            for (double p : scores.p()[i]) {
                text.append(',').append(number(p));
            }
        }
        text.append('\n');
    }

    private void json(StringBuilder text, Scores scores, int i, long row) {
        text.append("{\"row\":").append(row).append(",\"f\":").append(finite(scores.f()[i]));
        text.append(",\"in_distribution\":").append(finite(scores.score()[i]));
        if (!classes.isEmpty()) {
            text.append(",\"class\":").append(words.get(scores.predicted(i))).append(",\"p\":{");
            for (int k = 0; k < words.size(); k++) {
                text.append(k == 0 ? "" : ",").append(words.get(k)).append(':').append(finite(scores.p()[i][k]));
            }
            text.append('}');
        }
        text.append("}\n");
    }

    /** All digits of a float, and no more where it is one. */
    private static String number(double value) {
        float narrow = (float) value;
        return narrow == value ? Float.toString(narrow) : Double.toString(value);
    }

    /** JSON has no NaN and no infinity. */
    private static String finite(double value) {
        return Double.isFinite(value) ? number(value) : "null";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

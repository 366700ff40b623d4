package dev.kelvin.run;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.file.NumberWriter;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.Model;
import dev.kelvin.model.RowScorer;
import dev.kelvin.model.RowScores;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what a model says of every sample, a line each: its number from 0 on, f, log p where the normaliser is known, the
 * quantile of f among held-out samples, whether that is an alarm, the column that makes a row of a table odd and, of a model
 * with classes, p(y|x) of each and the likeliest. However many samples there are, few are in memory.
 */
public final class ScoreWriter {
    private static final int LINE = 64; // bytes, about

    private static final List<String> COLUMNS = List.of("row", "f", "log_p", "quantile", "alarm", "oddest");

    private static final JsonMapper JSON = new JsonMapper();

    /** How lines are written. */
    public enum Format {
        CSV,
        JSONL,
        /** Doubles: row, f, log p, quantile, alarm, the oddest column's place, then p(y|x) of each class and the score. */
        NPY
    }

    /**
     * How samples are scored, and in which format.
     *
     * @param by the score that separates the data from others; a column of its own where it is not f
     * @param alarm the quantile up to which a sample is an alarm: the share of false alarms among samples of the data
     * @param closer the quantile up to which the column that makes a row odd is found by the model itself
     */
    public record Settings(OodScore by, Format format, double alarm, double closer) {
        private RowScorer.Settings scores() {
            return new RowScorer.Settings(by, alarm, closer);
        }
    }

    /** What was written, and the scores of labelled samples. */
    public record Written(long rows, long alarms, LabelledScores labelled) {
        /** Nothing yet. */
        public static final Written NOTHING = new Written(0, 0, new LabelledScores());
    }

    private final Model model;
    private final Settings settings;
    private final RowScorer scorer;
    private final boolean normalised;
    private final List<String> columns;
    private final List<String> classes;
    private final List<String> words; // the classes' names as they are written in JSON

    /** Of a model's scores. */
    public ScoreWriter(Model model, Settings settings) {
        this.model = model;
        this.settings = settings;
        scorer = new RowScorer(model, settings.scores());
        classes = scorer.classes();
        words = classes.stream().map(JSON::writeValueAsString).toList();
        columns = scorer.columns();
        normalised = model.isNormalised();
    }

    /** The classes' names; none where the model has none. */
    public List<String> classes() {
        return classes;
    }

    /** Writes all lines, or those up to a stop. */
    public Written write(Rows rows, OutputStream out, LongConsumer progress, BooleanSupplier stop) throws IOException {
        if (settings.format() != Format.NPY) {
            return writeLines(rows, out, progress, stop);
        }
        Path numbers = Files.createTempFile("kelvin-scores", ".tmp"); // the file begins with how many there are
        try {
            Written written;
            try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(numbers))) {
                written = writeLines(rows, stream, progress, stop);
            }
            out.write(Npy.header(written.rows(), width()));
            Files.copy(numbers, out);
            return written;
        } finally {
            Files.deleteIfExists(numbers);
        }
    }

    private int width() {
        return COLUMNS.size() + classes.size() + (settings.by() == OodScore.F ? 0 : 1);
    }

    private Written writeLines(Rows rows, OutputStream out, LongConsumer progress, BooleanSupplier stop)
            throws IOException {
        if (settings.format() == Format.CSV) {
            header(out);
        }
        int batch = RowScorer.together(model.card().samples());
        LabelledScores labelled = new LabelledScores();
        long done = 0;
        long alarms = 0;
        try (Scope scope = Scope.open()) {
            JointDensity joint = model.joint();
            while (!stop.getAsBoolean()) {
                try (Scope each = Scope.open()) {
                    Optional<Tensor> next = rows.next(batch);
                    if (next.isEmpty()) {
                        break;
                    }
                    for (Part part : parts(joint, rows, next.get(), done)) {
                        out.write(part.text);
                        alarms += part.alarms;
                        labelled.add(rows, part.from, part.f);
                    }
                    done += next.get().size(0);
                }
                progress.accept(done);
            }
        }
        return new Written(done, alarms, labelled);
    }

    private void header(OutputStream out) throws IOException {
        NumberWriter writer = new NumberWriter(out);
        for (String name : COLUMNS) {
            writer.text(name);
        }
        for (String name : classes) {
            writer.text("p_" + name);
        }
        if (!classes.isEmpty()) {
            writer.text("class");
        }
        if (settings.by() != OodScore.F) {
            writer.text("in_distribution");
        }
        writer.end();
        writer.flush();
    }

    /** Lines of samples from a place of a block on, with their f. */
    private record Part(int from, double[] f, byte[] text, long alarms) {}

    /** In two halves at once: half of the time is the text's. */
    private List<Part> parts(JointDensity joint, Rows rows, Tensor x, long before) throws IOException {
        List<RowScorer.Part> parts = RowScorer.parts((int) x.size(0));
        if (parts.size() == 1) {
            return List.of(part(joint, rows, x, 0, before));
        }
        return Parallel.halves(half -> {
            RowScorer.Part part = parts.get(half);
            try (Scope scope = Scope.open()) {
                return part(joint, rows, x.narrow(0, part.from(), part.to() - part.from()), part.from(), before);
            }
        });
    }

    private Part part(JointDensity joint, Rows rows, Tensor x, int from, long before) {
        RowScores scores = scorer.of(joint, x, i -> rows.logDeterminant(from + i));
        double[] f = scores.scores().f();
        ByteArrayOutputStream text = new ByteArrayOutputStream(f.length * LINE);
        try {
            NumberWriter writer = new NumberWriter(text);
            for (int i = 0; i < f.length; i++) {
                long row = rows.number(from + i, before);
                switch (settings.format()) {
                    case CSV -> csv(writer, row, scores, i);
                    case JSONL -> text.write(json(row, scores, i));
                    case NPY -> text.write(numbers(row, scores, i));
                }
            }
            writer.flush();
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be written to", e);
        }
        return new Part(from, f, text.toByteArray(), scores.alarms());
    }

    private void csv(NumberWriter writer, long row, RowScores all, int i) throws IOException {
        Scores scores = all.scores();
        double quantile = all.quantile()[i];
        int oddest = all.oddest()[i];
        writer.integer(row).number(scores.f()[i]);
        if (normalised) {
            writer.number(all.logDensity()[i]);
        } else {
            writer.text("");
        }
        if (Double.isNaN(quantile)) {
            writer.text("").text("");
        } else {
            writer.number(quantile).integer(all.alarm()[i] ? 1 : 0);
        }
        writer.text(oddest < 0 ? "" : columns.get(oddest));
        if (!classes.isEmpty()) {
            for (double p : scores.p()[i]) {
                writer.number(p);
            }
            writer.text(classes.get(scores.predicted(i)));
        }
        if (settings.by() != OodScore.F) {
            writer.number(scores.score()[i]);
        }
        writer.end();
    }

    /** NaN where something is not known. */
    private byte[] numbers(long row, RowScores all, int i) {
        Scores scores = all.scores();
        double quantile = all.quantile()[i];
        int oddest = all.oddest()[i];
        ByteBuffer buffer = ByteBuffer.allocate(Double.BYTES * width()).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putDouble((double) row).putDouble(scores.f()[i]).putDouble(all.logDensity()[i]);
        buffer.putDouble(quantile).putDouble(Double.isNaN(quantile) ? Double.NaN : all.alarm()[i] ? 1 : 0);
        buffer.putDouble(oddest < 0 ? Double.NaN : oddest);
        for (int k = 0; k < classes.size(); k++) {
            buffer.putDouble(scores.p()[i][k]);
        }
        if (settings.by() != OodScore.F) {
            buffer.putDouble(scores.score()[i]);
        }
        return buffer.array();
    }

    private byte[] json(long row, RowScores all, int i) {
        Scores scores = all.scores();
        double quantile = all.quantile()[i];
        int oddest = all.oddest()[i];
        StringBuilder text = new StringBuilder("{\"row\":" + row + ",\"f\":" + finite(scores.f()[i]));
        text.append(",\"log_p\":").append(finite(all.logDensity()[i]));
        text.append(",\"quantile\":").append(finite(quantile));
        text.append(",\"alarm\":").append(Double.isNaN(quantile) ? "null" : all.alarm()[i]);
        text.append(",\"oddest\":").append(oddest < 0 ? "null" : JSON.writeValueAsString(columns.get(oddest)));
        if (!classes.isEmpty()) {
            text.append(",\"class\":").append(words.get(scores.predicted(i))).append(",\"p\":{");
            for (int k = 0; k < words.size(); k++) {
                text.append(k == 0 ? "" : ",").append(words.get(k)).append(':').append(finite(scores.p()[i][k]));
            }
            text.append('}');
        }
        if (settings.by() != OodScore.F) {
            text.append(",\"in_distribution\":").append(finite(scores.score()[i]));
        }
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** All digits of a float, and no more where it is one; JSON has no NaN and no infinity. */
    private static String finite(double value) {
        float narrow = (float) value;
        return !Double.isFinite(value) ? "null" : narrow == value ? Float.toString(narrow) : Double.toString(value);
    }
}

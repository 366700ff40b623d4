package dev.kelvin.spark;

import dev.kelvin.model.Model;
import dev.kelvin.model.RowScorer;
import dev.kelvin.model.RowScores;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** A partition's rows with their scores, a batch at a time, on the task's own thread. */
final class ScoredRows implements Iterator<Row> {
    private final PartitionScorer task;
    private final Iterator<Row> rows;
    private final Model model;
    private final RowScorer scorer;
    private final SampleReader reader;
    private final int batch;
    private final int added;
    private final List<@Nullable Object[]> taken = new ArrayList<>();
    private final List<Integer> samples = new ArrayList<>(); // the rows of them that are scored, by their places
    private int next;
    private long read;

    ScoredRows(PartitionScorer task, Iterator<Row> rows) {
        this.task = task;
        this.rows = rows;
        LoadedModel loaded = LoadedModel.of(
                task.settings().run(), task.stamp(), task.settings().device());
        model = loaded.model();
        scorer = loaded.scorer(task.settings().settings());
        SampleKind kind = model.card().samples();
        batch = task.settings().batchOf(kind);
        reader = SampleReader.of(kind, task.samples(), task.settings(), batch);
        added = task.scores().count();
    }

    @Override
    public boolean hasNext() {
        if (next == taken.size() && rows.hasNext()) {
            fill();
        }
        return next < taken.size();
    }

    @Override
    public Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return RowFactory.create(taken.get(next++));
    }

    /** The next batch; rows that cannot be scored are in it, without scores. */
    private void fill() {
        taken.clear();
        samples.clear();
        next = 0;
        while (taken.size() < batch && rows.hasNext()) {
            take(rows.next());
        }
        if (!samples.isEmpty()) {
            score();
        }
    }

    private void take(Row row) {
        read++;
        int own = row.length();
        @Nullable Object[] values = new Object[own + added];
        for (int i = 0; i < own; i++) {
            values[i] = row.get(i);
        }
        Optional<String> problem =
                reader.add(row).map(words -> "row " + read + " of partition " + TaskContext.getPartitionId() + words);
        if (problem.isEmpty()) {
            samples.add(taken.size());
        } else if (task.settings().badRows() == BadRows.FAIL) {
            throw new InvalidInputException(problem.get());
        } else {
            values[values.length - 1] = problem.get();
        }
        taken.add(values);
    }

    private void score() {
        try (Scope scope = Scope.open()) {
            Tensor x = reader.take().to(model.device());
            for (RowScorer.Part part : RowScorer.parts(samples.size())) {
                score(x.narrow(0, part.from(), part.to() - part.from()), part.from());
            }
        }
    }

    private void score(Tensor x, int from) {
        try (Scope scope = Scope.open()) {
            RowScores scores = scorer.of(model.joint(), x, i -> reader.logDeterminant(from + i));
            for (int i = 0; i < scores.count(); i++) {
                @Nullable Object[] row = taken.get(samples.get(from + i));
                task.scores().write(scores, i, scorer.columns(), row, row.length - added);
            }
        }
    }
}

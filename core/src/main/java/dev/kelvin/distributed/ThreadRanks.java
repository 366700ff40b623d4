package dev.kelvin.distributed;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Ranks that are threads of this JVM, one a device or several on the CPU. */
public final class ThreadRanks implements Ranks {
    private final Meeting meeting;
    private final int rank;

    private ThreadRanks(Meeting meeting, int rank) {
        this.meeting = meeting;
        this.rank = rank;
    }

    /** So many that know each other, one for each thread. */
    public static List<Ranks> of(int size) {
        Meeting meeting = new Meeting(size);
        return IntStream.range(0, size)
                .<Ranks>mapToObj(rank -> new ThreadRanks(meeting, rank))
                .toList();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return meeting.brought.length;
    }

    @Override
    public Tensor gather(Tensor own) {
        meeting.bring(rank, own);
        List<Tensor> rows = new ArrayList<>();
        for (int from = 0; from < size(); from++) {
            rows.add(meeting.of(from).to(own.device()).reshape(1, -1));
        }
        Tensor all = Tensors.concat(0, rows);
        meeting.part();
        return all;
    }

    @Override
    public void broadcast(int from, Tensor tensor) {
        meeting.bring(rank, tensor);
        if (from != rank) {
            tensor.copyInPlace(meeting.of(from));
        }
        meeting.part();
    }

    @Override
    public void close() {
        meeting.leave(rank);
    }

    /** Where all bring a tensor, look at the others', and part only when everyone has seen them. */
    private static final class Meeting {
        private final @Nullable Tensor[] brought;
        private int arrived;
        private long round;
        private int left = -1;

        Meeting(int size) {
            brought = new Tensor[size];
        }

        synchronized void bring(int rank, Tensor tensor) {
            brought[rank] = tensor;
            await();
        }

        synchronized Tensor of(int rank) {
            Tensor tensor = brought[rank];
            if (tensor == null) {
                throw lost();
            }
            return tensor;
        }

        synchronized void part() {
            await();
        }

        private void await() {
            if (left >= 0) {
                throw lost();
            }
            long now = round;
            if (++arrived == brought.length) {
                arrived = 0;
                round++;
                notifyAll();
            }
            while (round == now) {
                if (left >= 0) {
                    throw lost();
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new LostRankException("the thread of a rank was interrupted", e);
                }
            }
        }

        synchronized void leave(int rank) {
            left = left < 0 ? rank : left;
            notifyAll();
        }

        private LostRankException lost() {
            return new LostRankException("rank " + left + " has ended before the others");
        }
    }
}

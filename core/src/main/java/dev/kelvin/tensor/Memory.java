package dev.kelvin.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.Pointer;

/** Refuses what does not fit into memory before any of it is allocated: a system that overcommits kills without a message. */
public final class Memory {
    /** How Java is given more memory. */
    public static final String MORE = "KELVIN_JAVA_OPTS=-Xmx4g gives Java more";

    private static final long JAVA = Runtime.getRuntime().maxMemory();

    private static final double MOST = 1e18; // numbers that a long counts

    private Memory() {}

    /** The idiom of a holder: the machine is asked when it is first needed. */
    private static final class Machine {
        static final long BYTES = Pointer.totalPhysicalBytes();
    }

    /** The count of a Java array of this shape; a {@link TooLargeException} if Java has no room for it. */
    public static int array(int bytes, long... shape) {
        double count = product(shape);
        if (count > Integer.MAX_VALUE || count * bytes > JAVA) {
            throw tooLarge(count, bytes, "Java has " + gigabytes((double) JAVA) + " (" + MORE + ")", shape);
        }
        return (int) count;
    }

    /** Refuses a tensor that is larger than the machine's memory. */
    static void tensor(DType type, long... shape) {
        double count = product(shape);
        if (count * type.bytes() > Machine.BYTES) {
            throw tooLarge(count, type.bytes(), "this machine has " + gigabytes((double) Machine.BYTES), shape);
        }
    }

    /** How many numbers a tensor of this shape has. */
    public static long count(long... shape) {
        double count = product(shape);
        if (count > MOST) {
            throw tooLarge(count, Float.BYTES, "no machine has so much", shape);
        }
        return LongStream.of(shape).reduce(1, (a, b) -> a * b);
    }

    private static double product(long... shape) {
        return LongStream.of(shape).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    private static TooLargeException tooLarge(double count, int bytes, String room, long... shape) {
        String numbers = String.format(Locale.ROOT, "%s would be %.4g numbers", Arrays.toString(shape), count);
        return new TooLargeException(
                numbers + ", " + gigabytes(count * bytes) + " of memory, and " + room,
                LongStream.of(shape).boxed().toList());
    }

    static String gigabytes(double bytes) {
        return String.format(Locale.ROOT, bytes < 1e13 ? "%.1f GB" : "%.3g GB", bytes / 1e9);
    }
}

package dev.kelvin.pages;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.run.MetricsLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes a run's scalars as an event file, for people who compare runs in TensorBoard.
 *
 * <p>TensorBoard reads only files with {@code tfevents} in their name, and takes each folder as one run. Write the file
 * when the run has ended: a TensorBoard that shows it misses its replacement. The file is a sequence of TFRecords, each a
 * protocol buffer {@code Event} of TensorFlow's {@code event.proto}.
 */
public final class TensorBoard {
    // TFRecord masks its checksums, as a CRC of bytes that hold their own CRC is a poor check; both from TensorFlow.
    private static final int MASK_ROTATION = 15;
    private static final int MASK_DELTA = 0xa282ead8;

    // Fields of Event, Summary and Summary.Value: number << 3 | what follows (0 varint, 1 double, 2 sized, 5 float).
    private static final int EVENT_WALL_TIME = (1 << 3) | 1;
    private static final int EVENT_STEP = 2 << 3;
    private static final int EVENT_FILE_VERSION = (3 << 3) | 2;
    private static final int EVENT_SUMMARY = (5 << 3) | 2;
    private static final int SUMMARY_VALUE = (1 << 3) | 2;
    private static final int VALUE_TAG = (1 << 3) | 2;
    private static final int VALUE_SIMPLE_VALUE = (2 << 3) | 5;

    private TensorBoard() {}

    /**
     * Writes the format's version, then one event a line. All have the time {@code began}, since the log holds no times:
     * the same run gives the same bytes, and TensorBoard shows steps unless asked for times. Values are rounded to floats
     * (beyond their range, to infinity); NaN and infinities stay what they are.
     */
    public static void write(Path file, Instant began, List<MetricsLog.Line> lines) throws IOException {
        double seconds = began.getEpochSecond() + began.getNano() * 1e-9;
        byte[] wallTime = field(EVENT_WALL_TIME, fixed(Double.BYTES, Double.doubleToLongBits(seconds)));
        AtomicFile.write(file, out -> {
            writeRecord(out, join(wallTime, field(EVENT_FILE_VERSION, text("brain.Event:2"))));
            for (MetricsLog.Line line : lines) {
                byte[] step = field(EVENT_STEP, varint(line.step()));
                writeRecord(out, join(wallTime, step, field(EVENT_SUMMARY, sized(summary(line.values())))));
            }
        });
    }

    private static byte[] summary(Map<String, Double> values) {
        ByteArrayOutputStream summary = new ByteArrayOutputStream();
        values.forEach((tag, value) -> {
            byte[] name = field(VALUE_TAG, text(tag));
            int bits = Float.floatToIntBits(value.floatValue()); // not the raw bits: one NaN, however it came about
            byte[] number = field(VALUE_SIMPLE_VALUE, fixed(Float.BYTES, bits));
            summary.writeBytes(field(SUMMARY_VALUE, sized(join(name, number))));
        });
        return summary.toByteArray();
    }

    private static void writeRecord(OutputStream out, byte[] payload) throws IOException {
        byte[] length = fixed(Long.BYTES, payload.length);
        out.write(join(length, fixed(Integer.BYTES, maskedCrc(length))));
        out.write(join(payload, fixed(Integer.BYTES, maskedCrc(payload))));
    }

    static int maskedCrc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK_DELTA;
    }

    private static byte[] field(int key, byte[] value) {
        return join(varint(key), value);
    }

    private static byte[] sized(byte[] value) {
        return join(varint(value.length), value);
    }

    /** Seven bits a byte, the lowest first; all bytes but the last have the high bit. Negative numbers take ten. */
    private static byte[] varint(long value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            bytes.write((int) (rest & 0x7f) | 0x80);
        }
        bytes.write((int) rest);
        return bytes.toByteArray();
    }

    /** The lowest bytes of these bits, the lowest first. */
    private static byte[] fixed(int size, long bits) {
        ByteBuffer all = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return Arrays.copyOf(all.putLong(bits).array(), size);
    }

    private static byte[] text(String value) {
        return sized(value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}

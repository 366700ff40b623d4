package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.run.MetricsLog.Line;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TensorBoardTest {
    private static final Instant BEGAN = Instant.ofEpochSecond(1_700_000_000L, 250_000_000);
    private static final double BEGAN_SECONDS = 1_700_000_000.25;

    @TempDir
    private Path folder;

    /** The check value of CRC-32C in the RevEng catalogue, and its mask by integer arithmetic in Python 3.11. */
    @Test
    void theChecksumIsTheMaskedCrc32c() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(crc32c(digits)).isEqualTo(0xe3069283);
        assertThat(TensorBoard.maskedCrc(digits)).isEqualTo(0xc78ab0e5);
    }

    /** Put together by hand; the checksums are from a bitwise CRC-32C in Python 3.11. */
    @Test
    void aTinyFileHasTheseBytes() throws IOException {
        String golden = "1800000000000000" + "a37f4b22" // 24 bytes
                + "09" + "000000000000f83f" // wall_time 1.5
                + "1a0d" + "627261696e2e4576656e743a32" // file_version brain.Event:2
                + "2a28646c"
                + "1b00000000000000" + "1a0d9e13" // 27 bytes
                + "09" + "000000000000f83f" // wall_time 1.5
                + "10" + "ac02" // step 300
                + "2a0d" + "0a0b" // summary, its value
                + "0a04" + "6c6f7373" // tag loss
                + "15" + "0000003f" // simple_value 0.5
                + "69f9315b";
        Path file = folder.resolve("events.out.tfevents.1.kelvin");
        TensorBoard.write(file, Instant.ofEpochMilli(1500), List.of(new Line(300, Map.of("loss", 0.5))));
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file))).isEqualTo(golden);
    }

    @Test
    void withoutLinesThereIsOnlyTheVersion() throws IOException {
        assertThat(written()).containsExactly(new Event(BEGAN_SECONDS, 0, "brain.Event:2", Map.of()));
    }

    @Test
    void linesComeBackInOrder() throws IOException {
        Line first = new Line(0, values("loss", 2.5, "f of the negatives", -0.125));
        Line second = new Line(100, values("loss", 0.0));
        Line third = new Line(200, Map.of());
        assertThat(written(first, second, third))
                .containsExactly(
                        new Event(BEGAN_SECONDS, 0, "brain.Event:2", Map.of()),
                        new Event(BEGAN_SECONDS, 0, "", Map.of("loss", 2.5f, "f of the negatives", -0.125f)),
                        new Event(BEGAN_SECONDS, 100, "", Map.of("loss", 0f)),
                        new Event(BEGAN_SECONDS, 200, "", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, 1L << 31, 1L << 62, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void anyStepComesBack(long step) throws IOException {
        assertThat(written(new Line(step, Map.of("loss", 1.0))).get(1).step()).isEqualTo(step);
    }

    @Test
    void tagsMayHaveAnyLetters() throws IOException {
        String longTag = "é".repeat(100); // 200 bytes: its length takes two
        Map<String, Double> values = values("f₊ − f₋", 1.0, "温度/🔥", 2.0, longTag, 3.0);
        assertThat(written(new Line(1, values)).get(1).values())
                .isEqualTo(Map.of("f₊ − f₋", 1f, "温度/🔥", 2f, longTag, 3f));
    }

    @Test
    void whatIsNotFiniteIsWrittenAsItIs() throws IOException {
        double otherNaN = Double.longBitsToDouble(0xfff8000012345678L);
        Map<String, Double> values = values(
                "nan", Double.NaN, "other", otherNaN, "up", Double.POSITIVE_INFINITY, "down", Double.NEGATIVE_INFINITY);
        assertThat(written(new Line(1, values)).get(1).values())
                .isEqualTo(Map.of(
                        "nan",
                        Float.NaN,
                        "other",
                        Float.NaN,
                        "up",
                        Float.POSITIVE_INFINITY,
                        "down",
                        Float.NEGATIVE_INFINITY));
        assertThat(HexFormat.of().formatHex(bytes(new Line(1, values))))
                .contains("150000c07f")
                .doesNotContain("c0ff");
    }

    @Test
    void valuesAreRoundedToFloats() throws IOException {
        Map<String, Double> values = values("third", 1.0 / 3, "huge", 1e300);
        assertThat(written(new Line(1, values)).get(1).values())
                .isEqualTo(Map.of("third", 1f / 3, "huge", Float.POSITIVE_INFINITY));
    }

    @Test
    void anOldFileIsReplacedAndNothingElseIsLeft() throws IOException {
        byte[] once = bytes(new Line(1, Map.of("loss", 1.0)));
        bytes(new Line(1, Map.of("loss", 1.0)), new Line(2, Map.of("loss", 0.5)));
        assertThat(bytes(new Line(1, Map.of("loss", 1.0)))).isEqualTo(once);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    private static Map<String, Double> values(Object... tagsAndValues) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < tagsAndValues.length; i += 2) {
            values.put((String) tagsAndValues[i], (Double) tagsAndValues[i + 1]);
        }
        return values;
    }

    private byte[] bytes(Line... lines) throws IOException {
        Path file = folder.resolve("events.out.tfevents.1700000000.kelvin");
        TensorBoard.write(file, BEGAN, List.of(lines));
        return Files.readAllBytes(file);
    }

    private List<Event> written(Line... lines) throws IOException {
        ByteBuffer in = littleEndian(bytes(lines));
        List<Event> events = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] length = take(in, Long.BYTES);
            assertThat(in.getInt()).as("checksum of the length").isEqualTo(masked(crc32c(length)));
            byte[] payload = take(in, Math.toIntExact(littleEndian(length).getLong()));
            assertThat(in.getInt()).as("checksum of the payload").isEqualTo(masked(crc32c(payload)));
            events.add(event(littleEndian(payload)));
        }
        return events;
    }

    private record Event(double wallTime, long step, String version, Map<String, Float> values) {}

    private static Event event(ByteBuffer in) {
        double wallTime = Double.NaN;
        long step = 0;
        String version = "";
        Map<String, Float> values = new LinkedHashMap<>();
        while (in.hasRemaining()) {
            int key = (int) varint(in);
            switch (key) {
                case 0x09 -> wallTime = in.getDouble();
                case 0x10 -> step = varint(in);
                case 0x1a -> version = text(in);
                case 0x2a -> readSummary(sized(in), values);
                default -> throw new AssertionError("an Event has no field with key " + key);
            }
        }
        return new Event(wallTime, step, version, values);
    }

    private static void readSummary(ByteBuffer in, Map<String, Float> values) {
        while (in.hasRemaining()) {
            assertThat(varint(in)).isEqualTo(0x0a);
            ByteBuffer value = sized(in);
            assertThat(varint(value)).isEqualTo(0x0a);
            String tag = text(value);
            assertThat(varint(value)).isEqualTo(0x15);
            assertThat(values.put(tag, value.getFloat())).isNull();
            assertThat(value.hasRemaining()).isFalse();
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static ByteBuffer sized(ByteBuffer in) {
        return littleEndian(take(in, Math.toIntExact(varint(in))));
    }

    private static String text(ByteBuffer in) {
        return StandardCharsets.UTF_8.decode(sized(in)).toString();
    }

    private static byte[] take(ByteBuffer in, int size) {
        byte[] bytes = new byte[size];
        in.get(bytes);
        return bytes;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Bit by bit, so that the JDK's is not checked against itself. */
    private static int crc32c(byte[] bytes) {
        int crc = -1;
        for (byte next : bytes) {
            crc ^= next & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) * 0x82f63b78); // the reversed Castagnoli polynomial
            }
        }
        return ~crc;
    }

    private static int masked(int crc) {
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }
}

package dev.kelvin.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskTest {
    private static final List<Long> SHAPE = List.of(2L, 3L, 4L); // two channels, 3 high, 4 wide

    @TempDir
    private Path folder;

    private static String drawn(Mask mask) {
        StringBuilder text = new StringBuilder();
        for (boolean free : mask.free()) {
            text.append(free ? '#' : '.');
        }
        return text.toString();
    }

    private static Mask mask(String text) throws IOException {
        return Mask.of(text, Key.of(1), SHAPE);
    }

    @ParameterizedTest
    @CsvSource({
        "left-half,   ##..##..##..##..##..##..",
        "right-half,  ..##..##..##..##..##..##",
        "top-half,    ####........####........",
        "bottom-half, ....########....########"
    })
    void halvesAreTheSameInEveryChannel(String name, String expected) throws IOException {
        assertThat(drawn(mask(name))).isEqualTo(expected);
        assertThat(mask(name).count())
                .isEqualTo((int) expected.chars().filter(c -> c == '#').count());
    }

    @Test
    void aShareOfThePixelsIsDrawnByTheKey() throws IOException {
        String half = drawn(mask("random-half"));
        assertThat(half).hasSize(24).isEqualTo(drawn(mask("0.5")));
        assertThat(half.substring(0, 12)).isEqualTo(half.substring(12));
        assertThat(mask("random-half").count()).isEqualTo(12);
        assertThat(mask(".25").count()).isEqualTo(6);
        assertThat(drawn(Mask.of("random-half", Key.of(2), SHAPE))).isNotEqualTo(half);
    }

    @Test
    void aPictureOrAnArraySaysWhichByWhatIsNotBlack() throws IOException {
        BufferedImage picture = new BufferedImage(4, 3, BufferedImage.TYPE_BYTE_GRAY);
        picture.getRaster().setSample(1, 2, 0, 255);
        picture.getRaster().setSample(3, 0, 0, 9);
        Path png = folder.resolve("mask.png");
        ImageIO.write(picture, "png", png.toFile());
        assertThat(drawn(mask(png.toString()))).isEqualTo("...#.....#.....#.....#..");
        try (Scope scope = Scope.open()) {
            float[] plane = new float[12];
            plane[3] = 1;
            plane[9] = 1;
            Path npy = folder.resolve("mask.npy");
            Npy.write(npy, Tensors.of(plane, 3, 4));
            assertThat(drawn(mask(npy.toString()))).isEqualTo("...#.....#.....#.....#..");
            float[] whole = new float[24];
            whole[13] = 1;
            Npy.write(npy, Tensors.of(whole, 1, 2, 3, 4));
            assertThat(drawn(mask(npy.toString()))).isEqualTo(".............#..........");
            Npy.write(npy, Tensors.of(plane, 4, 3));
            assertThatThrownBy(() -> mask(npy.toString()))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("has the shape [4, 3]; the model's images are 3 high and 4 wide");
        }
    }

    @Test
    void whatIsNoMaskIsRefused() throws IOException {
        assertThatThrownBy(() -> mask("half"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no mask half; name a picture");
        assertThatThrownBy(() -> mask("0.01")).hasMessageContaining("has no pixel to fill");
        assertThatThrownBy(() -> mask("0.999")).hasMessageContaining("has every pixel to fill");
        assertThatThrownBy(() -> Mask.of("left-half", Key.of(1), List.of(2L))).hasMessageContaining("are points");
        Path text = Files.writeString(folder.resolve("mask.txt"), "no picture");
        assertThatThrownBy(() -> mask(text.toString())).hasMessageContaining("is in no format that Kelvin knows");
    }
}

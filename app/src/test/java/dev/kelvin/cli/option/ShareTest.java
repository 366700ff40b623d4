package dev.kelvin.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ShareTest {
    private static final Share.Converter CONVERTER = new Share.Converter();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 24, 30})
    void sharesAreDisjointAndCompleteAndAlmostEqual(int count) {
        List<Integer> items = IntStream.range(0, 24).boxed().toList();
        List<Integer> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            List<Integer> share = CONVERTER.convert(i + "/" + count).of(items);
            assertThat(share.size()).isBetween(24 / count, 24 / count + 1);
            all.addAll(share);
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(items);
    }

    @Test
    void allIsAll() {
        assertThat(Share.ALL.of(List.of("a", "b"))).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/2", "1/99999999999"})
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> CONVERTER.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("such as 2/8; found '" + text + "'");
    }
}

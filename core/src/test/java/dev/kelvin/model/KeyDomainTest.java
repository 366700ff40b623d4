package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyDomainTest {
    /** Initial weights and the data that settles norms once had the same keys: each number is used for one thing. */
    @Test
    void noPurposeSharesAKeyWithAnother() {
        List<Key> keys = new ArrayList<>();
        for (KeyDomain purpose : own()) {
            keys.add(purpose.key(7));
            keys.addAll(List.of(purpose.key(7).split(10)));
        }
        assertThat(keys).doesNotHaveDuplicates();
    }

    private static List<KeyDomain> own() {
        return Stream.of(KeyDomain.values())
                .filter(purpose -> purpose.shared().isEmpty())
                .toList();
    }

    /** Whoever shares a key says so, and its value is another purpose's. */
    @Test
    void sharedKeysAreNamed() {
        for (KeyDomain purpose : KeyDomain.values()) {
            purpose.shared().ifPresent(other -> {
                assertThat(own()).contains(other);
                assertThat(purpose.key(7)).isEqualTo(other.key(7));
            });
        }
    }

    /** Files of earlier versions follow from these values. */
    @Test
    void keysAreThoseOfEarlierVersions() {
        assertThat(KeyDomain.INITIAL.key(7)).isEqualTo(Key.of(7).child(-1));
        assertThat(KeyDomain.OUT_OF_DISTRIBUTION.key())
                .isEqualTo(Key.of(0).child(-5).child(4));
        assertThat(KeyDomain.TABLE_SCORE.key()).isEqualTo(Key.of(0).child(-5).child(5));
        assertThat(KeyDomain.LATENT_REPORT.key()).isEqualTo(Key.of(0).child(-3).child(20));
    }
}

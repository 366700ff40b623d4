package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.KeyDomain;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyDomainTest {
    /** Initial weights and the data that settles norms once had the same keys: each number is used for one thing. */
    @Test
    void noPurposeSharesAKeyWithAnother() {
        List<Key> keys = new ArrayList<>();
        for (KeyDomain purpose : KeyDomain.values()) {
            keys.add(purpose.key(7));
            keys.addAll(List.of(purpose.key(7).split(10)));
        }
        assertThat(keys).doesNotHaveDuplicates();
    }
}

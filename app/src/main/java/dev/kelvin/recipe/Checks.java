package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.SettingException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What {@link Check} lacks for recipes: several checks at once, and a few that only recipes need. */
final class Checks {
    private Checks() {}

    /** Makes every check and throws the first that failed, with the others suppressed, so that all can be reported. */
    static void all(Runnable... checks) {
        @Nullable SettingException first = null;
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (SettingException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                    Stream.of(e.getSuppressed()).forEach(first::addSuppressed);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    static void require(boolean holds, String setting, String problem) {
        if (!holds) {
            throw new SettingException(setting, problem);
        }
    }

    static void positive(String setting, OptionalDouble value) {
        value.ifPresent(given -> Check.positive(setting, given));
    }

    /** In [0, 1): a decay, which at 1 would never forget. */
    static void belowOne(String setting, double value) {
        require(value >= 0 && value < 1, setting, "must be 0 or more and below 1, found " + ScalarText.format(value));
    }

    static void finite(String setting, List<Double> values) {
        for (int i = 0; i < values.size(); i++) {
            Check.finite(setting + "." + i, values.get(i));
        }
    }
}

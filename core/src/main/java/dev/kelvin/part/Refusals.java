package dev.kelvin.part;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects what checks refuse, so that all of it is reported at once. */
public final class Refusals {
    private @Nullable SettingException first;

    /** Refuses what does not hold. */
    public void require(boolean holds, String setting, String problem) {
        if (!holds) {
            add(new SettingException(setting, problem));
        }
    }

    /** Makes a check, which may refuse several settings. */
    public void check(Runnable check) {
        try {
            check.run();
        } catch (SettingException e) {
            add(e);
        }
    }

    private void add(SettingException refused) {
        if (first == null) {
            first = refused;
        } else {
            Stream.concat(Stream.of(refused), Stream.of(refused.getSuppressed()))
                    .forEach(first::addSuppressed);
        }
    }

    /** Throws what was refused first, with the rest suppressed, if anything was. */
    public void raise() {
        if (first != null) {
            throw first;
        }
    }
}

package dev.kelvin;

import dev.kelvin.part.SettingException;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with settings: every mistake that is reported together. */
public final class Mistakes {
    private Mistakes() {}

    /** The messages of all, in the order in which they were found; none where the settings are right. */
    public static List<String> of(Runnable settings) {
        List<String> messages = new ArrayList<>();
        try {
            settings.run();
        } catch (SettingException e) {
            messages.add(e.getMessage());
            for (Throwable other : e.getSuppressed()) {
                messages.add(other.getMessage());
            }
        }
        return messages;
    }
}

package dev.kelvin.part;

/** A setting's value is not one that it can take. The setting is named, so that a recipe's reader can find its line. */
public final class SettingException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    private final String setting;
    private final String problem;

    /** The setting's name, and what is wrong with its value in words that follow the name. */
    public SettingException(String setting, String problem) {
        super(setting + " " + problem);
        this.setting = setting;
        this.problem = problem;
    }

    /** The name of the setting, with those around it before it: {@code negatives.steps}. */
    public String setting() {
        return setting;
    }

    /** What is wrong with its value, in words that follow the name. */
    public String problem() {
        return problem;
    }
}

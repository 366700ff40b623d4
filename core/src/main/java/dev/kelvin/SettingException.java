package dev.kelvin;

/** A setting's value is not one that it can take. The setting is named, so that a recipe's reader can find its line. */
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String setting;

    public SettingException(String setting, String problem) {
        super(setting + " " + problem);
        this.setting = setting;
    }

    public String setting() {
        return setting;
    }
}

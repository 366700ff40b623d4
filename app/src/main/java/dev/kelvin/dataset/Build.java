package dev.kelvin.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Which Kelvin this is. */
public final class Build {
    private Build() {}

    /** Its version and the commit that it was built from, as provenance has them. */
    public static Map<String, String> facts() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Build.class.getResourceAsStream("/dev/kelvin/build.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kelvin", properties.getProperty("version", "unknown"));
        facts.put("commit", properties.getProperty("commit", "unknown"));
        return facts;
    }
}

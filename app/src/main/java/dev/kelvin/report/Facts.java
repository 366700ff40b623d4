package dev.kelvin.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names with values in the order given: where a run comes from. */
public record Facts(Map<String, String> facts) implements Block {
    public Facts {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    @Override
    public void write(Html html) {
        html.open("dl");
        facts.forEach((name, value) ->
                html.open("div").element("dt", name).element("dd", value).close("div"));
        html.close("dl");
    }
}

package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.Output;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {
    @Test
    void whatIsNoNumberIsNullInJson() {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("kl", Double.NaN);
        results.put("tv", 0.5);
        results.put("logZ", List.of(Double.NEGATIVE_INFINITY, 1.0));
        results.put("claim", Map.of("statistic", new double[] {2, Double.POSITIVE_INFINITY}));
        results.put("note", "NaN");
        StringWriter out = new StringWriter();
        Output.print(new PrintWriter(out), true, results);
        assertThat(out.toString().strip())
                .isEqualTo("{\"kl\":null,\"tv\":0.5,\"logZ\":[null,1.0],\"claim\":{\"statistic\":[2.0,null]},"
                        + "\"note\":\"NaN\"}");
    }

    @Test
    void aFailureIsAnObjectToo() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("evaluate", "no such run", "--json");
        assertThat(exit).isEqualTo(Main.RECIPE);
        assertThat(out.toString().strip())
                .isEqualTo("{\"ended\":\"failed\",\"problem\":\"there is no run at no such run\"}");
        assertThat(err.toString()).contains("there is no run at no such run");
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Numbers;

/** A figure of merit: its value, what it means to someone who has never met it, and what it says of this run. */
public record Measure(String name, double value, String meaning, Verdict verdict) {
    void writeChip(Html html) {
        html.open("li").element("span", name, "class", "name").element("b", Numbers.forPeople(value));
        verdict.write(html);
        html.close("li");
    }
}

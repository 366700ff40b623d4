package dev.kelvin.report;

import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.draw.Axis;
import dev.kelvin.draw.Chart;
import dev.kelvin.draw.Numbers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How a figure of runs depends on a setting: a dot for each run, and for each group of them a box of the quartiles or the median. */
public record EffectChart(String title, String explanation, Axis across, Axis up, List<Group> groups) implements Block {
    /** Runs with one value of the setting, or with values in one part of its range. */
    public record Group(String name, double[] x, double[] y) {
        private boolean isAtOnePlace() {
            return Arrays.stream(x).distinct().count() == 1;
        }

        private double quantile(double share) {
            return ChainDraws.quantile(Arrays.stream(y).sorted().toArray(), share);
        }

        private String words() {
            return name + ": " + Numbers.forPeople(quantile(0.5)) + " (" + Numbers.forPeople(quantile(0)) + " to "
                    + Numbers.forPeople(quantile(1)) + ")";
        }
    }

    public EffectChart {
        groups = groups.stream().filter(group -> group.y.length > 0).toList();
    }

    @Override
    public void write(Html html) {
        Chart chart = new Chart(across, up, List.of());
        for (Group group : groups) {
            for (int i = 0; i < group.x.length; i++) {
                chart.dot(group.x[i], group.y[i], 0);
            }
            double left = Arrays.stream(group.x).min().orElseThrow();
            double right = Arrays.stream(group.x).max().orElseThrow();
            if (!group.isAtOnePlace()) {
                chart.line(left, group.quantile(0.5), right, group.quantile(0.5), 1);
            } else if (group.y.length > 1) {
                chart.box(left, group.quantile(0.25), group.quantile(0.5), group.quantile(0.75), 1);
            }
            chart.note(left, group.words());
        }
        String alt = up.label() + " by " + across.label() + ": "
                + groups.stream().map(Group::words).collect(Collectors.joining("; "));
        new ChartFigure(title, chart.png(), chart.notes(), alt, explanation).write(html);
    }
}

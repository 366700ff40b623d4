package dev.kelvin.draw;

import java.util.Arrays;
import java.util.List;

/**
 * Points of one kind in pictures that compare kinds.
 *
 * @param name what they are, for the legend
 * @param columns {@code columns[variable][point]}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Cloud(String name, double[][] columns) {
    /** Of points as rows. */
    public static Cloud of(String name, double[][] rows, int variables) {
        double[][] columns = new double[variables][rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < variables; j++) {
                columns[j][i] = rows[i][j];
            }
        }
        return new Cloud(name, columns);
    }

    /** Of some of its variables. */
    public Cloud only(int... variables) {
        return new Cloud(
                name, Arrays.stream(variables).mapToObj(i -> columns[i]).toArray(double[][]::new));
    }

    /** The legend of clouds: how many points each has, and what they are. */
    static List<String> legend(List<Cloud> clouds) {
        return clouds.stream()
                .map(cloud -> Numbers.forPeople(cloud.columns[0].length) + " " + cloud.name)
                .toList();
    }
}

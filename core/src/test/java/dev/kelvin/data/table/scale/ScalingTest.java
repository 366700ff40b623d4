package dev.kelvin.data.table.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableColumns;
import dev.kelvin.data.table.Tables;
import dev.kelvin.data.table.scale.Scaling.Kind;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith({OneThread.class, InScope.class})
class ScalingTest {
    private static final int ROWS = 200;

    @TempDir
    private Path folder;

    /** Three columns that depend on each other, of very different units; the second far from 0. */
    private NumberTable table() throws IOException {
        RandomGenerator random = Key.of(1).stream();
        double[] values = new double[3 * ROWS];
        for (int i = 0; i < ROWS; i++) {
            double common = random.nextGaussian();
            values[3 * i] = 1e-3 * (common + random.nextGaussian());
            values[3 * i + 1] = 1.7e9 + 100 * (common + 0.5 * random.nextGaussian());
            values[3 * i + 2] = 5 - 40 * (random.nextGaussian() + 0.3 * common);
        }
        return Tables.read(folder, Tables.csv(3, values), TableColumns.all());
    }

    private static double[] forward(Scaling scaling, double... x) {
        return forward(scaling.scaler(), scaling.width(), x);
    }

    /** In double: W times the columns of each row. */
    private static double[] forward(Scaler scaler, int d, double... x) {
        double[] w = scaler.whitening();
        double[] z = new double[x.length];
        for (int at = 0; at < x.length; at += d) {
            double[] columns = scaler.columns(Arrays.copyOfRange(x, at, at + d));
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    z[at + i] += w[i * d + j] * columns[j];
                }
            }
        }
        return z;
    }

    private static double[][] covariance(int d, double... values) {
        int n = values.length / d;
        double[] means = new double[d];
        for (int i = 0; i < values.length; i++) {
            means[i % d] += values[i] / n;
        }
        double[][] covariance = new double[d][d];
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < d; j++) {
                covariance[i % d][j] += (values[i] - means[i % d]) * (values[i / d * d + j] - means[j]) / n;
            }
        }
        return covariance;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void thereAndBack(Kind kind) throws IOException {
        NumberTable table = table();
        Scaling scaling = Scaling.of(kind, 0.1, table, Tables.rows(table));
        double[] x = Tables.all(table);
        double[] z = forward(scaling, x);
        double[] back = new double[x.length];
        scaling.scaler().back(z, ROWS, back);
        float[] floats = new float[x.length];
        scaling.scaler().forward(x, ROWS, floats);
        for (int i = 0; i < x.length; i++) {
            assertThat(back[i]).isEqualTo(x[i], within(1e-12 * Math.abs(x[i]) + 1e-15));
            double size = kind == Kind.NONE ? Math.abs(z[i]) : 10; // of sums of a few standardised numbers
            assertThat((double) floats[i]).isEqualTo(z[i], within(1e-6 * size));
        }
    }

    @Test
    void standardisedColumnsHaveUnitDeviation() throws IOException {
        NumberTable table = table();
        double[][] covariance =
                covariance(3, forward(Scaling.of(Kind.STANDARDISE, 0, table, Tables.rows(table)), Tables.all(table)));
        for (int i = 0; i < 3; i++) {
            assertThat(covariance[i][i]).isEqualTo(1, within(1e-9));
        }
        assertThat(covariance[0][1]).isGreaterThan(0.3);
    }

    /** And each is still most like its own column, and equally like it in both directions. */
    @Test
    void whitenedColumnsAreUncorrelated() throws IOException {
        NumberTable table = table();
        Scaling scaling = Scaling.of(Kind.WHITEN, 0, table, Tables.rows(table));
        double[][] covariance = covariance(3, forward(scaling, Tables.all(table)));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(covariance[i][j]).isEqualTo(i == j ? 1 : 0, within(1e-9));
                assertThat(scaling.matrix().get(i).get(j))
                        .isEqualTo(scaling.matrix().get(j).get(i), within(1e-12));
            }
            assertThat(scaling.matrix().get(i).get(i)).isGreaterThan(0.9);
        }
    }

    /** log N(x; m, C) = log N(z; 0, I) + log |dz/dx|, with C from the numbers in the table's own units. */
    @Test
    void theDeterminantIsThatOfTheChangeOfUnits() throws IOException {
        NumberTable table = table();
        Scaling scaling = Scaling.of(Kind.WHITEN, 0, table, Tables.rows(table));
        CholeskyFactor factor = CholeskyFactor.of(covariance(3, Tables.all(table)));
        double[] x = table.inputs(17);
        double[] z = forward(scaling, x);
        double[] away = new double[3];
        double inZ = 0;
        for (int i = 0; i < 3; i++) {
            away[i] = x[i] - scaling.means().get(i);
            inZ -= z[i] * z[i] / 2;
        }
        double inX = -factor.quadratic(away) / 2 - factor.logDeterminant() / 2;
        assertThat(inZ + scaling.logDeterminant()).isEqualTo(inX, within(1e-5)); // C is summed around 1.7e9
        Scaling plain = Scaling.of(Kind.STANDARDISE, 0, table, Tables.rows(table));
        double expected = -plain.deviations().stream().mapToDouble(Math::log).sum();
        assertThat(plain.logDeterminant()).isEqualTo(expected, within(1e-12));
        assertThat(Scaling.of(Kind.NONE, 0, table).logDeterminant()).isZero();
    }

    /** log |dz/dx| of a row against differences of z, with a map of each column that is no line. */
    @Test
    void normalScoresHaveADeterminantOfTheirOwnAtEveryRow() throws IOException {
        NumberTable table = table();
        Scaler scaler =
                Scaling.of(Kind.NORMAL_SCORES, 0.1, table, Tables.rows(table)).scaler();
        for (int row : new int[] {3, 17, 40}) {
            double[] x = table.inputs(row);
            double[][] slopes = new double[3][3];
            for (int j = 0; j < 3; j++) {
                double step = new double[] {1e-9, 1e-3, 1e-5}[j];
                double[] above = x.clone();
                double[] below = x.clone();
                above[j] += step;
                below[j] -= step;
                double[] up = forward(scaler, 3, above);
                double[] down = forward(scaler, 3, below);
                for (int i = 0; i < 3; i++) {
                    slopes[i][j] = (up[i] - down[i]) / (2 * step);
                }
            }
            double determinant = slopes[0][0] * (slopes[1][1] * slopes[2][2] - slopes[1][2] * slopes[2][1])
                    - slopes[0][1] * (slopes[1][0] * slopes[2][2] - slopes[1][2] * slopes[2][0])
                    + slopes[0][2] * (slopes[1][0] * slopes[2][1] - slopes[1][1] * slopes[2][0]);
            assertThat(scaler.logDeterminant(x, 1)[0]).isEqualTo(Math.log(determinant), within(1e-3));
        }
    }

    /** Skewed, heavy-tailed or tied columns become normal scores where there is noise; others are whitened. */
    @Test
    void whatSuitsAColumnIsKnownByItsShape() throws IOException {
        RandomGenerator random = Key.of(3).stream();
        double[] normal = random.doubles(500).map(u -> 2 * u - 1).toArray();
        double[] skewed = random.doubles(500).map(u -> -Math.log(u)).toArray();
        double[] tied = random.doubles(500).map(u -> Math.rint(10 * u)).toArray();
        for (double[] column : List.of(normal, skewed, tied)) {
            NumberTable table = Tables.read(folder, Tables.csv(1, column), TableColumns.all());
            Kind kind = column == normal ? Kind.WHITEN : Kind.NORMAL_SCORES;
            assertThat(Scaling.suited(table, 0.1, Tables.rows(table))).isEqualTo(kind);
            assertThat(Scaling.suited(table, 0, Tables.rows(table))).isEqualTo(Kind.WHITEN);
        }
    }

    @Test
    void oneColumnIsWhitenedByItsDeviation() throws IOException {
        NumberTable table = Tables.read(folder, "1\n3\n", TableColumns.all());
        Scaling scaling = Scaling.of(Kind.WHITEN, 0, table, 0, 1);
        assertThat(forward(scaling, 1, 3, 5)).containsExactly(-1, 1, 3);
        assertThat(scaling.logDeterminant()).isZero();
    }

    /** A column that is the sum of two others: nothing is blown up, and there and back still is the same. */
    @Test
    void columnsThatFollowFromOthers() throws IOException {
        RandomGenerator random = Key.of(2).stream();
        double[] values = new double[3 * ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[3 * i] = random.nextGaussian();
            values[3 * i + 1] = random.nextGaussian();
            values[3 * i + 2] = values[3 * i] + values[3 * i + 1];
        }
        NumberTable table = Tables.read(folder, Tables.csv(3, values), TableColumns.all());
        Scaling scaling = Scaling.of(Kind.WHITEN, 0, table, Tables.rows(table));
        double[] z = forward(scaling, values);
        double[] back = new double[z.length];
        scaling.scaler().back(z, ROWS, back);
        for (int i = 0; i < z.length; i++) {
            assertThat(Math.abs(z[i])).isLessThan(6);
            assertThat(back[i]).isEqualTo(values[i], within(1e-9));
        }
        double most = 0.5 * -Math.log(Scaling.FLOOR);
        assertThat(scaling.logDeterminant()).isBetween(0.0, most + 2);
    }

    /** A column that varies in the table, but not among these rows. */
    @Test
    void aColumnOfOneValueKeepsItsUnit() throws IOException {
        NumberTable table = Tables.read(folder, "a,b\n1,5\n2,5\n4,6\n", TableColumns.all());
        for (Kind kind : new Kind[] {Kind.STANDARDISE, Kind.WHITEN}) {
            Scaling scaling = Scaling.of(kind, 0, table, 0, 1);
            assertThat(scaling.deviations()).containsExactly(0.5, 1.0);
            assertThat(forward(scaling, table.inputs(2))[1]).isEqualTo(1, within(1e-12));
        }
    }

    @Test
    void throughJson() throws IOException {
        NumberTable table = table();
        Scaling scaling = Scaling.of(Kind.WHITEN, 0, table, Tables.rows(table));
        JsonMapper json = new JsonMapper();
        assertThat(json.readValue(json.writeValueAsString(scaling), Scaling.class))
                .isEqualTo(scaling);
    }
}

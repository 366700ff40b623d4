package dev.kelvin.data.augment;

/**
 * Changes the length of lines of pixels: place i of the new line is the weighted mean of the old pixels about
 * (i + ½)·old/new, with weights that fall linearly to 0 over max(1, old/new) pixels. So enlarging is bilinear, and
 * shrinking averages what it leaves out, as Pillow's BILINEAR does.
 */
public final class Resampling {
    private final int[] begin;
    private final float[][] weights;

    /** From {@code from} pixels of a row to {@code to}. */
    public Resampling(int from, int to) {
        begin = new int[to];
        weights = new float[to][];
        double scale = (double) from / to;
        double reach = Math.max(1, scale);
        for (int i = 0; i < to; i++) {
            double centre = (i + 0.5) * scale;
            begin[i] = (int) Math.max(0, Math.round(centre - reach));
            int end = (int) Math.min(from, Math.round(centre + reach));
            double[] raw = new double[end - begin[i]];
            double sum = 0;
            for (int j = 0; j < raw.length; j++) {
                raw[j] = Math.max(0, 1 - Math.abs(begin[i] + j + 0.5 - centre) / reach);
                sum += raw[j];
            }
            weights[i] = new float[raw.length];
            for (int j = 0; j < raw.length; j++) {
                weights[i][j] = (float) (raw[j] / sum);
            }
        }
    }

    /** Changes each of these rows of bytes, which lie one after the other. */
    public float[] rows(byte[] rows, int count) {
        int from = rows.length / count;
        float[] result = new float[count * begin.length];
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < begin.length; i++) {
                float sum = 0;
                for (int j = 0; j < weights[i].length; j++) {
                    sum += weights[i][j] * (rows[row * from + begin[i] + j] & 0xFF);
                }
                result[row * begin.length + i] = sum;
            }
        }
        return result;
    }

    /** Changes the columns of a plane that begins at {@code from} and is so wide; the new plane begins at {@code to}. */
    public void columns(float[] plane, int from, float[] result, int to, int width) {
        for (int i = 0; i < begin.length; i++) {
            for (int j = 0; j < weights[i].length; j++) {
                int source = from + (begin[i] + j) * width;
                for (int x = 0; x < width; x++) {
                    result[to + i * width + x] += weights[i][j] * plane[source + x];
                }
            }
        }
    }
}

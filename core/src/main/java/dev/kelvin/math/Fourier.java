package dev.kelvin.math;

/** The discrete Fourier transform X_k = Σ_j x_j exp(−2πi jk/n) in place, n a power of two (Cooley and Tukey 1965). */
public final class Fourier {
    private Fourier() {}

    /** The discrete Fourier transform, in place; the length must be a power of 2. */
    public static void transform(double[] real, double[] imaginary) {
        int n = real.length;
        if (Integer.bitCount(n) != 1 || imaginary.length != n) {
            throw new IllegalArgumentException(
                    "a transform takes as many values as a power of two; found " + n + " and " + imaginary.length);
        }
        reverseBits(real);
        reverseBits(imaginary);
        double[] cosines = new double[n / 2];
        double[] sines = new double[n / 2];
        for (int k = 0; k < n / 2; k++) {
            double angle = -2 * Math.PI * k / n;
            cosines[k] = Math.cos(angle);
            sines[k] = Math.sin(angle);
        }
        for (int half = 1; half < n; half *= 2) { // pairs of transforms of this length become one of twice of it
            int stride = n / (2 * half);
            for (int start = 0; start < n; start += 2 * half) {
                for (int k = 0; k < half; k++) {
                    int a = start + k;
                    int b = a + half;
                    double cosine = cosines[k * stride];
                    double sine = sines[k * stride];
                    double turnedReal = real[b] * cosine - imaginary[b] * sine;
                    double turnedImaginary = real[b] * sine + imaginary[b] * cosine;
                    real[b] = real[a] - turnedReal;
                    imaginary[b] = imaginary[a] - turnedImaginary;
                    real[a] += turnedReal;
                    imaginary[a] += turnedImaginary;
                }
            }
        }
    }

    private static void reverseBits(double[] values) {
        double[] before = values.clone();
        int shift = Integer.numberOfLeadingZeros(values.length) + 1;
        for (int i = 1; i < values.length; i++) { // of one value alone nothing is moved, and the shift would be 32
            values[Integer.reverse(i) >>> shift] = before[i];
        }
    }
}

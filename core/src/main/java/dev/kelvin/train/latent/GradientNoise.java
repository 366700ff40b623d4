package dev.kelvin.train.latent;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Descent;
import java.util.Arrays;
import java.util.List;

/**
 * How a batch's gradient spreads.
 *
 * @param overParameters its variance over all parameters, the quantity of Raj and Girolami 2024, in the mean over draws
 * @param overDraws each parameter's variance over draws of batch and chains, in the mean over parameters
 */
public record GradientNoise(double overParameters, double overDraws) {
    /** Sums over draws of gradients, a number for each parameter. */
    static final class Sums {
        private final double[] sum;
        private double squares;
        private double variances;
        private int draws;

        Sums(long parameters) {
            sum = new double[Math.toIntExact(parameters)];
        }

        void add(double variance, List<double[]> gradients) {
            int at = 0;
            for (double[] part : gradients) {
                for (double value : part) {
                    sum[at++] += value;
                    squares += value * value;
                }
            }
            variances += variance;
            draws++;
        }

        GradientNoise noise() {
            double ofMeans = Arrays.stream(sum).map(value -> value * value).sum() / draws;
            return new GradientNoise(variances / draws, (squares - ofMeans) / (draws - 1.0) / sum.length);
        }
    }

    /** The variance over all parameters of several networks' gradients. */
    static final class Spread {
        private double sum;
        private double squares;
        private long count;

        void add(Tensor gradient) {
            sum += gradient.sum().item();
            double norm = Descent.norm(gradient);
            squares += norm * norm;
            count += gradient.count();
        }

        double variance() {
            double mean = sum / count;
            return squares / count - mean * mean;
        }
    }
}

package dev.kelvin.metric.image;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;

/** What {@link KernelDistance} compares two feature vectors by. */
public sealed interface FeatureKernel {
    /** k of each row of x with each of y: [n, d], [m, d] → [n, m]. */
    Tensor matrix(Tensor x, Tensor y);

    /** (x·y/d + 1)³, the kernel of KID: it sees the features' first three moments. */
    record Cubic() implements FeatureKernel {
        @Override
        public Tensor matrix(Tensor x, Tensor y) {
            Tensor base = x.matmul(y.transpose()).timesInPlace(1.0 / x.size(1)).addNumberInPlace(1);
            return base.square().timesInPlace(base);
        }
    }

    /** exp(−‖x − y‖²/2h²): it sees all moments, those best whose scale is the bandwidth's. */
    record Gaussian(double bandwidth) implements FeatureKernel {
        public Gaussian {
            Check.positive("bandwidth", bandwidth);
        }

        @Override
        public Tensor matrix(Tensor x, Tensor y) {
            return x.distances(y)
                    .square()
                    .timesInPlace(-0.5 / (bandwidth * bandwidth))
                    .exp();
        }
    }
}

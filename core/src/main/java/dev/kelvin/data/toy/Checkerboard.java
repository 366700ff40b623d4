package dev.kelvin.data.toy;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.random.RandomGenerator;

/**
 * Uniform on the 8 dark squares, of side 2, of a board on [−4, 4]²: those where ⌊x/2⌋ + ⌊y/2⌋ is even. f = −log 32 on
 * them and −∞ elsewhere; its gradient is 0.
 */
final class Checkerboard implements LogDensity, ExactSampler {
    /** 10.24 wide, so that grids of 128, 256, 512 cells have the squares' edges between cells: they integrate exactly. */
    static final Box DOMAIN = Box.square(0, 0, 5.12);

    private static final double HALF = 4;
    private static final int SQUARES = 8;
    private static final double LOG_AREA = Math.log(SQUARES * 4.0);

    @Override
    public int dimension() {
        return 2;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        int square = random.nextInt(SQUARES);
        int row = square / 2;
        int column = 2 * (square % 2) + row % 2;
        point[0] = 2 * (column + random.nextDouble()) - HALF;
        point[1] = 2 * (row + random.nextDouble()) - HALF;
    }

    @Override
    public Tensor at(Tensor x) {
        Constants.samples(x, 2);
        try (Scope scope = Scope.open()) {
            DType type = x.dtype();
            Tensor zero = Tensors.full(0, type, x.device());
            // sin(pi x / 2) sin(pi y / 2) is positive where the squares' numbers have an even sum
            Tensor waves = x.times(Math.PI / 2).sin();
            Tensor dark = zero.lessThan(waves.select(1, 0).times(waves.select(1, 1)));
            Tensor near = x.abs().lessThan(Tensors.full(HALF, type, x.device()));
            Tensor inside = dark.times(near.select(1, 0)).times(near.select(1, 1));
            Tensor level = Tensors.full(-LOG_AREA, type, x.device());
            Tensor nothing = Tensors.full(Double.NEGATIVE_INFINITY, type, x.device());
            // 0 for numbers, NaN for NaN: keeps f a function of x, so that its gradient can be asked for
            Tensor nought = x.clamp(-1, 1).times(0).sum(1L);
            return scope.keep(level.where(inside, nothing).plus(nought));
        }
    }
}

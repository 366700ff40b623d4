package dev.kelvin.math;

import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** A rectangle of the plane, [xMin, xMax] × [yMin, yMax]: where a density in two dimensions is drawn and integrated. */
public record Box(double xMin, double xMax, double yMin, double yMax) {
    public Box {
        ordered("x", xMin, xMax);
        ordered("y", yMin, yMax);
    }

    /** The square with this centre; half is half its side. */
    public static Box square(double centreX, double centreY, double half) {
        Check.positive("half", half);
        return new Box(centreX - half, centreX + half, centreY - half, centreY + half);
    }

    /** From left to right. */
    public double width() {
        return xMax - xMin;
    }

    /** From bottom to top. */
    public double height() {
        return yMax - yMin;
    }

    /** Width times height. */
    public double area() {
        return width() * height();
    }

    /** True on the box without its upper edges, so that boxes side by side share no point; false for NaN. */
    public boolean contains(double x, double y) {
        return x >= xMin && x < xMax && y >= yMin && y < yMax;
    }

    /**
     * The centres of the cells of a {@code cells} × {@code cells} grid, [count, 2], from cell {@code start} on; cell
     * number row · cells + column, rows by rising y, columns by rising x.
     */
    public Tensor cellCentres(int cells, int start, int count, DType type) {
        double[] points = new double[2 * count];
        for (int i = 0; i < count; i++) {
            int row = (start + i) / cells;
            int column = (start + i) % cells;
            points[2 * i] = xMin + (column + 0.5) * width() / cells;
            points[2 * i + 1] = yMin + (row + 0.5) * height() / cells;
        }
        return Scope.kept(() -> Tensors.of(points, count, 2).to(type));
    }

    private static void ordered(String axis, double low, double high) {
        Check.finite(axis + "Min", low);
        Check.finite(axis + "Max", high);
        if (!(low < high)) {
            throw new SettingException(axis + "Max", "must be above " + axis + "Min = " + low + ", found " + high);
        }
    }
}

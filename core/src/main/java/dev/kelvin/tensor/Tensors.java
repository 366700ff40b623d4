package dev.kelvin.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Makes tensors: from numbers, from keys, from other tensors. */
public final class Tensors {
    private Tensors() {}

    // ---- from numbers

    /** Floats on the CPU in a shape, row by row. */
    public static Tensor of(float[] values, long... shape) {
        Tensor tensor = empty(DType.FLOAT, Device.CPU, shapeOf(values.length, shape));
        write(tensor, pointer -> new FloatPointer(pointer).put(values));
        return tensor;
    }

    /** Doubles on the CPU in a shape, row by row. */
    public static Tensor of(double[] values, long... shape) {
        Tensor tensor = empty(DType.DOUBLE, Device.CPU, shapeOf(values.length, shape));
        write(tensor, pointer -> new DoublePointer(pointer).put(values));
        return tensor;
    }

    /** Numbers in another tensor's type and place. */
    public static Tensor like(Tensor other, double[] values, long... shape) {
        try (Scope scope = Scope.open()) {
            // a conversion in Java is cheaper than an operation
            Tensor made = other.dtype() == DType.FLOAT
                    ? of(floats(values), shape)
                    : of(values, shape).to(other.dtype());
            return scope.keep(made.to(other.device()));
        }
    }

    private static float[] floats(double... values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    /** Whole numbers on the CPU, [n]. */
    public static Tensor of(long... values) {
        Tensor tensor = empty(DType.LONG, Device.CPU, values.length);
        write(tensor, pointer -> new LongPointer(pointer).put(values));
        return tensor;
    }

    /** Truth values, as {@link Tensor#where} takes them, on the CPU. */
    public static Tensor of(boolean... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (values[i] ? 1 : 0);
        }
        Tensor tensor = empty(DType.BOOL, Device.CPU, values.length);
        write(tensor, pointer -> new BytePointer(pointer).put(bytes));
        return tensor;
    }

    /** Whole numbers from 0 to 255 on the CPU, to be written through {@link Tensor#memory}: what they are now is not said. */
    public static Tensor bytes(long... shape) {
        return empty(DType.BYTE, Device.CPU, shape);
    }

    /** Zeros. */
    public static Tensor zeros(DType type, Device device, long... shape) {
        return full(0, type, device, shape);
    }

    /** One number everywhere; of a tensor without dimensions where no shape is given. */
    public static Tensor full(double value, DType type, Device device, long... shape) {
        return Tensor.of(() -> {
            org.bytedeco.pytorch.Tensor raw = rawEmpty(type, device, shape);
            raw.fill_(Scalars.of(value));
            return raw;
        });
    }

    /** Zeros of the same shape and type, on the same device. */
    public static Tensor zerosLike(Tensor other) {
        return Tensor.of(() -> torch.zeros_like(other.raw()));
    }

    /** The unit matrix. */
    public static Tensor eye(int size, DType type) {
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            values[i * size + i] = 1;
        }
        return Scope.kept(() -> of(values, size, size).to(type));
    }

    /** Memory that is not initialised. */
    public static Tensor empty(DType type, Device device, long... shape) {
        return Tensor.of(() -> rawEmpty(type, device, shape));
    }

    private static org.bytedeco.pytorch.Tensor rawEmpty(DType type, Device device, long... shape) {
        if (!device.cuda()) { // which says so itself
            Memory.tensor(type, shape);
        }
        return torch.empty(shape, OPTIONS.computeIfAbsent(new Place(type, device), Place::options), ANY_FORMAT.get());
    }

    /** What a new tensor is made with: one for each type and place, kept, because making it takes longer than using it. */
    private static final Map<Place, TensorOptions> OPTIONS = new ConcurrentHashMap<>();

    private static final ThreadLocal<MemoryFormatOptional> ANY_FORMAT =
            ThreadLocal.withInitial(MemoryFormatOptional::new);

    private record Place(DType type, Device device) {
        TensorOptions options() {
            try (org.bytedeco.pytorch.Device place = device.raw();
                    TensorOptions bare = new TensorOptions(place);
                    ScalarTypeOptional scalarType = new ScalarTypeOptional(type.scalarType())) {
                return bare.dtype(scalarType);
            }
        }
    }

    /** Writes to a tensor's memory on the host. */
    public static void write(Tensor tensor, java.util.function.Consumer<Pointer> writer) {
        if (tensor.count() > 0) {
            writer.accept(tensor.raw().data_ptr());
        }
    }

    /** [count, ...]: the shape of samples of one shape. */
    public static long[] batch(long count, List<Long> shape) {
        return LongStream.concat(LongStream.of(count), shape.stream().mapToLong(Long::longValue))
                .toArray();
    }

    private static long[] shapeOf(int length, long... shape) {
        if (shape.length == 0) {
            return new long[] {length};
        }
        if (LongStream.of(shape).reduce(1, (a, b) -> a * b) != length) {
            throw new IllegalArgumentException(length + " numbers do not fill the shape " + Arrays.toString(shape));
        }
        return shape;
    }

    // ---- from other tensors

    /** Joins tensors along a dimension that they have. */
    public static Tensor concat(long dim, List<Tensor> parts) {
        return Tensor.of(() -> {
            try (TensorVector vector = vector(parts)) {
                return torch.cat(vector, dim);
            }
        });
    }

    /** One after the other along a dimension. */
    public static Tensor concat(long dim, Tensor... parts) {
        return concat(dim, List.of(parts));
    }

    /** Joins tensors along a new dimension. */
    public static Tensor stack(long dim, List<Tensor> parts) {
        return Tensor.of(() -> {
            try (TensorVector vector = vector(parts)) {
                return torch.stack(vector, dim);
            }
        });
    }

    static TensorVector vector(List<Tensor> parts) {
        return new TensorVector(parts.stream().map(Tensor::raw).toArray(org.bytedeco.pytorch.Tensor[]::new));
    }

    // ---- from keys

    /** Independent standard normal numbers. */
    public static Tensor normal(Key key, DType type, Device device, long... shape) {
        return filled(key, type, device, 1, shape);
    }

    /** Standard normal numbers of type float on the CPU. */
    public static Tensor normal(Key key, long... shape) {
        return normal(key, DType.FLOAT, Device.CPU, shape);
    }

    /** Normal numbers with mean 0 and this standard deviation, in another tensor's shape, type and place. */
    public static Tensor normalLike(Key key, double std, Tensor other) {
        return filled(key, other.dtype(), other.device(), std, other.shape());
    }

    /** Independent numbers uniform on [low, high), drawn on the CPU: equal numbers whatever the device. */
    public static Tensor uniform(Key key, double low, double high, DType type, Device device, long... shape) {
        RandomGenerator stream = key.stream();
        double[] values = new double[count(type, shape)];
        Arrays.setAll(values, i -> low + (high - low) * stream.nextDouble());
        return Scope.kept(() ->
                of(values, shape.length == 0 ? new long[] {1} : shape).to(type).to(device));
    }

    private static int count(DType type, long... shape) {
        return Memory.array(type == DType.FLOAT ? Float.BYTES : Double.BYTES, shape);
    }

    private static Tensor filled(Key key, DType type, Device device, double std, long... shape) {
        if (device.cuda()) {
            return Recording.isOpen()
                    ? Recording.normal(key, type, device, std, shape)
                    : redraw(key, std, empty(type, device, shape));
        }
        int n = count(type, shape);
        if (type == DType.FLOAT) {
            float[] values = new float[n];
            Normals.fill(key, std, values);
            return of(values, shape.length == 0 ? new long[] {1} : shape);
        }
        double[] values = new double[n];
        Normals.fill(key, std, values);
        return Scope.kept(() -> of(values, shape).to(type));
    }

    /** Writes normal numbers by libtorch's Philox; a GPU's generator is shared, so seeding and drawing are one step. */
    static Tensor redraw(Key key, double std, Tensor into) {
        synchronized (Tensors.class) {
            try (org.bytedeco.pytorch.Device place = into.device().raw()) {
                Context context = torch.globalContext();
                Generator generator = context.defaultGenerator(place);
                generator.set_current_seed(key.seed());
                try (GeneratorOptional option = new GeneratorOptional(generator)) {
                    into.raw().normal_(0, std, option);
                }
            }
        }
        return into;
    }
}

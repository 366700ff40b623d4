package dev.kelvin.tensor;

import org.bytedeco.pytorch.global.torch.ScalarType;

/** The types of a tensor's elements. */
public enum DType {
    FLOAT(ScalarType.Float, 4, "F32", "<f4"),
    DOUBLE(ScalarType.Double, 8, "F64", "<f8"),
    BFLOAT16(ScalarType.BFloat16, 2, "BF16", ""),
    LONG(ScalarType.Long, 8, "I64", "<i8"),
    INT(ScalarType.Int, 4, "I32", "<i4"),
    BYTE(ScalarType.Byte, 1, "U8", "|u1"),
    BOOL(ScalarType.Bool, 1, "BOOL", "|b1");

    private final ScalarType scalarType;
    private final int bytes;
    private final String safetensors;
    private final String npy;

    DType(ScalarType scalarType, int bytes, String safetensors, String npy) {
        this.scalarType = scalarType;
        this.bytes = bytes;
        this.safetensors = safetensors;
        this.npy = npy;
    }

    /** The size of one element. */
    public int bytes() {
        return bytes;
    }

    ScalarType scalarType() {
        return scalarType;
    }

    /** The type's name in a safetensors header. */
    public String safetensors() {
        return safetensors;
    }

    /** The type's name in an npy header; empty where npy has none. */
    public String npy() {
        return npy;
    }

    static DType of(ScalarType scalarType) {
        for (DType type : values()) {
            if (type.scalarType.value == scalarType.value) {
                return type;
            }
        }
        throw new TensorException("Kelvin has no element type for libtorch's " + scalarType);
    }
}

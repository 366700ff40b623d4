// Element-by-element work on a GPU that libtorch does in several passes over memory; see Fused.java.
// Every argument takes eight bytes: pointers, whole numbers, and doubles. Images are bfloat16 with the channels innermost;
// "eights" is their number of elements over 8, "groups" their number of channels over 8.

typedef unsigned int u32;
typedef long long i64;

struct alignas(16) Eight {
    u32 pair[4];
};

struct Floats {
    float at[8];
};

__device__ Floats widened(Eight low) {
    Floats wide;
    for (int i = 0; i < 4; i++) {
        wide.at[2 * i] = __uint_as_float(low.pair[i] << 16);
        wide.at[2 * i + 1] = __uint_as_float(low.pair[i] & 0xffff0000u);
    }
    return wide;
}

__device__ u32 rounded(float first, float second) { // to the nearest, ties to even; NaN stays NaN
    u32 pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

__device__ Eight rounded(Floats wide) {
    Eight low;
    for (int i = 0; i < 4; i++) {
        low.pair[i] = rounded(wide.at[2 * i], wide.at[2 * i + 1]);
    }
    return low;
}

__device__ float leaky(float x, float slope) {
    return x > 0 ? x : slope * x;
}

// x <- phi(x + bias)
extern "C" __global__ void biasActivation(Eight* x, const Eight* bias, i64 groups, i64 eights, double slope) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < eights; i += gridDim.x * blockDim.x) {
        Floats v = widened(x[i]);
        Floats b = widened(bias[i % (u32)groups]);
        for (int k = 0; k < 8; k++) {
            v.at[k] = leaky(v.at[k] + b.at[k], (float)slope);
        }
        x[i] = rounded(v);
    }
}

// sum <- branch + bias + skip + skipBias; activation <- phi(sum). No skip and no skipBias where they are null.
extern "C" __global__ void sumActivation(
        const Eight* branch, const Eight* bias, const Eight* skip, const Eight* skipBias,
        Eight* sum, Eight* activation, i64 groups, i64 eights, double slope) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < eights; i += gridDim.x * blockDim.x) {
        u32 channel = i % (u32)groups;
        Floats v = widened(branch[i]);
        Floats b = widened(bias[channel]);
        for (int k = 0; k < 8; k++) {
            v.at[k] += b.at[k];
        }
        if (skip) {
            Floats s = widened(skip[i]);
            for (int k = 0; k < 8; k++) {
                v.at[k] += s.at[k];
            }
        }
        if (skipBias) {
            Floats c = widened(skipBias[channel]);
            for (int k = 0; k < 8; k++) {
                v.at[k] += c.at[k];
            }
        }
        Eight low = rounded(v);
        sum[i] = low;
        v = widened(low);
        for (int k = 0; k < 8; k++) {
            v.at[k] = leaky(v.at[k], (float)slope);
        }
        activation[i] = rounded(v);
    }
}

// gradient <- gradient * phi'(.) + rest, phi' by the activation's sign; no rest where it is null.
extern "C" __global__ void activationGradient(
        Eight* gradient, const Eight* activation, const Eight* rest, i64 eights, double slope) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < eights; i += gridDim.x * blockDim.x) {
        Floats g = widened(gradient[i]);
        Floats a = widened(activation[i]);
        for (int k = 0; k < 8; k++) {
            g.at[k] = a.at[k] > 0 ? g.at[k] : (float)slope * g.at[k];
        }
        if (rest) {
            Floats r = widened(rest[i]);
            for (int k = 0; k < 8; k++) {
                g.at[k] += r.at[k];
            }
        }
        gradient[i] = rounded(g);
    }
}

// partial[block] <- the sums of each channel over the block's rows, which are all pixels of all images. A thread adds up eight
// channels of every so many rows; then the block's threads of the same channels are added, always in the same order.
extern "C" __global__ void channelSums(const Eight* x, float* partial, i64 groups, i64 rows) {
    extern __shared__ float sums[]; // [threads][8]
    u32 lanes = blockDim.x / (u32)groups; // rows at a time
    u32 group = threadIdx.x % (u32)groups;
    u32 lane = threadIdx.x / (u32)groups;
    Floats total;
    for (int k = 0; k < 8; k++) {
        total.at[k] = 0;
    }
    if (lane < lanes) {
        for (i64 row = blockIdx.x * (i64)lanes + lane; row < rows; row += gridDim.x * (i64)lanes) {
            Floats v = widened(x[row * groups + group]);
            for (int k = 0; k < 8; k++) {
                total.at[k] += v.at[k];
            }
        }
    }
    for (int k = 0; k < 8; k++) {
        sums[threadIdx.x * 8 + k] = total.at[k];
    }
    __syncthreads();
    for (u32 channel = threadIdx.x; channel < groups * 8; channel += blockDim.x) {
        float all = 0;
        for (u32 i = 0; i < lanes; i++) {
            all += sums[(i * (u32)groups + channel / 8) * 8 + channel % 8];
        }
        partial[blockIdx.x * groups * 8 + channel] = all;
    }
}

// Adam: g <- g + coupled*p; m <- b1*m + (1 - b1)*g; v <- b2*v + (1 - b2)*g^2; p <- kept*p - rate*m/(sqrt(v)/root + epsilon)
extern "C" __global__ void adam(
        float* p, const float* gradient, float* m, float* v, i64 count, double b1, double b2, double coupled, double kept,
        double rate, double root, double epsilon) {
    for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (i64)blockDim.x) {
        float at = p[i];
        float g = gradient[i] + (float)coupled * at;
        float mean = (float)b1 * m[i] + (float)(1 - b1) * g;
        float square = (float)b2 * v[i] + (float)(1 - b2) * g * g;
        m[i] = mean;
        v[i] = square;
        p[i] = (float)kept * at - (float)rate * mean / (sqrtf(square) * (float)(1 / root) + (float)epsilon);
    }
}

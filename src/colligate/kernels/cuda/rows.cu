// Operations on documents x groups: softmax, weights, column sums and the steps of a factorisation.
//
// Column sums: the threads of a block are a multiple of the width, so a thread stays in one column. A block
// writes its sums, and the blocks are added in their order. So the result is the same in every run. A thread asks
// for AHEAD rows before it uses the first, since these kernels do little else than wait for memory.

#define AHEAD 4

__device__ inline float exponential(float x) { return expf(x); }
__device__ inline double exponential(double x) { return exp(x); }
__device__ inline float logarithm(float x) { return logf(x); }
__device__ inline double logarithm(double x) { return log(x); }

// LANES lanes take one row
template <typename T>
__global__ void softmax_rows(const T* __restrict__ scores, T* __restrict__ out, long long n, int width) {
    const int LANES = 8;
    long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    int lane = threadIdx.x % LANES;
    bool is_used = row < n;
    const T* x = scores + (is_used ? row : 0) * width;
    T* y = out + (is_used ? row : 0) * width;
    T top = x[0], total = 0, kept[4];
    // a row of at most 4 * LANES numbers is read once
    bool is_narrow = width <= 4 * LANES;
    if (is_narrow) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            kept[j] = x[min(lane + j * LANES, width - 1)];
            top = max(top, kept[j]);
        }
    } else {
        for (int k = lane; k < width; k += LANES) top = max(top, x[k]);
    }
    for (int step = LANES / 2; step > 0; step /= 2) top = max(top, __shfl_xor_sync(0xffffffffu, top, step));
    if (is_narrow) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            kept[j] = exponential(kept[j] - top);
            if (lane + j * LANES < width) total += kept[j];
        }
    } else {
        for (int k = lane; k < width; k += LANES) total += exponential(x[k] - top);
    }
    for (int step = LANES / 2; step > 0; step /= 2) total += __shfl_xor_sync(0xffffffffu, total, step);
    T inverse = (T)1 / total;
    if (!is_used) return;
    if (is_narrow) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (lane + j * LANES < width) y[lane + j * LANES] = kept[j] * inverse;
    } else {
        for (int k = lane; k < width; k += LANES) y[k] = exponential(x[k] - top) * inverse;
    }
}

__device__ inline void write_sums(double value, double* shared, double* parts, int width) {
    shared[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < width) {
        for (int other = threadIdx.x + width; other < blockDim.x; other += width) value += shared[other];
        parts[(long long)blockIdx.x * width + threadIdx.x] = value;
    }
    __syncthreads();
}

// parts[block] = column sums of x, times the weight of each row if there are weights; with `out`, the products
template <typename T>
__global__ void sum_columns(const T* __restrict__ x, const double* __restrict__ weights, T* __restrict__ out,
                            long long n, int width, double* parts) {
    extern __shared__ double shared[];
    int k = threadIdx.x % width, per_block = blockDim.x / width;
    long long step = (long long)gridDim.x * per_block;
    double total = 0.0;
    for (long long row = (long long)blockIdx.x * per_block + threadIdx.x / width; row < n; row += AHEAD * step) {
        T value[AHEAD];
        double weight[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) {
            bool is_row = row + j * step < n;
            value[j] = is_row ? x[(row + j * step) * width + k] : (T)0;
            weight[j] = weights != nullptr && is_row ? weights[row + j * step] : 1.0;
        }
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) {
            if (weights != nullptr) value[j] = (T)(value[j] * weight[j]);
            if (out != nullptr && row + j * step < n) out[(row + j * step) * width + k] = value[j];
            total += (double)value[j];
        }
    }
    write_sums(total, shared, parts, width);
}

// parts[block] = column sums of weight * (q log q - q s), with 0 log 0 = 0
template <typename T>
__global__ void sum_costs(const T* __restrict__ q, const T* __restrict__ s, const double* __restrict__ weights,
                          long long n, int width, double* parts) {
    extern __shared__ double shared[];
    int k = threadIdx.x % width, per_block = blockDim.x / width;
    long long step = (long long)gridDim.x * per_block;
    double total = 0.0;
    for (long long row = (long long)blockIdx.x * per_block + threadIdx.x / width; row < n; row += AHEAD * step) {
        T share[AHEAD], score[AHEAD];
        double weight[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) {
            bool is_row = row + j * step < n;
            long long i = (row + j * step) * width + k;
            share[j] = is_row ? q[i] : (T)0;
            score[j] = is_row ? s[i] : (T)0;
            weight[j] = is_row ? weights[row + j * step] : 0.0;
        }
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (share[j] > 0) total += weight[j] * (double)(share[j] * (logarithm(share[j]) - score[j]));
    }
    write_sums(total, shared, parts, width);
}

// x += row for every row, by columns like `sum_columns`
template <typename T>
__global__ void add_row(T* __restrict__ x, const double* __restrict__ row, long long n, int width) {
    T value = (T)row[threadIdx.x % width];
    long long step = (long long)gridDim.x * blockDim.x, size = n * width;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += AHEAD * step) {
        T read[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) read[j] = i + j * step < size ? x[i + j * step] : (T)0;
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (i + j * step < size) x[i + j * step] = read[j] + value;
    }
}

// gain and loss of a step become a = gain G and b = loss / G, in place; parts[block] = largest a - b
__global__ void prepare_step(const double* __restrict__ G, const double* __restrict__ C, double* gain,
                             double* loss, const double* __restrict__ further_gain,
                             const double* __restrict__ further_loss, double tiny, long long n, int width,
                             double* parts) {
    extern __shared__ double shared[];
    int k = threadIdx.x % width, per_block = blockDim.x / width;
    double least = -1e308;
    for (long long row = (long long)blockIdx.x * per_block + threadIdx.x / width; row < n;
         row += (long long)gridDim.x * per_block) {
        long long i = row * width + k;
        double c = C[i];
        double g = gain[i] + fmax(c, 0.0), d = loss[i] + fmax(-c, 0.0);
        if (further_gain != nullptr) g += further_gain[i];
        if (further_loss != nullptr) d += further_loss[i];
        double a = (g + tiny) * G[i], b = d / G[i];
        gain[i] = a;
        loss[i] = b;
        least = fmax(least, a - b);
    }
    shared[threadIdx.x] = least;
    __syncthreads();
    if (threadIdx.x < width) {
        for (int other = threadIdx.x + width; other < blockDim.x; other += width)
            least = fmax(least, shared[other]);
        parts[(long long)blockIdx.x * width + threadIdx.x] = least;
    }
}

// parts[block] = column sums of a / max(b + multiplier, a), then of the same over max(b + multiplier, a)
__global__ void sum_newton(const double* __restrict__ a, const double* __restrict__ b,
                           const double* __restrict__ multiplier, long long n, int width, double* parts) {
    extern __shared__ double shared[];
    int k = threadIdx.x % width, per_block = blockDim.x / width;
    double total = 0.0, slope = 0.0;
    for (long long row = (long long)blockIdx.x * per_block + threadIdx.x / width; row < n;
         row += (long long)gridDim.x * per_block) {
        long long i = row * width + k;
        double denominator = fmax(b[i] + multiplier[k], a[i]), square = a[i] / denominator;
        total += square;
        slope += square / denominator;
    }
    write_sums(total, shared, parts, width);
    write_sums(slope, shared, parts + (long long)gridDim.x * width, width);
}

// x = sqrt(square), or square / G without `root`; parts[block] = column sums of its squares
__global__ void finish_step(const double* __restrict__ G, const double* __restrict__ a,
                            const double* __restrict__ b, const double* __restrict__ multiplier, int root,
                            double* __restrict__ x, long long n, int width, double* parts) {
    extern __shared__ double shared[];
    int k = threadIdx.x % width, per_block = blockDim.x / width;
    double total = 0.0;
    for (long long row = (long long)blockIdx.x * per_block + threadIdx.x / width; row < n;
         row += (long long)gridDim.x * per_block) {
        long long i = row * width + k;
        double square = a[i] / fmax(b[i] + multiplier[k], a[i]);
        double value = root ? sqrt(square) : square / G[i];
        x[i] = value;
        total += value * value;
    }
    write_sums(total, shared, parts, width);
}

// columns of x to unit length, and no entry below the floor
__global__ void scale_columns(double* x, const double* __restrict__ lengths, double least, long long n,
                              int width) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * width) x[i] = fmax(x[i] / lengths[i % width], least);
}

// parts[block] = sums of left[row][i] * right[row][j] over the rows of the block; a thread takes some (i, j)
template <typename L, typename R>
__global__ void overlap_rows(const L* __restrict__ left, const R* __restrict__ right, long long n, int n_left,
                             int n_right, int rows, double* parts) {
    extern __shared__ double shared[];
    double* a = shared;
    double* b = shared + rows * n_left;
    double total[4] = {0.0, 0.0, 0.0, 0.0};
    int size = n_left * n_right;
    for (long long first = (long long)blockIdx.x * rows; first < n; first += (long long)gridDim.x * rows) {
        int count = (int)min((long long)rows, n - first);
        for (int i = threadIdx.x; i < count * n_left; i += blockDim.x) a[i] = (double)left[first * n_left + i];
        for (int i = threadIdx.x; i < count * n_right; i += blockDim.x) b[i] = (double)right[first * n_right + i];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int cell = threadIdx.x + j * blockDim.x;
            if (cell < size) {
                const double* x = a + cell / n_right;
                const double* y = b + cell % n_right;
                double sum = total[j];
                for (int r = 0; r < count; ++r) sum += x[r * n_left] * y[r * n_right];
                total[j] = sum;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        int cell = threadIdx.x + j * blockDim.x;
        if (cell < size) parts[(long long)blockIdx.x * size + cell] = total[j];
    }
}

// Products of a sparse matrix with a tall and thin one, and sums over the rows of tall and thin ones.
//
// A warp takes one row of the sparse matrix. Four columns of the thin matrix are one load, so with 20 columns
// five lanes share an entry and a warp takes six entries at a time. Values are added in runs of RUN steps in
// the type of the thin matrix, and the runs in double. The order of all sums is fixed by the data alone.

#define RUN 64
#define TILE 128

template <typename D> struct Quad { D v[4]; };

__device__ inline Quad<float> load_quad(const float* p) {
    float4 q = *reinterpret_cast<const float4*>(p);
    return {{q.x, q.y, q.z, q.w}};
}

__device__ inline Quad<double> load_quad(const double* p) {
    double2 a = reinterpret_cast<const double2*>(p)[0], b = reinterpret_cast<const double2*>(p)[1];
    return {{a.x, a.y, b.x, b.y}};
}

template <typename T>
__device__ inline void add_entries(T* total, int entry, int n_entries, int n_groups) {
    // a tree over the entries of the warp; lanes without a partner add nothing
    int lane = threadIdx.x & 31, stride = 1;
    while (2 * stride < n_entries) stride *= 2;
    for (; stride > 0; stride /= 2) {
        int other = lane + stride * n_groups;
        bool has_partner = entry < stride && entry + stride < n_entries;
        for (int i = 0; i < 4; ++i) {
            T value = __shfl_sync(0xffffffffu, total[i], other & 31);
            if (has_partner) total[i] += value;
        }
    }
}

// out[row] = sum over the entries of the row of value * dense[column]; dense has rows of `stride` values, a
// multiple of four, of which the first `width` are wanted
template <typename V, typename D>
__global__ void multiply_rows(const V* __restrict__ values, const int* __restrict__ columns,
                              const long long* __restrict__ starts, long long n_rows,
                              const D* __restrict__ dense, D* __restrict__ out, int width, int stride) {
    long long row = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n_rows) return;
    int lane = threadIdx.x & 31, offset = blockIdx.y * TILE;
    int n_groups = min(TILE, stride - offset) / 4, n_entries = 32 / n_groups;
    int entry = lane / n_groups, group = lane % n_groups;
    bool is_used = entry < n_entries;
    const D* base = dense + offset + 4 * group;
    long long first = starts[row], last = starts[row + 1];
    double total[4] = {0.0, 0.0, 0.0, 0.0};
    D run[4] = {0, 0, 0, 0};
    bool is_short = last - first <= (long long)RUN * n_entries;
    for (long long begin = first; begin < last; begin += (long long)RUN * n_entries) {
        long long end = min(begin + (long long)RUN * n_entries, last);
        long long t = is_used ? begin + entry : end;
        for (; t + 3 * n_entries < end; t += 4 * n_entries) {
            Quad<D> quads[4];
            D weights[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                weights[j] = (D)values[t + j * n_entries];
                quads[j] = load_quad(base + (long long)columns[t + j * n_entries] * stride);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) run[i] += weights[j] * quads[j].v[i];
        }
        for (; t < end; t += n_entries) {
            D weight = (D)values[t];
            Quad<D> quad = load_quad(base + (long long)columns[t] * stride);
#pragma unroll
            for (int i = 0; i < 4; ++i) run[i] += weight * quad.v[i];
        }
        if (!is_short)
#pragma unroll
            for (int i = 0; i < 4; ++i) { total[i] += run[i]; run[i] = 0; }
    }
    if (is_short) {
        add_entries(run, entry, n_entries, n_groups);
    } else {
        add_entries(total, entry, n_entries, n_groups);
#pragma unroll
        for (int i = 0; i < 4; ++i) run[i] = (D)total[i];
    }
    if (entry == 0) {
        D* target = out + row * width + offset + 4 * group;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (offset + 4 * group + i < width) target[i] = run[i];
    }
}

// out[column] = sum of the parts of its chunks, in the order of `order`; a block takes one column
template <typename D>
__global__ void add_chunks(const D* __restrict__ parts, const int* __restrict__ order,
                           const long long* __restrict__ starts, double* __restrict__ out, int width) {
    extern __shared__ double sums[];
    int per_block = blockDim.x / width, k = threadIdx.x % width, slot = threadIdx.x / width;
    long long first = starts[blockIdx.x], last = starts[blockIdx.x + 1];
    double total = 0.0;
    if (slot < per_block)
        for (long long c = first + slot; c < last; c += per_block)
            total += (double)parts[(long long)order[c] * width + k];
    sums[threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.x < width) {
        for (int other = 1; other < per_block; ++other) total += sums[other * width + k];
        out[(long long)blockIdx.x * width + k] = total;
    }
}

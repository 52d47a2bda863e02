// Products of a sparse matrix with a tall and thin one, and sums over the rows of tall and thin ones.
//
// A warp takes one row of the sparse matrix. Four columns of the thin matrix are two loads, so with 20 columns
// five lanes share an entry and a warp takes six entries at a time. The order of all sums is fixed by the data.

#define TILE 128

// out[row] = sum over the entries of the row of value * dense[column]; dense has rows of `stride` values, a
// multiple of four, of which the first `width` are wanted
template <typename V>
__global__ void multiply_rows(const V* __restrict__ values, const int* __restrict__ columns,
                              const long long* __restrict__ starts, long long n_rows,
                              const double* __restrict__ dense, double* __restrict__ out, int width,
                              int stride) {
    long long row = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n_rows) return;
    int lane = threadIdx.x & 31, offset = blockIdx.y * TILE;
    int n_groups = min(TILE, stride - offset) / 4, n_entries = 32 / n_groups;
    int entry = lane / n_groups, group = lane % n_groups;
    const double* base = dense + offset + 4 * group;
    long long last = starts[row + 1], t = entry < n_entries ? starts[row] + entry : last;
    double total[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll 4
    for (; t < last; t += n_entries) {
        double weight = (double)__ldcs(values + t);
        const double2* pair = reinterpret_cast<const double2*>(base + (long long)__ldcs(columns + t) * stride);
        double2 a = pair[0], b = pair[1];
        total[0] += weight * a.x;
        total[1] += weight * a.y;
        total[2] += weight * b.x;
        total[3] += weight * b.y;
    }
    // a tree over the entries of the warp; lanes without a partner add nothing
    int reach = 1;
    while (2 * reach < n_entries) reach *= 2;
    for (; reach > 0; reach /= 2) {
        bool has_partner = entry < reach && entry + reach < n_entries;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            double value = __shfl_sync(0xffffffffu, total[i], (lane + reach * n_groups) & 31);
            if (has_partner) total[i] += value;
        }
    }
    if (entry == 0) {
        int column = offset + 4 * group;
        double* target = out + row * width + column;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (column + i < width) target[i] = total[i];
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

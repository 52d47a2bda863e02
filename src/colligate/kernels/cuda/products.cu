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
    long long first = starts[row];
    int size = (int)(starts[row + 1] - first), n_steps = (31 + n_entries) / n_entries;
    const V* row_values = values + first;
    const int* row_columns = columns + first;
    double total[4] = {0.0, 0.0, 0.0, 0.0};
    // a lane reads one of 32 entries, and the next 32 before it works on these
    int column = lane < size ? __ldcs(row_columns + lane) : 0;
    V value = lane < size ? __ldcs(row_values + lane) : (V)0;
    for (int begin = 0; begin < size; begin += 32) {
        int ahead = begin + 32 + lane, step = 0;
        int next_column = ahead < size ? __ldcs(row_columns + ahead) : 0;
        V next_value = ahead < size ? __ldcs(row_values + ahead) : (V)0;
        // two rows are asked for before the first is used
        for (; step < n_steps; step += 2) {
            double2 pairs[4];
            double weights[2];
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                int source = (step + j) * n_entries + entry;
                int at = __shfl_sync(0xffffffffu, column, source & 31);
                V weight = __shfl_sync(0xffffffffu, value, source & 31);
                weights[j] = entry < n_entries && source < 32 ? (double)weight : 0.0;
                const double2* pair = reinterpret_cast<const double2*>(base + (long long)at * stride);
                pairs[2 * j] = pair[0];
                pairs[2 * j + 1] = pair[1];
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                total[0] += weights[j] * pairs[2 * j].x;
                total[1] += weights[j] * pairs[2 * j].y;
                total[2] += weights[j] * pairs[2 * j + 1].x;
                total[3] += weights[j] * pairs[2 * j + 1].y;
            }
        }
        column = next_column;
        value = next_value;
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
        int place = offset + 4 * group;
        double* target = out + row * width + place;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (place + i < width) target[i] = total[i];
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

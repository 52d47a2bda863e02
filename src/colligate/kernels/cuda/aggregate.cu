// Sums over column clusters, and label updates from these sums.
//
// Entries are added as whole numbers of `1 / scale`, so that the result does not depend on the order in which
// threads add: it is the same bit for bit in every run. Counts are exact. A warp takes ROWS rows: their sums
// over column clusters are in shared memory, and each lane computes the scores of one cluster. Rows with many
// entries were summed before, in chunks (`sum_chunks`), since one warp would take too long for them.

#define ROWS 4
#define COPIES 4
typedef unsigned long long u64;
typedef long long i64;

template <typename Label> __device__ inline int read_label(const Label* labels, i64 i);
template <> __device__ inline int read_label<int>(const int* labels, i64 i) { return labels[i]; }
template <> __device__ inline int read_label<unsigned char>(const unsigned char* labels, i64 i) {
    int label = labels[i];
    return label == 255 ? -1 : label;
}

// add a whole number of 64 bits, as two of 32 bits: shared memory adds 32 bits at full speed
template <bool WIDE> __device__ inline void add_fixed(unsigned* low, unsigned* high, i64 value) {
    unsigned part = (unsigned)value;
    if (!WIDE) {
        atomicAdd(low, part);
        return;
    }
    unsigned before = atomicAdd(low, part);
    unsigned rest = (unsigned)((u64)value >> 32) + (before + part < before ? 1u : 0u);
    if (rest) atomicAdd(high, rest);
}

// narrow numbers are the entries themselves, which are whole and small
template <bool WIDE, typename V> __device__ inline i64 to_fixed(V value, double scale) {
    return WIDE ? __double2ll_rn((double)value * scale) : (i64)__float2int_rn((float)value);
}

template <bool WIDE> __device__ inline i64 read_fixed(unsigned low, unsigned high) {
    return WIDE ? (i64)(((u64)high << 32) | low) : (i64)(int)low;
}

template <typename V, typename Label, bool WIDE>
__global__ void sum_chunks(const V* __restrict__ values, const int* __restrict__ indices,
                           const i64* __restrict__ chunk_starts, const i64* __restrict__ chunk_ends,
                           const int* __restrict__ chunk_slots, int n_chunks,
                           const Label* __restrict__ columns, int n_columns, double scale, u64* sums) {
    extern __shared__ unsigned bins[];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    // lanes add to COPIES copies of the bins, so that fewer of them wait for each other; the odd distance puts
    // the copies of a bin into different banks
    int distance = n_columns | 1, size = distance * COPIES;
    unsigned* all = bins + (size_t)warp * size * (WIDE ? 2 : 1);
    unsigned* low = all + distance * (lane % COPIES);
    unsigned* high = low + (WIDE ? size : 0);
    for (int chunk = blockIdx.x * n_warps + warp; chunk < n_chunks; chunk += gridDim.x * n_warps) {
        for (int l = lane; l < size * (WIDE ? 2 : 1); l += 32) all[l] = 0;
        __syncwarp();
        i64 end = chunk_ends[chunk], t = chunk_starts[chunk] + lane;
        for (; t + 96 < end; t += 128) {
            int index[4], label[4];
            V value[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                index[j] = __ldcs(indices + t + 32 * j);
                value[j] = __ldcs(values + t + 32 * j);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) label[j] = read_label(columns, index[j]);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (label[j] >= 0)
                    add_fixed<WIDE>(low + label[j], high + label[j], to_fixed<WIDE>(value[j], scale));
        }
        for (; t < end; t += 32) {
            int label = read_label(columns, indices[t]);
            if (label >= 0) add_fixed<WIDE>(low + label, high + label, to_fixed<WIDE>(values[t], scale));
        }
        __syncwarp();
        for (int l = lane; l < n_columns; l += 32) {
            i64 value = 0;
            for (int copy = 0; copy < COPIES; ++copy) {
                unsigned* cell = all + distance * copy + l;
                value += read_fixed<WIDE>(*cell, WIDE ? cell[size] : 0u);
            }
            if (value) atomicAdd(sums + (i64)chunk_slots[chunk] * n_columns + l, (u64)value);
        }
        __syncwarp();
    }
}

// Scores of rows, their best cluster, and the sums over (row cluster, column cluster). What is not wanted is
// null: `table` (then `labels` has the clusters), `scores`, `best`, `sums`.
template <typename V, typename Label, bool WIDE>
__global__ void update_rows(const V* __restrict__ values, const int* __restrict__ indices,
                            const i64* __restrict__ starts, i64 n_rows, const Label* __restrict__ columns,
                            const double* __restrict__ table, int n_columns, int n_clusters, double scale,
                            const int* __restrict__ slots, const i64* __restrict__ slot_sums, int* labels,
                            double* best, double* scores, u64* sums, int shared_table, int shared_sums) {
    extern __shared__ double memory[];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    double* next = memory;
    const double* weights = table;
    if (shared_table) {
        for (int i = threadIdx.x; i < n_columns * n_clusters; i += blockDim.x) next[i] = table[i];
        weights = next;
        next += n_columns * n_clusters;
    }
    u64* counts = sums;
    if (shared_sums) {
        counts = reinterpret_cast<u64*>(next);
        for (int i = threadIdx.x; i < n_columns * n_clusters; i += blockDim.x) counts[i] = 0;
        next += n_columns * n_clusters;
    }
    // per warp: sums as doubles, [column cluster][row], then as whole numbers, [row][column cluster]
    double* dense = next + (size_t)warp * n_columns * ROWS;
    next += (size_t)n_warps * n_columns * ROWS;
    unsigned* low = reinterpret_cast<unsigned*>(next) + (size_t)warp * n_columns * ROWS * (WIDE ? 2 : 1);
    unsigned* high = low + (WIDE ? n_columns * ROWS : 0);
    __syncthreads();
    double unit = 1.0 / scale;
    i64 n_batches = (n_rows + ROWS - 1) / ROWS;
    for (i64 batch = (i64)blockIdx.x * n_warps + warp; batch < n_batches; batch += (i64)gridDim.x * n_warps) {
        i64 row = batch * ROWS;
        int n = (int)min((i64)ROWS, n_rows - row);
        i64 edge[ROWS + 1];
        int slot[ROWS];
#pragma unroll
        for (int r = 0; r <= ROWS; ++r) edge[r] = starts[row + min(r, n)];
        bool has_slot = false;
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            slot[r] = slots != nullptr && r < n ? slots[row + r] : -1;
            has_slot |= slot[r] >= 0;
        }
        for (int i = lane; i < n_columns * ROWS * (WIDE ? 2 : 1); i += 32) low[i] = 0;
        __syncwarp();
        if (!has_slot) {
            i64 t = edge[0] + lane;
            for (; t + 96 < edge[ROWS]; t += 128) {
                int label[4];
                V value[4];
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    value[j] = values[t + 32 * j];
                    label[j] = read_label(columns, indices[t + 32 * j]);
                }
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    i64 at = t + 32 * j;
                    int bin = label[j] + n_columns * ((at >= edge[1]) + (at >= edge[2]) + (at >= edge[3]));
                    if (label[j] >= 0) add_fixed<WIDE>(low + bin, high + bin, to_fixed<WIDE>(value[j], scale));
                }
            }
            for (; t < edge[ROWS]; t += 32) {
                int label = read_label(columns, indices[t]);
                int bin = label + n_columns * ((t >= edge[1]) + (t >= edge[2]) + (t >= edge[3]));
                if (label >= 0) add_fixed<WIDE>(low + bin, high + bin, to_fixed<WIDE>(values[t], scale));
            }
        } else {
#pragma unroll
            for (int r = 0; r < ROWS; ++r)
                if (slot[r] < 0)
                    for (i64 t = edge[r] + lane; t < edge[r + 1]; t += 32) {
                        int label = read_label(columns, indices[t]);
                        int bin = label + n_columns * r;
                        if (label >= 0) add_fixed<WIDE>(low + bin, high + bin, to_fixed<WIDE>(values[t], scale));
                    }
        }
        __syncwarp();
        for (int l = lane; l < n_columns; l += 32)
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                int bin = l + n_columns * r;
                i64 value = slot[r] >= 0 ? slot_sums[(i64)slot[r] * n_columns + l]
                                         : read_fixed<WIDE>(low[bin], WIDE ? high[bin] : 0u);
                dense[l * ROWS + r] = (double)value;
            }
        __syncwarp();
        int cluster[ROWS];
        if (table != nullptr) {
            double top[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) { top[r] = 0.0; cluster[r] = -1; }
            for (int k = lane; k - lane < n_clusters; k += 32) {
                double score[ROWS] = {0.0, 0.0, 0.0, 0.0};
                if (k < n_clusters) {
                    for (int l = 0; l < n_columns; ++l) {
                        double weight = weights[l * n_clusters + k];
#pragma unroll
                        for (int r = 0; r < ROWS; ++r) score[r] += dense[l * ROWS + r] * weight;
                    }
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) {
                        if (scores != nullptr && r < n) scores[(row + r) * n_clusters + k] = score[r] * unit;
                        // a lane sees its clusters in ascending order, so the lower one stays at a tie
                        if (cluster[r] < 0 || score[r] > top[r]) { top[r] = score[r]; cluster[r] = k; }
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                for (int step = 16; step > 0; step /= 2) {
                    double other = __shfl_down_sync(0xffffffffu, top[r], step);
                    int rival = __shfl_down_sync(0xffffffffu, cluster[r], step);
                    if (rival >= 0 && (cluster[r] < 0 || other > top[r] || (other == top[r] && rival < cluster[r]))) {
                        top[r] = other;
                        cluster[r] = rival;
                    }
                }
                cluster[r] = __shfl_sync(0xffffffffu, cluster[r], 0);
                if (r < n && edge[r + 1] == edge[r]) cluster[r] = -1;
                if (lane == 0 && r < n) {
                    if (labels != nullptr) labels[row + r] = cluster[r];
                    if (best != nullptr) best[row + r] = top[r] * unit;
                }
            }
        } else {
#pragma unroll
            for (int r = 0; r < ROWS; ++r) cluster[r] = r < n ? labels[row + r] : -1;
        }
        if (counts != nullptr)
            for (int l = lane; l < n_columns; l += 32)
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
                    i64 value = __double2ll_rn(dense[l * ROWS + r]);
                    if (r < n && cluster[r] >= 0 && value)
                        atomicAdd(counts + (i64)cluster[r] * n_columns + l, (u64)value);
                }
        __syncwarp();
    }
    if (shared_sums) {
        __syncthreads();
        for (int i = threadIdx.x; i < n_columns * n_clusters; i += blockDim.x)
            if (counts[i]) atomicAdd(sums + i, counts[i]);
    }
}

// The label update of `aggregate.cu` for small whole numbers, at most 32 clusters and no long rows: the usual
// case of documents with counts.
//
// The labels of all columns are in shared memory where they fit, since scattered reads from the cache are what
// limits the plain form. The matrix units compute the scores: products of half floats, added in float. Sums up to
// MOST_EXACT are exact as half floats; a weight is two of them, so it has 22 bits. Where two scores are closer than
// the rounding, or a sum is larger, the row is scored again in double. The rounding is known because all numbers of
// the table have one sign: it is below CLOSE of the score, and SLACK for weights far below the largest.

#define ROWS 4
#define AHEAD 8
#define CLOSE 4e-5f
#define SLACK 1e-3f
#define MOST_EXACT 2048
#define MOST_TILES 4
#define LOWEST -3e38f
typedef unsigned long long u64;
typedef long long i64;

// The compiler computes addresses in shared memory anew for every access; as numbers they stay in registers.
__device__ inline unsigned shared_address(const void* place) { return (unsigned)__cvta_generic_to_shared(place); }

__device__ inline unsigned read_shared_byte(unsigned address) {
    unsigned byte;
    asm("ld.shared.u8 %0, [%1];" : "=r"(byte) : "r"(address));
    return byte;
}

__device__ inline void add_shared(unsigned address, unsigned value, unsigned label) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 255; @p red.shared.add.u32 [%0], %1; }"
                 :: "r"(address), "r"(value), "r"(label) : "memory");
}

__device__ inline unsigned to_halves(float low, float high) {
    unsigned halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
    return halves;
}

// what two numbers lose as half floats, as half floats of 1 / MOST_EXACT
__device__ inline unsigned to_remainders(float low, float high, unsigned halves) {
    float whole_low, whole_high;
    asm("{ .reg .f16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }"
        : "=f"(whole_low), "=f"(whole_high)
        : "r"(halves));
    return to_halves((low - whole_low) * MOST_EXACT, (high - whole_high) * MOST_EXACT);
}

// half floats over MOST_EXACT
__device__ inline unsigned scale_down(unsigned halves) {
    unsigned scaled;
    asm("mul.f16x2 %0, %1, %2;" : "=r"(scaled) : "r"(halves), "r"(0x10001000u));
    return scaled;
}

// sums += 16 x 16 times 16 x 8 numbers; the last eight of the 16 rows are 0
__device__ inline void multiply_tile(float* sums, unsigned left, unsigned right, unsigned above, unsigned below) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %5}, {%7, %8}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left), "r"(0u), "r"(right), "r"(above), "r"(below));
}

// add up to 32 * COUNT entries from `begin` on to the cells of their row, which ends at one of `ends`, and label; a
// lane beyond the end adds 0
template <int COUNT, bool FULL>
__device__ inline void add_values(const int* indices, const float* values, int begin, int4 ends,
                                  const unsigned char* global_labels, unsigned shared_labels, unsigned cells,
                                  int row_bytes) {
    int index[COUNT], at = begin + (int)(threadIdx.x & 31);
    unsigned label[COUNT];
    float value[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
        index[j] = 0;
        value[j] = 0.0f;
        if (FULL || at + 32 * j < ends.w) {
            index[j] = __ldcs(indices + begin + 32 * j);
            value[j] = __ldcs(values + begin + 32 * j);
        }
    }
#pragma unroll
    for (int j = 0; j < COUNT; ++j)
        label[j] = global_labels == nullptr ? read_shared_byte(shared_labels + index[j]) : global_labels[index[j]];
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
        int i = at + 32 * j;
        unsigned row = cells + (i >= ends.x ? row_bytes : 0) + (i >= ends.y ? row_bytes : 0) +
                       (i >= ends.z ? row_bytes : 0);
        add_shared(row + 4 * label[j], (unsigned)__float2int_rn(value[j]), label[j]);
    }
}

// the best cluster of one row in double; ties go to the lower number
__device__ inline int score_again(const int* row, const double* table, int n_columns, int n_clusters) {
    int lane = threadIdx.x & 31, cluster = lane < n_clusters ? lane : -1;
    double top = 0.0;
    if (lane < n_clusters)
        for (int l = 0; l < n_columns; ++l) top += (double)row[l] * table[l * n_clusters + lane];
    for (int step = 16; step > 0; step /= 2) {
        double other = __shfl_xor_sync(0xffffffffu, top, step);
        int rival = __shfl_xor_sync(0xffffffffu, cluster, step);
        if (rival >= 0 && (cluster < 0 || other > top || (other == top && rival < cluster))) {
            top = other;
            cluster = rival;
        }
    }
    return cluster;
}

template <bool CACHED>
__global__ void __launch_bounds__(640)
update_narrow(const float* __restrict__ values, const int* __restrict__ indices, const i64* __restrict__ starts,
              i64 n_rows, const unsigned char* __restrict__ columns, int n_all, const double* __restrict__ table,
              int n_columns, int n_clusters, int* labels, u64* sums, int flush_every) {
    extern __shared__ uint4 memory[];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    // matrix units take 16 column clusters and 8 clusters at a time
    int n_steps = (n_columns + 15) / 16, n_tiles = (n_clusters + 7) / 8, padded = 16 * n_steps;
    int n_cells = n_columns * n_clusters, row_bytes = 4 * padded;
    int* cells = reinterpret_cast<int*>(memory) + (size_t)warp * ROWS * padded;
    uint4* weights = memory + (size_t)n_warps * n_steps * 4 * ROWS;
    int* counts = reinterpret_cast<int*>(weights + 32 * n_steps * n_tiles);
    unsigned char* cached = reinterpret_cast<unsigned char*>(counts + n_cells);
    unsigned own_cells = shared_address(cells), shared_labels = shared_address(cached);
    if (table != nullptr) {
        // the largest weight becomes about 2^13, so that the small ones are not below the range of half floats
        if (threadIdx.x == 0) counts[0] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < n_cells; i += blockDim.x) atomicMax(counts, __float_as_int((float)fabs(table[i])));
        __syncthreads();
        float largest = __int_as_float(counts[0]);
        float scale = largest > 0.0f ? ldexpf(1.0f, min(13 - ilogbf(largest), 100)) : 1.0f;
        __syncthreads();
        for (int i = threadIdx.x; i < 32 * n_steps * n_tiles; i += blockDim.x) {
            int k = i / 32 % n_tiles * 8 + i % 32 / 4, l = i / 32 / n_tiles * 16 + i % 4 * 2;
            float weight[4];
            for (int j = 0; j < 4; ++j) {
                int column = l + j / 2 * 8 + j % 2;
                bool is_cell = k < n_clusters && column < n_columns;
                weight[j] = is_cell ? (float)table[column * n_clusters + k] * scale : 0.0f;
            }
            unsigned above = to_halves(weight[0], weight[1]), below = to_halves(weight[2], weight[3]);
            weights[i] = make_uint4(above, below, to_remainders(weight[0], weight[1], above),
                                    to_remainders(weight[2], weight[3], below));
        }
    }
    for (int i = threadIdx.x; i < n_cells; i += blockDim.x) counts[i] = 0;
    if (CACHED)
        for (int i = threadIdx.x; i < n_all; i += blockDim.x) cached[i] = columns[i];
    __syncthreads();
    i64 n_batches = (n_rows + ROWS - 1) / ROWS, n_all_warps = (i64)gridDim.x * n_warps;
    int round = 0;
    // where the next rows start is read while these are worked on
    i64 next[ROWS + 1];
    {
        i64 row = ((i64)blockIdx.x * n_warps + warp) * ROWS;
#pragma unroll
        for (int r = 0; r <= ROWS; ++r) next[r] = starts[min(row + r, n_rows)];
    }
    // all warps of a block take as many rounds, since they empty the counts together
    for (i64 batch = (i64)blockIdx.x * n_warps + warp; batch - warp < n_batches; batch += n_all_warps) {
        if (batch < n_batches) {
            i64 row = batch * ROWS;
            int n = (int)min((i64)ROWS, n_rows - row);
            i64 edge[ROWS + 1];
#pragma unroll
            for (int r = 0; r <= ROWS; ++r) {
                edge[r] = next[r];
                next[r] = starts[min(row + n_all_warps * ROWS + r, n_rows)];
            }
            for (int i = lane; i < padded * ROWS; i += 32) cells[i] = 0;
            __syncwarp();
            int size = (int)(edge[ROWS] - edge[0]);
            int first = (int)(edge[1] - edge[0]), second = (int)(edge[2] - edge[0]), third = (int)(edge[3] - edge[0]);
            const float* row_values = values + edge[0];
            const int* row_indices = indices + edge[0];
            // many reads at a time: a warp waits for memory once in AHEAD * 32 entries
            const int* lane_indices = row_indices + lane;
            const float* lane_values = row_values + lane;
            const unsigned char* global_labels = CACHED ? nullptr : columns;
            int4 ends = make_int4(first, second, third, size);
            int begin = 0;
            for (; begin + 32 * AHEAD <= size; begin += 32 * AHEAD)
                add_values<AHEAD, true>(lane_indices, lane_values, begin, ends, global_labels, shared_labels, own_cells,
                                        row_bytes);
            if (size - begin > 128)
                add_values<AHEAD, false>(lane_indices, lane_values, begin, ends, global_labels, shared_labels,
                                         own_cells, row_bytes);
            else if (size > begin)
                add_values<4, false>(lane_indices, lane_values, begin, ends, global_labels, shared_labels, own_cells,
                                     row_bytes);
            __syncwarp();
            int cluster[ROWS];
            if (table != nullptr) {
                // four lanes have a row: two neighbouring column clusters of every eight, then clusters
                int pair = 2 * (lane % 4);
                const int* row_cells = cells + padded * (lane / 4 % ROWS) + pair;
                float sums_of_tile[MOST_TILES][4] = {};
                int largest = 0;
                for (int step = 0; step < n_steps; ++step) {
                    int2 l = *reinterpret_cast<const int2*>(row_cells + 16 * step);
                    int2 m = *reinterpret_cast<const int2*>(row_cells + 16 * step + 8);
                    largest = max(largest, max(max(l.x, l.y), max(m.x, m.y)));
                    unsigned left = lane < 4 * ROWS ? to_halves((float)l.x, (float)l.y) : 0u;
                    unsigned right = lane < 4 * ROWS ? to_halves((float)m.x, (float)m.y) : 0u;
                    unsigned small_left = scale_down(left), small_right = scale_down(right);
#pragma unroll
                    for (int tile = 0; tile < MOST_TILES; ++tile)
                        if (tile < n_tiles) {
                            uint4 weight = weights[(step * n_tiles + tile) * 32 + lane];
                            multiply_tile(sums_of_tile[tile], left, right, weight.x, weight.y);
                            multiply_tile(sums_of_tile[tile], small_left, small_right, weight.z, weight.w);
                        }
                }
                float score[2 * MOST_TILES], top = LOWEST;
#pragma unroll
                for (int j = 0; j < 2 * MOST_TILES; ++j) {
                    bool is_cluster = j / 2 * 8 + pair + j % 2 < n_clusters;
                    score[j] = is_cluster ? sums_of_tile[j / 2][j % 2] : LOWEST;
                    top = fmaxf(top, score[j]);
                }
                top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
                top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
                float limit = top - CLOSE * fabsf(top) - SLACK;
                unsigned near = 0;
#pragma unroll
                for (int j = 0; j < 2 * MOST_TILES; ++j)
                    if (score[j] >= limit) near |= 1u << (j / 2 * 8 + pair + j % 2);
                near |= __shfl_xor_sync(0xffffffffu, near, 1);
                near |= __shfl_xor_sync(0xffffffffu, near, 2);
                unsigned inexact = __ballot_sync(0xffffffffu, largest > MOST_EXACT);
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
                    unsigned candidates = __shfl_sync(0xffffffffu, near, 4 * r);
                    cluster[r] = __ffs(candidates) - 1;
                    if (__popc(candidates) != 1 || (inexact >> (4 * r) & 15u))
                        cluster[r] = score_again(cells + padded * r, table, n_columns, n_clusters);
                    if (r >= n || edge[r + 1] == edge[r]) cluster[r] = -1;
                    if (lane == 0 && r < n) labels[row + r] = cluster[r];
                }
            } else {
#pragma unroll
                for (int r = 0; r < ROWS; ++r) cluster[r] = r < n ? labels[row + r] : -1;
            }
            for (int l = lane; l < n_columns; l += 32)
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
                    int value = cells[padded * r + l];
                    if (cluster[r] >= 0 && value) atomicAdd(counts + cluster[r] * n_columns + l, value);
                }
            __syncwarp();
        }
        if (++round % flush_every == 0 || batch - warp + n_all_warps >= n_batches) {
            __syncthreads();
            for (int i = threadIdx.x; i < n_cells; i += blockDim.x) {
                if (counts[i]) atomicAdd(sums + i, (u64)(i64)counts[i]);
                counts[i] = 0;
            }
            __syncthreads();
        }
    }
}

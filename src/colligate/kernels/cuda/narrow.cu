// The label update of `aggregate.cu` for small whole numbers, at most 32 clusters and no long rows: the usual
// case of documents with counts.
//
// The labels of all columns are in shared memory where they fit, since scattered reads from the cache are what
// limits the plain form. The matrix units compute the scores: products of half floats, added in float. Sums up to
// MOST_EXACT are exact as half floats; a weight is two of them, so it has 22 bits. Where two scores are closer than
// the rounding, or a sum is larger, the row is scored again in double. The rounding is known because all numbers of
// the table have one sign: it is below CLOSE of the score, and SLACK for weights far below the largest. Clusters that
// fill the last tile have the weight ABSENT, which is below all others.

#define AHEAD 8
#include "entries.cuh"

#define ROWS 4
#define CLOSE 4e-5f
#define SLACK 1e-3f
#define MOST_EXACT 2048
#define MOST_TILES 4
#define LOWEST -3e38f
#define ABSENT -32768.0f
#define NO_CLUSTER 255

__device__ inline unsigned read_shared_byte(unsigned address) {
    unsigned byte;
    asm("ld.shared.u8 %0, [%1];" : "=r"(byte) : "r"(address));
    return byte;
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

// where the row of a lane starts: lanes up to ROWS have the rows of a batch, and where the last of them ends
__device__ inline i64 read_edge(const i64* starts, i64 row, i64 n_rows) {
    return starts[min(row + min((int)(threadIdx.x & 31), ROWS), n_rows)];
}

// ROWS rows one after the other: where the first one starts, and where that of a lane starts from there
struct Batch {
    i64 start;
    int edge;

    __device__ inline Batch(i64 edge_of_lane) {
        start = __shfl_sync(ALL_LANES, edge_of_lane, 0);
        edge = (int)(edge_of_lane - start);
    }
    __device__ inline int size() const { return end(ROWS - 1); }
    __device__ inline int end(int row) const { return __shfl_sync(ALL_LANES, edge, row + 1); }
};

__device__ inline void add_beyond(unsigned& address, int bytes, int i, int end) {
    asm("{ .reg .pred p; setp.ge.s32 p, %2, %3; @p add.u32 %0, %0, %1; }" : "+r"(address) : "r"(bytes), "r"(i), "r"(end));
}

// add entries of a block, whose first one is `begin`, to the cells of their row and label; the rows end at `ends`
template <int FIRST, int LAST, class Entries>
__device__ inline void add_values(const Entries& block, int begin, const int* ends, const unsigned char* global_labels,
                                  unsigned shared_labels, unsigned cells, int row_bytes, unsigned unused) {
    int lane = (int)(threadIdx.x & 31);
    unsigned label[LAST - FIRST];
#pragma unroll
    for (int j = FIRST; j < LAST; ++j)
        label[j - FIRST] = global_labels == nullptr ? read_shared_byte(shared_labels + block.column(j))
                                                    : global_labels[block.column(j)];
#pragma unroll
    for (int j = FIRST; j < LAST; ++j) {
        unsigned cell = cells + 4 * label[j - FIRST];
#pragma unroll
        for (int r = 0; r < ROWS - 1; ++r) add_beyond(cell, row_bytes, begin + lane + 32 * j, ends[r]);
        add_shared(label[j - FIRST] == NO_CLUSTER ? unused : cell, block.value(j));
    }
}

// the best cluster of one row in double; ties go to the lower number
__device__ inline int score_again(const int* row, const double* table, int n_columns, int n_clusters) {
    int lane = threadIdx.x & 31, cluster = lane < n_clusters ? lane : -1;
    double top = 0.0;
    if (lane < n_clusters)
        for (int l = 0; l < n_columns; ++l) top += (double)row[l] * table[l * n_clusters + lane];
    for (int step = 16; step > 0; step /= 2) {
        double other = __shfl_xor_sync(ALL_LANES, top, step);
        int rival = __shfl_xor_sync(ALL_LANES, cluster, step);
        if (rival >= 0 && (cluster < 0 || other > top || (other == top && rival < cluster))) {
            top = other;
            cluster = rival;
        }
    }
    return cluster;
}

// packed entries: `indices` has them, and the labels of all columns are in shared memory
template <class Entries>
__global__ void __launch_bounds__(640)
update_narrow(const float* __restrict__ values, const int* __restrict__ indices, const i64* __restrict__ starts,
              i64 n_rows, const unsigned char* __restrict__ columns, int n_all, const double* __restrict__ table,
              int n_columns, int n_clusters, int* labels, u64* sums, int flush_every) {
    extern __shared__ uint4 memory[];
    __shared__ int unused;
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    // matrix units take 16 column clusters and 8 clusters at a time
    int n_steps = (n_columns + 15) / 16, n_tiles = (n_clusters + 7) / 8, padded = 16 * n_steps;
    int n_cells = n_columns * n_clusters, row_bytes = 4 * padded;
    int* cells = reinterpret_cast<int*>(memory) + (size_t)warp * ROWS * padded;
    uint4* weights = memory + (size_t)n_warps * n_steps * 4 * ROWS;
    int* counts = reinterpret_cast<int*>(weights + 32 * n_steps * n_tiles);
    unsigned char* cached = reinterpret_cast<unsigned char*>(counts + (n_cells + 3) / 4 * 4);
    unsigned own_cells = shared_address(cells), shared_labels = shared_address(cached);
    unsigned unused_cell = shared_address(&unused);
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
                weight[j] = k >= n_clusters         ? ABSENT
                            : column >= n_columns ? 0.0f
                                                  : (float)table[column * n_clusters + k] * scale;
            }
            unsigned above = to_halves(weight[0], weight[1]), below = to_halves(weight[2], weight[3]);
            weights[i] = make_uint4(above, below, to_remainders(weight[0], weight[1], above),
                                    to_remainders(weight[2], weight[3], below));
        }
    }
    for (int i = threadIdx.x; i < n_cells; i += blockDim.x) counts[i] = 0;
    if (Entries::IS_PACKED) {
        copy_to_shared(shared_labels, reinterpret_cast<const uint4*>(columns), n_all / 16);
        for (int i = n_all / 16 * 16 + threadIdx.x; i < n_all; i += blockDim.x) cached[i] = columns[i];
    }
    __syncthreads();
    i64 n_batches = (n_rows + ROWS - 1) / ROWS, n_all_warps = (i64)gridDim.x * n_warps;
    int n_left_to_flush = flush_every;
    i64 first_batch = (i64)blockIdx.x * n_warps + warp;
    const unsigned char* global_labels = Entries::IS_PACKED ? nullptr : columns;
    // the first entries of the next rows are read while these are worked on, and before that, where they start
    Batch now(read_edge(starts, first_batch * ROWS, n_rows));
    Entries ahead(values, indices, n_all);
    ahead.read(now.start, now.size());
    // all warps of a block take as many rounds, since they empty the counts together
    for (i64 batch = first_batch; batch - warp < n_batches; batch += n_all_warps) {
        if (batch < n_batches) {
            i64 row = batch * ROWS;
            i64 next_edge = read_edge(starts, row + n_all_warps * ROWS, n_rows);
#pragma unroll 1
            for (int i = lane; i < padded * ROWS / 4; i += 32) reinterpret_cast<int4*>(cells)[i] = make_int4(0, 0, 0, 0);
            __syncwarp();
            int ends[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) ends[r] = now.end(r);
            // four lanes have a row
            int row_of_lane = lane / 4 % ROWS, begin = 0;
            bool is_there = now.end(row_of_lane) > __shfl_sync(ALL_LANES, now.edge, row_of_lane);
            int n_left = ends[ROWS - 1];
            for (; n_left > BLOCK; begin += BLOCK) {
                Entries present = ahead;
                n_left -= BLOCK;
                ahead.read(now.start + begin + BLOCK, n_left);
                add_values<0, AHEAD>(present, begin, ends, global_labels, shared_labels, own_cells, row_bytes,
                                     unused_cell);
            }
            Entries present = ahead;
            now = Batch(next_edge);
            ahead.read(now.start, now.size());
            add_values<0, AHEAD / 2>(present, begin, ends, global_labels, shared_labels, own_cells, row_bytes,
                                     unused_cell);
            if (n_left > BLOCK / 2)
                add_values<AHEAD / 2, AHEAD>(present, begin, ends, global_labels, shared_labels, own_cells, row_bytes,
                                             unused_cell);
            __syncwarp();
            int cluster;
            if (table != nullptr) {
                // a lane has two neighbouring column clusters of every eight of its row, then clusters
                int pair = 2 * (lane % 4);
                const int* row_cells = cells + padded * row_of_lane + pair;
                float sums_of_tile[MOST_TILES][4] = {};
#pragma unroll
                for (int tile = 0; tile < MOST_TILES; ++tile)
                    if (tile >= n_tiles) sums_of_tile[tile][0] = sums_of_tile[tile][1] = LOWEST;
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
                float top = LOWEST;
#pragma unroll
                for (int j = 0; j < 2 * MOST_TILES; ++j) top = fmaxf(top, sums_of_tile[j / 2][j % 2]);
                top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 1));
                top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 2));
                float limit = top - CLOSE * fabsf(top) - SLACK;
                unsigned near = 0;
#pragma unroll
                for (int j = 0; j < 2 * MOST_TILES; ++j)
                    if (sums_of_tile[j / 2][j % 2] >= limit) near |= 1u << (j / 2 * 8 + j % 2);
                near = largest > MOST_EXACT ? ALL_LANES : near << pair;
                near |= __shfl_xor_sync(ALL_LANES, near, 1);
                near |= __shfl_xor_sync(ALL_LANES, near, 2);
                cluster = is_there ? __ffs(near) - 1 : -1;
                unsigned again = __ballot_sync(ALL_LANES, is_there && lane % 4 == 0 && lane < 4 * ROWS && __popc(near) != 1);
                for (; again; again &= again - 1) {
                    int r = (__ffs(again) - 1) / 4;
                    int best = score_again(cells + padded * r, table, n_columns, n_clusters);
                    if (row_of_lane == r) cluster = best;
                }
                if (lane % 4 == 0 && lane < 4 * ROWS && row + row_of_lane < n_rows) labels[row + row_of_lane] = cluster;
            } else {
                cluster = row + row_of_lane < n_rows ? labels[row + row_of_lane] : -1;
            }
            int cluster_of_row[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) cluster_of_row[r] = __shfl_sync(ALL_LANES, cluster, 4 * r);
#pragma unroll 1
            for (int l = lane; l < n_columns; l += 32)
#pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    if (cluster_of_row[r] >= 0)
                        atomicAdd(counts + cluster_of_row[r] * n_columns + l, cells[padded * r + l]);
            __syncwarp();
        }
        if (--n_left_to_flush == 0 || batch - warp + n_all_warps >= n_batches) {
            n_left_to_flush = flush_every;
            __syncthreads();
            for (int i = threadIdx.x; i < n_cells; i += blockDim.x) {
                if (counts[i]) atomicAdd(sums + i, (u64)(i64)counts[i]);
                counts[i] = 0;
            }
            __syncthreads();
        }
    }
}

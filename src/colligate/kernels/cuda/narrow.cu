// The label update of `aggregate.cu` for small whole numbers, at most 32 clusters and no long rows: the usual
// case of documents with counts.
//
// The labels of all columns are in shared memory where they fit, since scattered reads from the cache are what
// limits the plain form. Sums of a row are whole and below 2^24, so they are exact as float. Scores are float;
// where two are closer than their rounding, the row is scored again in double. The rounding is known because
// all numbers of the table have one sign.

#define ROWS 4
#define AHEAD 8
#define CLOSE 4e-5f
typedef unsigned long long u64;
typedef long long i64;

// floats as unsigned numbers in the same order
__device__ inline unsigned order_of(float x) {
    unsigned bits = __float_as_uint(x);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ inline float of_order(unsigned bits) {
    return __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

// the best cluster of one row in double; ties go to the lower number
__device__ inline int score_again(const float* row, const double* table, int n_columns, int n_clusters) {
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
    extern __shared__ float4 memory[];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    int padded = (n_columns + 3) / 4 * 4, n_cells = n_columns * n_clusters;
    float* bins = reinterpret_cast<float*>(memory) + (size_t)warp * ROWS * padded;
    float* weights = reinterpret_cast<float*>(memory) + (size_t)n_warps * ROWS * padded;
    int* counts = reinterpret_cast<int*>(weights + padded * n_clusters);
    unsigned char* cached = reinterpret_cast<unsigned char*>(counts + n_cells);
    const unsigned char* column_labels = CACHED ? cached : columns;
    if (table != nullptr)
        for (int i = threadIdx.x; i < padded * n_clusters; i += blockDim.x)
            weights[i] = i < n_cells ? (float)table[i] : 0.0f;
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
            for (int i = lane; i < padded * ROWS; i += 32) bins[i] = 0.0f;
            __syncwarp();
            int* cells = reinterpret_cast<int*>(bins);
            int size = (int)(edge[ROWS] - edge[0]);
            int first = (int)(edge[1] - edge[0]), second = (int)(edge[2] - edge[0]), third = (int)(edge[3] - edge[0]);
            const float* row_values = values + edge[0];
            const int* row_indices = indices + edge[0];
            // many reads at a time: a warp waits for memory once in AHEAD * 32 entries
            for (int begin = 0; begin < size; begin += AHEAD * 32) {
                int index[AHEAD];
                float value[AHEAD];
#pragma unroll
                for (int j = 0; j < AHEAD; ++j)
                    if (begin + 32 * j < size) {
                        int at = begin + 32 * j + lane;
                        index[j] = at < size ? __ldcs(row_indices + at) : -1;
                        value[j] = at < size ? __ldcs(row_values + at) : 0.0f;
                    }
#pragma unroll
                for (int j = 0; j < AHEAD; ++j)
                    if (begin + 32 * j < size) {
                        int at = begin + 32 * j + lane, label = index[j] >= 0 ? column_labels[index[j]] : 255;
                        int offset = at >= second ? (at >= third ? 3 * padded : 2 * padded) : (at >= first ? padded : 0);
                        if (label != 255) atomicAdd(cells + offset + label, __float2int_rn(value[j]));
                    }
            }
            __syncwarp();
            int cluster[ROWS];
            if (table != nullptr) {
                for (int i = lane; i < padded * ROWS; i += 32) bins[i] = (float)cells[i];
                __syncwarp();
                float score[ROWS] = {0.0f, 0.0f, 0.0f, 0.0f};
                int k = min(lane, n_clusters - 1);
                for (int l = 0; l < padded; l += 4) {
                    float4 part[ROWS];
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) part[r] = *reinterpret_cast<const float4*>(bins + padded * r + l);
                    const float* weight = weights + l * n_clusters + k;
                    float w0 = weight[0], w1 = weight[n_clusters], w2 = weight[2 * n_clusters],
                          w3 = weight[3 * n_clusters];
#pragma unroll
                    for (int r = 0; r < ROWS; ++r)
                        score[r] += part[r].x * w0 + part[r].y * w1 + part[r].z * w2 + part[r].w * w3;
                }
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
                    unsigned rank = lane < n_clusters ? order_of(score[r]) : 0u;
                    float top = of_order(__reduce_max_sync(0xffffffffu, rank));
                    unsigned near = __ballot_sync(0xffffffffu, lane < n_clusters && score[r] >= top - CLOSE * fabsf(top));
                    cluster[r] = __ffs(near) - 1;
                    if (__popc(near) > 1) cluster[r] = score_again(bins + padded * r, table, n_columns, n_clusters);
                    if (r >= n || edge[r + 1] == edge[r]) cluster[r] = -1;
                    if (lane == 0 && r < n) labels[row + r] = cluster[r];
                }
                for (int l = lane; l < n_columns; l += 32)
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) {
                        int value = __float2int_rn(bins[padded * r + l]);
                        if (cluster[r] >= 0 && value) atomicAdd(counts + cluster[r] * n_columns + l, value);
                    }
            } else {
#pragma unroll
                for (int r = 0; r < ROWS; ++r) cluster[r] = r < n ? labels[row + r] : -1;
                for (int l = lane; l < n_columns; l += 32)
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) {
                        int value = cells[padded * r + l];
                        if (cluster[r] >= 0 && value) atomicAdd(counts + cluster[r] * n_columns + l, value);
                    }
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

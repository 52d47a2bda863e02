// Sums of the entries of rows over column clusters, for rows with many entries: the words of many documents.
//
// The columns are taken in blocks, and the labels of a block are in shared memory, six of five bits in a word:
// scattered reads from the cache are what limits the plain form (`sum_chunks`). A warp takes the entries that
// one row has in the block. Entries are small whole numbers, so the order in which they are added does not
// matter.

#define COPIES 4
#define AHEAD 8
#define NONE 31
typedef unsigned long long u64;
typedef long long i64;

__global__ void __launch_bounds__(1024)
sum_column_blocks(const float* __restrict__ values, const int* __restrict__ indices,
                  const i64* __restrict__ starts, const int* __restrict__ sizes, const int* __restrict__ rows,
                  const i64* __restrict__ block_starts, int n_blocks, const unsigned char* __restrict__ labels,
                  i64 n_labels, int block_size, int n_clusters, u64* sums) {
    extern __shared__ unsigned memory[];
    __shared__ int taken;
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    int n_words = (block_size + 5) / 6, distance = n_clusters | 1, size = distance * COPIES;
    unsigned* bins = memory + n_words + warp * size;
    unsigned* own = bins + distance * (lane % COPIES);
    for (int block = 0; block < n_blocks; ++block) {
        i64 base = (i64)block * block_size;
        __syncthreads();
        if (threadIdx.x == 0) taken = n_warps;
        for (int i = threadIdx.x; i < n_words; i += blockDim.x) {
            unsigned word = 0;
            for (int j = 0; j < 6; ++j) {
                i64 at = base + 6 * i + j;
                unsigned label = at < n_labels ? min((unsigned)labels[at], (unsigned)NONE) : NONE;
                word |= label << (5 * j);
            }
            memory[i] = word;
        }
        __syncthreads();
        i64 chunk = block_starts[block] + (i64)warp * gridDim.x + blockIdx.x, end = block_starts[block + 1];
        // where the next chunk starts is read while this one is worked on
        int next_size = chunk < end ? sizes[chunk] : 0, next_row = chunk < end ? rows[chunk] : 0;
        i64 next_start = chunk < end ? starts[chunk] : 0;
        while (chunk < end) {
            int n = next_size, row = next_row;
            const float* chunk_values = values + next_start;
            const int* chunk_indices = indices + next_start;
            // a warp takes the next chunk that no warp of its block has taken, since their sizes differ
            int number = lane == 0 ? atomicAdd(&taken, 1) : 0;
            i64 ahead = block_starts[block] + (i64)__shfl_sync(0xffffffffu, number, 0) * gridDim.x + blockIdx.x;
            if (ahead < end) {
                next_size = sizes[ahead];
                next_row = rows[ahead];
                next_start = starts[ahead];
            }
            for (int i = lane; i < size; i += 32) bins[i] = 0;
            __syncwarp();
            // most chunks are short, so a warp leaves out the reads that are beyond the end for all lanes
            for (int begin = 0; begin < n; begin += AHEAD * 32) {
                int index[AHEAD];
                float value[AHEAD];
#pragma unroll
                for (int j = 0; j < AHEAD; ++j)
                    if (begin + 32 * j < n) {
                        int at = begin + 32 * j + lane;
                        index[j] = at < n ? __ldcs(chunk_indices + at) : -1;
                        value[j] = at < n ? __ldcs(chunk_values + at) : 0.0f;
                    }
#pragma unroll
                for (int j = 0; j < AHEAD; ++j)
                    if (begin + 32 * j < n && index[j] >= 0) {
                        unsigned at = (unsigned)(index[j] - (int)base), word = at / 6;
                        unsigned label = memory[word] >> (5 * (at - 6 * word)) & 31u;
                        if (label != NONE) atomicAdd(own + label, (unsigned)__float2int_rn(value[j]));
                    }
            }
            __syncwarp();
            for (int l = lane; l < n_clusters; l += 32) {
                int value = 0;
                for (int copy = 0; copy < COPIES; ++copy) value += (int)bins[distance * copy + l];
                if (value) atomicAdd(sums + (i64)row * n_clusters + l, (u64)(i64)value);
            }
            __syncwarp();
            chunk = ahead;
        }
    }
}

// Sums of the entries of rows over column clusters, for rows with many entries: the words of many documents.
//
// The columns are taken in blocks, and the labels of a block are in shared memory, six of five bits in a word:
// scattered reads from the cache are what limits the plain form (`sum_chunks`). A warp takes the entries that
// one row has in the block. Entries are small whole numbers, so the order in which they are added does not
// matter.

#define COPIES 4
#define AHEAD 8
typedef unsigned long long u64;
typedef long long i64;

// The compiler computes addresses in shared memory anew for every access; as numbers they stay in registers.
__device__ inline unsigned shared_address(const void* place) { return (unsigned)__cvta_generic_to_shared(place); }

__device__ inline unsigned read_shared(unsigned address) {
    unsigned word;
    asm("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
    return word;
}

__device__ inline void add_shared(unsigned address, unsigned value, unsigned label) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 31; @p red.shared.add.u32 [%0], %1; }"
                 :: "r"(address), "r"(value), "r"(label) : "memory");
}

// add up to 32 * COUNT entries of a chunk to the sums of their labels; a lane beyond the end adds 0
template <int COUNT, bool FULL>
__device__ inline void add_values(const int* indices, const float* values, int n_left, int base, unsigned words,
                                  unsigned sums) {
    int index[COUNT], n_of_lane = n_left - (int)(threadIdx.x & 31);
    unsigned label[COUNT];
    float value[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
        index[j] = base;
        value[j] = 0.0f;
        if (FULL || n_of_lane > 32 * j) {
            index[j] = __ldcs(indices + 32 * j);
            value[j] = __ldcs(values + 32 * j);
        }
    }
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
        unsigned place = (unsigned)(index[j] - base), word = place / 6;
        label[j] = read_shared(words + 4 * word) >> (5 * (place - 6 * word)) & 31u;
    }
#pragma unroll
    for (int j = 0; j < COUNT; ++j)
        add_shared(sums + 4 * label[j], (unsigned)__float2int_rn(value[j]), label[j]);
}

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
    unsigned words = shared_address(memory), sums_of_lane = shared_address(bins + distance * (lane % COPIES));
    for (int block = 0; block < n_blocks; ++block) {
        i64 base = (i64)block * block_size;
        __syncthreads();
        if (threadIdx.x == 0) taken = n_warps;
        for (int i = threadIdx.x; i < n_words; i += blockDim.x) {
            unsigned word = 0;
            for (int j = 0; j < 6; ++j) {
                i64 at = base + 6 * i + j;
                unsigned label = at < n_labels ? min((unsigned)labels[at], 31u) : 31u;
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
            const int* lane_indices = chunk_indices + lane;
            const float* lane_values = chunk_values + lane;
            int n_left = n;
            for (; n_left >= 32 * AHEAD; n_left -= 32 * AHEAD) {
                add_values<AHEAD, true>(lane_indices, lane_values, n_left, (int)base, words, sums_of_lane);
                lane_indices += 32 * AHEAD;
                lane_values += 32 * AHEAD;
            }
            // most chunks are short, so a warp reads no more than it needs
            if (n_left > 128)
                add_values<AHEAD, false>(lane_indices, lane_values, n_left, (int)base, words, sums_of_lane);
            else if (n_left > 64)
                add_values<4, false>(lane_indices, lane_values, n_left, (int)base, words, sums_of_lane);
            else if (n_left > 32)
                add_values<2, false>(lane_indices, lane_values, n_left, (int)base, words, sums_of_lane);
            else if (n_left > 0)
                add_values<1, false>(lane_indices, lane_values, n_left, (int)base, words, sums_of_lane);
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

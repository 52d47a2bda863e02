// Sums of the entries of rows over column clusters, for rows with many entries: the words of many documents.
//
// The columns are taken in blocks, and the labels of a block are in shared memory, six of five bits in a word:
// scattered reads from the cache are what limits the plain form (`sum_chunks`). A warp takes the entries that
// one row has in the block. Entries are small whole numbers, so the order in which they are added does not
// matter.

#define AHEAD 4
#include "entries.cuh"

#define COPIES 4
#define GROUP 4
#define LABELS_IN_WORD 6

// entries of one row, from four words: the start in two, the size and the row
struct Chunk {
    i64 start;
    int size, row;

    // the chunk that a lane has read
    __device__ inline Chunk(int4 words, int lane)
        : start((i64)(unsigned)__shfl_sync(ALL_LANES, words.x, lane) | (i64)__shfl_sync(ALL_LANES, words.y, lane) << 32),
          size(__shfl_sync(ALL_LANES, words.z, lane)),
          row(__shfl_sync(ALL_LANES, words.w, lane)) {}
};

__device__ inline unsigned read_shared(unsigned address) {
    unsigned word;
    asm("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
    return word;
}

__device__ inline unsigned read_label(unsigned words, unsigned column) {
    unsigned word = column / LABELS_IN_WORD;
    return read_shared(words + 4 * word) >> (5 * (column - LABELS_IN_WORD * word)) & 31u;
}

template <int FIRST, int LAST>
__device__ inline void add_values(const PackedEntries& block, unsigned words, unsigned sums) {
    unsigned label[LAST - FIRST];
#pragma unroll
    for (int j = FIRST; j < LAST; ++j) label[j - FIRST] = read_label(words, block.column(j));
#pragma unroll
    for (int j = FIRST; j < LAST; ++j) add_shared(sums + 4 * label[j - FIRST], block.value(j));
}

__global__ void pack_entries(const float* __restrict__ values, const int* __restrict__ columns, i64 n, int* packed) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned place = (unsigned)columns[i] & ((1u << COLUMN_BITS) - 1u);
    packed[i] = (int)((unsigned)__float2int_rn(values[i]) << COLUMN_BITS | place);
}

// six labels of five bits in a word, as many words for each block of columns; a column without a cluster has the label
// after the last
__global__ void pack_labels(const unsigned char* __restrict__ labels, i64 n_labels, int n_clusters, int block_size,
                            int n_words, i64 n_all_words, unsigned* packed) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_all_words) return;
    int first = (int)(i % n_words) * LABELS_IN_WORD;
    i64 base = i / n_words * block_size;
    unsigned word = 0;
    for (int j = 0; j < LABELS_IN_WORD; ++j) {
        bool is_there = first + j < block_size && base + first + j < n_labels;
        word |= (unsigned)(is_there ? min((int)labels[base + first + j], n_clusters) : n_clusters) << (5 * j);
    }
    packed[i] = word;
}

__global__ void __launch_bounds__(1024)
sum_column_blocks(const int* __restrict__ packed, const int4* __restrict__ chunks, const i64* __restrict__ block_starts,
                  int n_blocks, const uint4* __restrict__ labels, int n_words, int n_clusters, u64* sums) {
    extern __shared__ uint4 memory[];
    __shared__ int taken;
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, n_warps = blockDim.x / 32;
    // one more for the columns without a cluster; an odd distance, so that copies are in different banks
    int distance = (n_clusters + 1) | 1, size = distance * COPIES;
    unsigned* bins = reinterpret_cast<unsigned*>(memory) + n_words + warp * size;
    unsigned words = shared_address(memory), sums_of_lane = shared_address(bins + distance * (lane % COPIES));
    for (int i = lane; i < size; i += 32) bins[i] = 0;
    PackedEntries ahead(nullptr, packed, 32);
    for (int block = 0; block < n_blocks; ++block) {
        __syncthreads();
        if (threadIdx.x == 0) taken = n_warps;
        // chunks of a block of columns are dealt to the blocks of threads in turn. A warp takes the next group of
        // them that no other one has taken, since their sizes differ; those of a group are far from each other,
        // since chunks of frequent words may be neighbours.
        int n_chunks = (int)(block_starts[block + 1] - block_starts[block]) - (int)blockIdx.x;
        const int4* dealt = chunks + block_starts[block] + blockIdx.x;
        int n_groups = (n_chunks + GROUP * (int)gridDim.x - 1) / (GROUP * (int)gridDim.x);
        auto read_group = [&](int group) {
            i64 number = (i64)(group + lane * n_groups) * gridDim.x;
            bool is_there = lane < GROUP && group < n_groups && number < n_chunks;
            return is_there ? dealt[number] : make_int4(0, 0, 0, 0);
        };
        int4 present_group = read_group(warp);
        Chunk next(present_group, 0);
        ahead.read(next.start, next.size);
        copy_to_shared(words, labels + (i64)block * (n_words / 4), n_words / 4);
        __syncthreads();
        auto take = [&]() { return __shfl_sync(ALL_LANES, lane == 0 ? atomicAdd(&taken, 1) : 0, 0); };
        for (int group = warp; group < n_groups;) {
            int following = take();
            int4 next_group = read_group(following);
#pragma unroll 1
            for (int place = 1; place <= GROUP; ++place) {
                Chunk now = next;
                next = place < GROUP ? Chunk(present_group, place) : Chunk(next_group, 0);
                int n_left = now.size;
                i64 begin = now.start;
                while (n_left > BLOCK) {
                    PackedEntries present = ahead;
                    n_left -= BLOCK;
                    begin += BLOCK;
                    ahead.read(begin, n_left);
                    add_values<0, AHEAD>(present, words, sums_of_lane);
                }
                PackedEntries present = ahead;
                ahead.read(next.start, next.size);
                // most chunks are short, so a warp adds no more than it has
                if (n_left > 0) add_values<0, 1>(present, words, sums_of_lane);
                if (n_left > 32) add_values<1, 2>(present, words, sums_of_lane);
                if (n_left > 64) add_values<2, AHEAD>(present, words, sums_of_lane);
                __syncwarp();
                if (lane < n_clusters) {
                    int value = 0;
#pragma unroll
                    for (int copy = 0; copy < COPIES; ++copy) {
                        value += (int)bins[distance * copy + lane];
                        bins[distance * copy + lane] = 0;
                    }
                    if (value) atomicAdd(sums + (i64)now.row * n_clusters + lane, (u64)(i64)value);
                }
                __syncwarp();
            }
            group = following;
            present_group = next_group;
        }
    }
}

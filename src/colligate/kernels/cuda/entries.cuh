// How the label updates read entries: a block of them for a warp, while the block before is worked on.
//
// A lane reads AHEAD entries of a block at once, so a warp waits for memory once in BLOCK entries; and since the next
// block is read before this one is added, it waits only if the memory takes longer than the work.

#define BLOCK (32 * AHEAD)
#define COLUMN_BITS 18
#define ALL_LANES 0xffffffffu
typedef unsigned long long u64;
typedef long long i64;

// A word of the matrix, which is read once, or another one. The compiler would compute the address of each read anew,
// inside of its condition.
__device__ inline unsigned read_if(bool is_there, const void* place, unsigned other) {
    unsigned word = other;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.cs.u32 %0, [%1]; }"
                 : "+r"(word)
                 : "l"(place), "r"((unsigned)is_there));
    return word;
}

// The column of an entry that is not there, and has the value 0: one for each lane, since additions to one number wait
// for each other.
__device__ inline unsigned spare_column(int n_columns) { return min(threadIdx.x & 31u, (unsigned)n_columns - 1u); }

// Small whole numbers in one word: the value above the place of the column in its block of columns.
struct PackedEntries {
    static const bool IS_PACKED = true;
    const int* words;
    unsigned spare;
    int word[AHEAD];

    __device__ inline PackedEntries(const float*, const int* words, int n_columns)
        : words(words), spare(spare_column(n_columns)) {}

    // read the `n_left` entries from `begin` on, or as many as a block has; a lane beyond the last has the value 0
    __device__ inline void read(i64 begin, int n_left) {
        int lane = threadIdx.x & 31;
        const int* first = words + begin + lane;
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) word[j] = (int)read_if(n_left - lane > 32 * j, first + 32 * j, spare);
    }
    __device__ inline unsigned column(int j) const { return (unsigned)word[j] & ((1u << COLUMN_BITS) - 1u); }
    // the shift keeps the sign
    __device__ inline unsigned value(int j) const { return (unsigned)(word[j] >> COLUMN_BITS); }
};

// The same for more columns than a block has: values and columns as they are.
struct PlainEntries {
    static const bool IS_PACKED = false;
    const float* values;
    const int* columns;
    unsigned spare, index[AHEAD], number[AHEAD];

    __device__ inline PlainEntries(const float* values, const int* columns, int n_columns)
        : values(values), columns(columns), spare(spare_column(n_columns)) {}

    __device__ inline void read(i64 begin, int n_left) {
        int lane = threadIdx.x & 31;
        i64 first = begin + lane;
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) {
            bool is_there = n_left - lane > 32 * j;
            index[j] = read_if(is_there, columns + first + 32 * j, spare);
            number[j] = read_if(is_there, values + first + 32 * j, 0u);
        }
    }
    __device__ inline unsigned column(int j) const { return index[j]; }
    __device__ inline unsigned value(int j) const { return (unsigned)__float2int_rn(__uint_as_float(number[j])); }
};

// The compiler computes addresses in shared memory anew for every access; as numbers they stay in registers.
__device__ inline unsigned shared_address(const void* place) { return (unsigned)__cvta_generic_to_shared(place); }

// copy words of 16 bytes to shared memory, without waiting for each
__device__ inline void copy_to_shared(unsigned address, const uint4* from, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address + 16 * i), "l"(from + i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__device__ inline void add_shared(unsigned address, unsigned value) {
    asm volatile("red.shared.add.u32 [%0], %1;" :: "r"(address), "r"(value) : "memory");
}

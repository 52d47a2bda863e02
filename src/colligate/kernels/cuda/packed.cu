// Products with a thin matrix in packed form: five numbers of 23 bits with a common exponent are 16 bytes.
//
// What limits a product is reading the rows of the thin matrix from the cache: packed, 20 columns are 64 bytes,
// two thirds of what float takes there (96, since it reads 32 bytes at a time). The error of a number is at most
// 2^-22 of the largest of its five. Values are added in float in runs of RUN blocks of up to 32 entries, and the
// runs in double.

#define RUN 8
#define TILE 32
#define BITS 22
#define MIDDLE 4194304

template <typename D>
__global__ void pack_rows(const D* __restrict__ dense, uint4* __restrict__ out, long long n, int width,
                          long long stride, int n_groups) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n_groups) return;
    long long row = i / n_groups;
    int first = (int)(i % n_groups) * 5;
    float value[5], largest = 0.0f;
    for (int j = 0; j < 5; ++j) {
        value[j] = first + j < width ? (float)dense[row * stride + first + j] : 0.0f;
        largest = fmaxf(largest, fabsf(value[j]));
    }
    int exponent = 0;
    frexpf(largest, &exponent);
    // the exponent is stored as that of a float: 2^(exponent - BITS), which must be a normal number
    int biased = max(exponent - BITS + 127, 1);
    float scale = ldexpf(1.0f, -(biased - 127));
    int whole[5];
    // from 0 on, with MIDDLE for 0
    for (int j = 0; j < 5; ++j) whole[j] = max(0, min(2 * MIDDLE - 1, __float2int_rn(value[j] * scale) + MIDDLE));
    unsigned last = (unsigned)whole[4];
    uint4 packed;
    packed.x = ((unsigned)whole[0] & 0xffffffu) | (last & 0xffu) << 24;
    packed.y = ((unsigned)whole[1] & 0xffffffu) | (last >> 8 & 0xffu) << 24;
    packed.z = ((unsigned)whole[2] & 0xffffffu) | (last >> 16 & 0xffu) << 24;
    packed.w = (unsigned)whole[3] | (unsigned)biased << 23;
    out[i] = packed;
}

// 23 bits below the exponent of 2^23 are a float already: 2^23 and the whole number
__device__ inline float whole_of(unsigned word) {
    return __uint_as_float((word & 0x7fffffu) | 0x4b000000u) - (8388608.0f + MIDDLE);
}

__device__ inline void add_packed(float* run, uint4 packed, float value) {
    float weight = value * __uint_as_float(packed.w & 0x7f800000u);
    unsigned last = __byte_perm(__byte_perm(packed.x, packed.y, 0x0073), packed.z, 0x0710);
    run[0] += whole_of(packed.x) * weight;
    run[1] += whole_of(packed.y) * weight;
    run[2] += whole_of(packed.z) * weight;
    run[3] += whole_of(packed.w) * weight;
    run[4] += whole_of(last) * weight;
}

// a tree over the entries of the warp; lanes without a partner add nothing
template <typename T>
__device__ inline void add_entries(T* total, int entry, int n_entries, int n_groups) {
    int lane = threadIdx.x & 31;
#pragma unroll
    for (int stride = 16; stride > 0; stride /= 2) {
        if (stride >= n_entries) continue;
        bool has_partner = entry < stride && entry + stride < n_entries;
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            T value = __shfl_sync(0xffffffffu, total[i], (lane + stride * n_groups) & 31);
            if (has_partner) total[i] += value;
        }
    }
}

// add the entries of one block, which the lanes hold; several groups are asked for before the first is used
template <int AHEAD, bool FULL>
__device__ inline void add_block(float* run, const uint4* base, int stride, int column, float value, int entry,
                                 int n_entries, int n_steps, int n_left) {
#pragma unroll
    for (int first = 0; first < n_steps; first += AHEAD) {
        uint4 groups[AHEAD];
        float weights[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (first + j < n_steps && (FULL || (first + j) * n_entries < n_left)) {
                int source = ((first + j) * n_entries + entry) & 31;
                int row = __shfl_sync(0xffffffffu, column, source);
                weights[j] = __shfl_sync(0xffffffffu, value, source);
                groups[j] = base[(long long)row * stride];
            }
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (first + j < n_steps && (FULL || (first + j) * n_entries < n_left))
                add_packed(run, groups[j], weights[j]);
    }
}

// out[row] = sum over the entries of the row of value * dense[column], as `multiply_rows`, for rows of `stride`
// groups; GROUPS is their number where the compiler shall know it, else 0. A lane has one group of every
// n_entries-th entry; lanes beyond the last whole entry compute what nobody reads.
template <int GROUPS>
__global__ void __launch_bounds__(256, 4) multiply_packed(const float* __restrict__ values, const int* __restrict__ columns,
                                const long long* __restrict__ starts, long long n_rows,
                                const uint4* __restrict__ dense, float* __restrict__ out, int width, int stride) {
    constexpr int AHEAD = GROUPS == 1 ? 1 : GROUPS == 2 ? 2 : GROUPS == 3 ? 3 : GROUPS == 5 ? 5 : 4;
    long long row = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n_rows) return;
    int lane = threadIdx.x & 31, offset = GROUPS ? 0 : blockIdx.y * TILE;
    int n_groups = GROUPS ? GROUPS : min(TILE, stride - offset), distance = GROUPS ? GROUPS : stride;
    int n_entries = 32 / n_groups, n_steps = 32 / n_entries, n_block = n_entries * n_steps;
    int entry = lane / n_groups, group = lane % n_groups;
    const uint4* base = dense + offset + group;
    long long first = starts[row];
    int size = (int)(starts[row + 1] - first);
    const float* row_values = values + first;
    const int* row_columns = columns + first;
    double total[5];
    float run[5];
#pragma unroll
    for (int i = 0; i < 5; ++i) { total[i] = 0.0; run[i] = 0.0f; }
    bool is_short = size <= RUN * n_block;
    // a lane reads one entry of a block, and the next block before it works on this one; an entry beyond the end
    // has the value 0
    bool is_read = lane < min(size, n_block);
    int column = is_read ? __ldcs(row_columns + lane) : 0;
    float value = is_read ? __ldcs(row_values + lane) : 0.0f;
    int n_blocks = 0;
    for (int begin = 0; begin < size; begin += n_block) {
        int ahead = begin + n_block + lane;
        is_read = lane < n_block && ahead < size;
        int next_column = is_read ? __ldcs(row_columns + ahead) : 0;
        float next_value = is_read ? __ldcs(row_values + ahead) : 0.0f;
        int n_left = size - begin;
        if (n_left >= n_block)
            add_block<AHEAD, true>(run, base, distance, column, value, entry, n_entries, n_steps, n_left);
        else
            add_block<AHEAD, false>(run, base, distance, column, value, entry, n_entries, n_steps, n_left);
        column = next_column;
        value = next_value;
        if (!is_short && ++n_blocks % RUN == 0)
#pragma unroll
            for (int i = 0; i < 5; ++i) { total[i] += run[i]; run[i] = 0.0f; }
    }
    if (is_short) {
        add_entries(run, entry, n_entries, n_groups);
    } else {
#pragma unroll
        for (int i = 0; i < 5; ++i) total[i] += run[i];
        add_entries(total, entry, n_entries, n_groups);
#pragma unroll
        for (int i = 0; i < 5; ++i) run[i] = (float)total[i];
    }
    if (entry == 0) {
        int place = 5 * (offset + group);
        float* target = out + row * width + place;
#pragma unroll
        for (int i = 0; i < 5; ++i)
            if (place + i < width) target[i] = run[i];
    }
}

// Products with a thin matrix in packed form: five numbers of 23 bits with a common exponent are 16 bytes.
//
// What limits a product is reading the rows of the thin matrix from the cache: packed, 20 columns are 64 bytes,
// two thirds of what float takes there (96, since it reads 32 bytes at a time). The error of a number is at most
// 2^-22 of the largest of its five. Values are added in float in runs of 32 * RUN entries, and the runs in
// double.

#define RUN 8
#define TILE 160
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
    packed.w = ((unsigned)whole[3] & 0xffffffu) | (unsigned)biased << 24;
    out[i] = packed;
}

// 23 bits below the exponent of 2^23 are a float already: 2^23 and the whole number
__device__ inline float whole_of(unsigned word) {
    return __uint_as_float((word & 0x7fffffu) | 0x4b000000u) - (8388608.0f + MIDDLE);
}

__device__ inline void add_packed(float* run, uint4 packed, float value) {
    float weight = value * __uint_as_float((packed.w >> 24) << 23);
    unsigned last = __byte_perm(__byte_perm(packed.x, packed.y, 0x0073), packed.z, 0x0710);
    run[0] += whole_of(packed.x) * weight;
    run[1] += whole_of(packed.y) * weight;
    run[2] += whole_of(packed.z) * weight;
    run[3] += whole_of(packed.w) * weight;
    run[4] += whole_of(last) * weight;
}

template <typename T>
__device__ inline void add_entries(T* total, int entry, int n_entries, int n_groups) {
    // a tree over the entries of the warp; lanes without a partner add nothing
    int lane = threadIdx.x & 31, stride = 1;
    while (2 * stride < n_entries) stride *= 2;
    for (; stride > 0; stride /= 2) {
        int other = lane + stride * n_groups;
        bool has_partner = entry < stride && entry + stride < n_entries;
        for (int i = 0; i < 5; ++i) {
            T value = __shfl_sync(0xffffffffu, total[i], other & 31);
            if (has_partner) total[i] += value;
        }
    }
}

// out[row] = sum over the entries of the row of value * dense[column], as `multiply_rows`
__global__ void multiply_packed(const float* __restrict__ values, const int* __restrict__ columns,
                                const long long* __restrict__ starts, long long n_rows,
                                const uint4* __restrict__ packed, float* __restrict__ out, int width,
                                int stride) {
    long long row = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n_rows) return;
    int lane = threadIdx.x & 31, offset = blockIdx.y * (TILE / 5);
    int n_groups = min(TILE / 5, stride - offset), n_entries = 32 / n_groups;
    int entry = lane / n_groups, group = lane % n_groups;
    bool is_used = entry < n_entries;
    const uint4* base = packed + offset + group;
    long long first = starts[row];
    int size = (int)(starts[row + 1] - first), n_steps = (31 + n_entries) / n_entries;
    const float* row_values = values + first;
    const int* row_columns = columns + first;
    double total[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
    float run[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    bool is_short = size <= RUN * 32;
    // a lane reads one of 32 entries, and the next 32 before it works on these; an entry beyond the end has
    // the value 0
    int column = lane < size ? __ldcs(row_columns + lane) : 0;
    float value = lane < size ? __ldcs(row_values + lane) : 0.0f;
    for (int begin = 0; begin < size; begin += 32) {
        int ahead = begin + 32 + lane;
        int next_column = ahead < size ? __ldcs(row_columns + ahead) : 0;
        float next_value = ahead < size ? __ldcs(row_values + ahead) : 0.0f;
        int step = 0;
        // four rows are asked for before the first is used
        for (; step + 4 <= n_steps; step += 4) {
            uint4 quads[4];
            float weights[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                int source = (step + j) * n_entries + entry;
                int at = __shfl_sync(0xffffffffu, column, source & 31);
                float weight = __shfl_sync(0xffffffffu, value, source & 31);
                weights[j] = is_used && source < 32 ? weight : 0.0f;
                quads[j] = base[(long long)at * stride];
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) add_packed(run, quads[j], weights[j]);
        }
        for (; step < n_steps; ++step) {
            int source = step * n_entries + entry;
            int at = __shfl_sync(0xffffffffu, column, source & 31);
            float weight = __shfl_sync(0xffffffffu, value, source & 31);
            if (is_used && source < 32) add_packed(run, base[(long long)at * stride], weight);
        }
        column = next_column;
        value = next_value;
        if (!is_short && (begin / 32) % RUN == RUN - 1)
#pragma unroll
            for (int i = 0; i < 5; ++i) { total[i] += run[i]; run[i] = 0.0f; }
    }
    if (!is_short)
#pragma unroll
        for (int i = 0; i < 5; ++i) total[i] += run[i];
    if (is_short) {
        add_entries(run, entry, n_entries, n_groups);
    } else {
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

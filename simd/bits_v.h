/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the kernels on packed bits: included by one file per ISA after simd/bytes.h and these:
 *   v_mask                     PL_BYTES packed bits as they lie in memory
 *   v_ink(px, t)               1 where a pixel is at most t
 *   v_unpack(bits, zero, one)  the bytes of PL_BYTES bits
 *   v_add_bits(sum, bits)      adds them to PL_BYTES sums
 *   v_sad(v)                   the sums of eight bytes each
 *   v_bytes(v)                 the bytes of each word in the opposite order */

static inline vu64 v_words(vu8 v)
{
    return (vu64)v_bytes((vu64)v);
}

static inline void clear_rest(uint8_t *bits, size_t n)
{
    if (n % 8)
        bits[n / 8] &= (uint8_t)(0xff00u >> n % 8);
}

static void threshold_bits(uint8_t *dst, const uint8_t *src, size_t n, uint8_t t)
{
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + PL_BYTES <= n; i += PL_BYTES) {
        v_mask m = v_ink(v_load(src + i), t);
        memcpy(dst + i / 8, &m, sizeof(m));
    }
    if (i < n) {
        v_mask m = v_ink(v_load_part(src + i, n - i), t);
        memcpy(dst + i / 8, &m, (n - i + 7) / 8);
    }
    clear_rest(dst, n);
}

static void unpack_bits(uint8_t *dst, const uint8_t *bits, size_t n, uint8_t zero, uint8_t one)
{
    size_t i = 0;
    v_mask m = 0;
#pragma GCC unroll 4
    for (; i + PL_BYTES <= n; i += PL_BYTES) {
        memcpy(&m, bits + i / 8, sizeof(m));
        v_store(dst + i, v_unpack(m, zero, one));
    }
    if (i < n) {
        memcpy(&m, bits + i / 8, (n - i + 7) / 8);
        v_store_part(dst + i, v_unpack(m, zero, one), n - i);
    }
}

static uint64_t sum_u8(const uint8_t *src, size_t n)
{
    vu64 acc[2] = {{0}, {0}};
    size_t i = 0;
    for (; i + 2 * PL_BYTES <= n; i += 2 * PL_BYTES) {
        acc[0] += v_sad(v_load(src + i));
        acc[1] += v_sad(v_load(src + i + PL_BYTES));
    }
    for (; i < n; i += PL_BYTES)
        acc[0] += v_sad(i + PL_BYTES <= n ? v_load(src + i) : v_load_part(src + i, n - i));
    acc[0] += acc[1];
    uint64_t total = 0;
    for (size_t j = 0; j < PL_BYTES / 8; j++)
        total += acc[0][j];
    return total;
}

static void colsum_bits(uint32_t *sum, const uint8_t *bits, size_t n)
{
    size_t i = 0;
    for (; i + PL_BYTES <= n; i += PL_BYTES) {
        v_mask m;
        memcpy(&m, bits + i / 8, sizeof(m));
        v_add_bits(sum + i, m);
    }
    for (; i < n; i++)
        sum[i] += (uint32_t)(bits[i / 8] >> (7 - i % 8)) & 1;
}

/* Words one further and one before: of two registers side by side. */
#if PL_BYTES == 64
#define V_NEXT_WORDS(v, next) __builtin_shufflevector(v, next, 1, 2, 3, 4, 5, 6, 7, 8)
#define V_LAST_WORDS(last, v) __builtin_shufflevector(last, v, 7, 8, 9, 10, 11, 12, 13, 14)
#elif PL_BYTES == 32
#define V_NEXT_WORDS(v, next) __builtin_shufflevector(v, next, 1, 2, 3, 4)
#define V_LAST_WORDS(last, v) __builtin_shufflevector(last, v, 3, 4, 5, 6)
#else
#define V_NEXT_WORDS(v, next) __builtin_shufflevector(v, next, 1, 2)
#define V_LAST_WORDS(last, v) __builtin_shufflevector(last, v, 1, 2)
#endif

/* Ones in the first n > 0 bits, in words whose first pixel is the highest bit. */
static inline vu64 v_first_bits(size_t n)
{
    vi64 left = {0};
    for (int i = 0; i < PL_BYTES / 8; i++)
        left[i] = (int64_t)n - 64 * i;
    vi64 spare = 64 - left;
    spare &= spare > 0; /* what is over 63 belongs to a word without any */
    return (vu64)((~(vu64){0} << (vu64)(spare & 63)) & (vu64)(left > 0));
}

/* The bits from byte i on, in words; zeros where the row of n bits has no more, also in a
 * complement. */
static inline vu64 v_load_words(const uint8_t *src, size_t i, size_t n, vu64 flip)
{
    if (8 * (i + PL_BYTES) <= n)
        return v_words(v_load(src + i)) ^ flip;
    if (8 * i >= n)
        return (vu64){0};
    size_t left = (n + 7) / 8 - i;
    vu8 v = left < PL_BYTES ? v_load_part(src + i, left) : v_load(src + i);
    return (v_words(v) ^ flip) & v_first_bits(n - 8 * i);
}

/* The windows of the bits of `b`, `left` bits back and `width` bits wide: `high` and `low` are 128
 * bits from the beginning of the window of a word's first pixel on, and each step widens the
 * windows by what they have, or by what is missing. */
static inline vu64 v_windows(vu64 a, vu64 b, vu64 c, unsigned left, unsigned width)
{
    vu64 high = a << 1 << (63 - left) | b >> left, low = b << 1 << (63 - left) | c >> left;
    for (unsigned w = 1, step; w < width; w += step) {
        step = w < width - w ? w : width - w;
        high |= high << step | low >> (64 - step);
        low |= low << step;
    }
    return high;
}

/* Spreads ones: an erosion is the dilation of the complement. */
static inline __attribute__((always_inline)) void
spread(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right, bool complement)
{
    size_t bytes = (n + 7) / 8, i = 0;
    vu64 flip = (complement ? ~UINT64_C(0) : 0) - (vu64){0};
    vu64 last = {0}, here = v_load_words(src, 0, n, flip), next;
    for (; i + PL_BYTES <= bytes; i += PL_BYTES, last = here, here = next) {
        next = v_load_words(src, i + PL_BYTES, n, flip);
        vu64 v = v_windows(V_LAST_WORDS(last, here), here, V_NEXT_WORDS(here, next), left,
                           left + right + 1) ^
                 flip;
        if (i + PL_BYTES == bytes)
            v &= v_first_bits(n - 8 * i);
        v_store(dst + i, v_bytes(v));
    }
    if (i == bytes)
        return;
    vu64 v = v_windows(V_LAST_WORDS(last, here), here, V_NEXT_WORDS(here, (vu64){0}), left,
                       left + right + 1);
    v_store_part(dst + i, v_bytes((v ^ flip) & v_first_bits(n - 8 * i)), bytes - i);
}

static void dilate_bits(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right)
{
    spread(dst, src, n, left, right, false);
}

static void erode_bits(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right)
{
    spread(dst, src, n, left, right, true);
}

static void install_bits(struct pl_kernels *k)
{
    k->threshold_bits = threshold_bits;
    k->unpack_bits = unpack_bits;
    k->colsum_bits = colsum_bits;
    k->sum_u8 = sum_u8;
    k->dilate_bits = dilate_bits;
    k->erode_bits = erode_bits;
}

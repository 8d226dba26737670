/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the kernels on a few neighbouring pixels: included by one file per ISA after
 * simd/bytes.h. */

#define BLOCK 4096 /* columns at a time: what is shared between neighbours stays in L1 */

typedef vu8 combine_fn(vu8 a, vu8 b);

static inline vu8 v_or(vu8 a, vu8 b)
{
    return a | b;
}

static inline vu8 v_and(vu8 a, vu8 b)
{
    return a & b;
}

static inline __attribute__((always_inline)) void
combine_k(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n, combine_fn *combine)
{
    size_t i = 0;
    for (; i + PL_BYTES <= n; i += PL_BYTES) {
        vu8 v = v_load(rows[0] + i);
        for (size_t j = 1; j < k; j++)
            v = combine(v, v_load(rows[j] + i));
        v_store(dst + i, v);
    }
    if (i == n)
        return;
    vu8 v = v_load_part(rows[0] + i, n - i);
    for (size_t j = 1; j < k; j++)
        v = combine(v, v_load_part(rows[j] + i, n - i));
    v_store_part(dst + i, v, n - i);
}

/* A loop for each number of rows. */
static inline __attribute__((always_inline)) void
combine_rows(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n, combine_fn *combine)
{
    if (k == 1)
        combine_k(dst, rows, 1, n, combine);
    else if (k == 2)
        combine_k(dst, rows, 2, n, combine);
    else if (k == 3)
        combine_k(dst, rows, 3, n, combine);
    else
        combine_k(dst, rows, 4, n, combine);
}

static void or_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, v_or);
}

static void and_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, v_and);
}

static void max_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, v_max);
}

static void min_u8(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, v_min);
}

static inline vu8 v_median(vu8 a, vu8 b, vu8 c)
{
    return v_max(v_min(a, b), v_min(v_max(a, b), c));
}

/* PL_BYTES columns of three rows, each sorted. */
struct sorted {
    vu8 lo, mid, hi;
};

static inline struct sorted v_columns(const uint8_t *top, const uint8_t *middle, const uint8_t *low)
{
    vu8 a = v_load(top), b = v_load(middle), c = v_load(low);
    vu8 less = v_min(a, b), more = v_max(a, b);
    return (struct sorted){v_min(less, c), v_max(less, v_min(more, c)), v_max(more, c)};
}

/* The median of nine is that of the largest of the lowest, the median of the middle and the
 * smallest of the highest of three sorted columns. */
static inline vu8 v_median9(struct sorted a, struct sorted b, struct sorted c)
{
    return v_median(v_max(v_max(a.lo, b.lo), c.lo), v_median(a.mid, b.mid, c.mid),
                    v_min(v_min(a.hi, b.hi), c.hi));
}

/* The neighbours of `here` on both sides come by shuffles: loads that are off by a byte cross the
 * lines of the cache. */
static inline vu8 v_median_between(struct sorted last, struct sorted here, struct sorted next)
{
    struct sorted before = {v_slide_in(last.lo, here.lo), v_slide_in(last.mid, here.mid),
                            v_slide_in(last.hi, here.hi)};
    struct sorted after = {v_slide_out(here.lo, next.lo), v_slide_out(here.mid, next.mid),
                           v_slide_out(here.hi, next.hi)};
    return v_median9(before, here, after);
}

/* The columns from i to the end, fewer than 2 * PL_BYTES, by way of a copy. */
static void median_end(uint8_t *dst, const uint8_t *const rows[3], size_t i, size_t n)
{
    uint8_t copy[3][3 * PL_BYTES], out[2 * PL_BYTES];
    size_t left = n - i;
    for (int j = 0; j < 3; j++) {
        copy[j][0] = rows[j][i ? i - 1 : 0];
        memcpy(copy[j] + 1, rows[j] + i, left);
        memset(copy[j] + 1 + left, rows[j][n - 1], sizeof(copy[j]) - 1 - left);
    }
    for (size_t k = 0; k < left; k += PL_BYTES) {
        struct sorted s[3];
        for (size_t d = 0; d < 3; d++)
            s[d] = v_columns(copy[0] + k + d, copy[1] + k + d, copy[2] + k + d);
        v_store(out + k, v_median9(s[0], s[1], s[2]));
    }
    memcpy(dst + i, out, left);
}

static void median3_row(uint8_t *dst, const uint8_t *const rows[3], size_t n)
{
    size_t i = 0;
    if (n >= 2 * PL_BYTES) {
        uint8_t first[3][PL_BYTES];
        for (int j = 0; j < 3; j++)
            memset(first[j], rows[j][0], PL_BYTES);
        struct sorted last = v_columns(first[0], first[1], first[2]), next;
        struct sorted here = v_columns(rows[0], rows[1], rows[2]);
        for (; i + 2 * PL_BYTES <= n; i += PL_BYTES, last = here, here = next) {
            size_t at = i + PL_BYTES;
            next = v_columns(rows[0] + at, rows[1] + at, rows[2] + at);
            v_store(dst + i, v_median_between(last, here, next));
        }
    }
    if (i < n)
        median_end(dst, rows, i, n);
}

/* Sums down the columns, those of even and of odd number apart: no byte changes its place on the
 * way. Entry 0 of both is the pair of columns before the block. */
struct column_sums {
    uint16_t even[(BLOCK + PL_BYTES) / 2 + 2], odd[(BLOCK + PL_BYTES) / 2 + 2];
};

static inline vu16 v_load_u16(const uint16_t *p)
{
    vu16 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

/* a + 4 b + 6 c + 4 d + e */
static inline vu16 v_binomial(vu16 a, vu16 b, vu16 c, vu16 d, vu16 e)
{
    vu16 inner = b + c + d;
    return (a + e) + (c + c) + (inner << 2);
}

static void add_columns(struct column_sums *s, size_t at, const uint8_t *const rows[5],
                        size_t first, size_t n)
{
    for (size_t i = 0; i < n; i += PL_BYTES) {
        vu16 v[5];
        for (int j = 0; j < 5; j++)
            v[j] = (vu16)(n - i < PL_BYTES ? v_load_part(rows[j] + first + i, n - i)
                                           : v_load(rows[j] + first + i));
        vu16 even = v_binomial(v[0] & 255, v[1] & 255, v[2] & 255, v[3] & 255, v[4] & 255);
        vu16 odd = v_binomial(v[0] >> 8, v[1] >> 8, v[2] >> 8, v[3] >> 8, v[4] >> 8);
        memcpy(s->even + at + i / 2, &even, sizeof(even));
        memcpy(s->odd + at + i / 2, &odd, sizeof(odd));
    }
}

/* Columns 2i .. 2i + PL_BYTES - 1 of the block. */
static inline vu8 v_smooth(const struct column_sums *s, size_t i)
{
    const uint16_t *e = s->even + i, *o = s->odd + i;
    vu16 e0 = v_load_u16(e), e1 = v_load_u16(e + 1), e2 = v_load_u16(e + 2);
    vu16 o0 = v_load_u16(o), o1 = v_load_u16(o + 1), o2 = v_load_u16(o + 2);
    vu16 even = v_binomial(e0, o0, e1, o1, e2) + 128, odd = v_binomial(o0, e1, o1, e2, o2) + 128;
    return (vu8)((even >> 8) | (odd & 0xff00));
}

static void repeat_ends(struct column_sums *s, size_t count, bool first, bool last)
{
    size_t end = 1 + count / 2;
    if (first)
        s->even[0] = s->odd[0] = s->even[1];
    if (last && count % 2)
        s->odd[end] = s->even[end + 1] = s->even[end];
    else if (last)
        s->even[end] = s->odd[end] = s->odd[end - 1];
}

static void binomial5_row(uint8_t *dst, const uint8_t *const rows[5], size_t n)
{
    struct column_sums s;
    for (size_t x = 0; x < n; x += BLOCK) {
        size_t count = n - x < BLOCK ? n - x : BLOCK, before = x ? 2 : 0;
        size_t after = n - x - count < 2 ? n - x - count : 2;
        add_columns(&s, 1 - before / 2, rows, x - before, before + count + after);
        repeat_ends(&s, count + after, !before, after < 2);
        size_t i = 0;
        for (; i + PL_BYTES <= count; i += PL_BYTES)
            v_store(dst + x + i, v_smooth(&s, i / 2));
        if (i < count)
            v_store_part(dst + x + i, v_smooth(&s, i / 2), count - i);
    }
}

static void install_stencils(struct pl_kernels *k)
{
    k->or_u8 = or_u8;
    k->and_u8 = and_u8;
    k->max_u8 = max_u8;
    k->min_u8 = min_u8;
    k->median3_row = median3_row;
    k->binomial5_row = binomial5_row;
}

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

/* The columns of three rows, sorted; entry 0 is the column before the block. */
struct sorted {
    uint8_t lo[BLOCK + 2 + PL_BYTES], mid[BLOCK + 2 + PL_BYTES], hi[BLOCK + 2 + PL_BYTES];
};

static void sort_columns(struct sorted *s, size_t at, const uint8_t *const rows[3], size_t first,
                         size_t n)
{
    for (size_t i = 0; i < n; i += PL_BYTES) {
        vu8 v[3];
        for (int j = 0; j < 3; j++)
            v[j] = n - i < PL_BYTES ? v_load_part(rows[j] + first + i, n - i)
                                    : v_load(rows[j] + first + i);
        vu8 a = v_min(v[0], v[1]), b = v_max(v[0], v[1]);
        v_store(s->lo + at + i, v_min(a, v[2]));
        v_store(s->mid + at + i, v_max(a, v_min(b, v[2])));
        v_store(s->hi + at + i, v_max(b, v[2]));
    }
}

static void repeat_column(struct sorted *s, size_t to, size_t from)
{
    s->lo[to] = s->lo[from];
    s->mid[to] = s->mid[from];
    s->hi[to] = s->hi[from];
}

/* The median of nine is that of the largest of the lowest, the median of the middle and the
 * smallest of the highest of three sorted columns. */
static vu8 median_of_columns(const struct sorted *s, size_t i)
{
    vu8 lo = v_max(v_max(v_load(s->lo + i), v_load(s->lo + i + 1)), v_load(s->lo + i + 2));
    vu8 hi = v_min(v_min(v_load(s->hi + i), v_load(s->hi + i + 1)), v_load(s->hi + i + 2));
    vu8 mid = v_median(v_load(s->mid + i), v_load(s->mid + i + 1), v_load(s->mid + i + 2));
    return v_median(lo, mid, hi);
}

static void median3_row(uint8_t *dst, const uint8_t *const rows[3], size_t n)
{
    struct sorted s;
    for (size_t x = 0; x < n; x += BLOCK) {
        size_t count = n - x < BLOCK ? n - x : BLOCK, before = x ? 1 : 0;
        bool last = x + count == n;
        sort_columns(&s, 1 - before, rows, x - before, before + count + (last ? 0 : 1));
        if (!before)
            repeat_column(&s, 0, 1);
        if (last)
            repeat_column(&s, count + 1, count);
        size_t i = 0;
        for (; i + PL_BYTES <= count; i += PL_BYTES)
            v_store(dst + x + i, median_of_columns(&s, i));
        if (i < count)
            v_store_part(dst + x + i, median_of_columns(&s, i), count - i);
    }
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

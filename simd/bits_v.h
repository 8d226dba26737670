/* Bodies of the kernels on packed bits: included by one file per ISA after simd/bytes.h and these:
 *   v_mask                     PL_BYTES packed bits as they lie in memory
 *   v_ink(px, t)               1 where a pixel is at most t
 *   v_unpack(bits, zero, one)  the bytes of PL_BYTES bits
 *   v_add_bits(sum, bits)      adds them to PL_BYTES sums
 *   v_sad(v)                   the sums of eight bytes each */

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

/* What brings bit `left` of a byte to its front. */
struct v_shift {
    unsigned left;
    vu8 keep; /* of the bytes moved to the left */
};

static inline struct v_shift v_make_shift(unsigned left)
{
    return (struct v_shift){left, (uint8_t)(255u << left) - (vu8){0}};
}

static inline vu8 v_shifted(vu8 here, vu8 next, const struct v_shift *s)
{
    vu8 high = (vu8)((vu16)here << s->left) & s->keep;
    return high | ((vu8)((vu16)next >> (8 - s->left)) & ~s->keep);
}

/* PL_BYTES bytes of a shifted row of which n are left. */
static inline vu8 v_shifted_part(const uint8_t *p, size_t n, const struct v_shift *s)
{
    vu8 here = n < PL_BYTES ? v_load_part(p, n) : v_load(p);
    vu8 next = n - 1 < PL_BYTES ? v_load_part(p + 1, n - 1) : v_load(p + 1);
    return v_shifted(here, next, s);
}

/* Combines k rows, `any` by OR or else by AND. */
static inline __attribute__((always_inline)) void
aligned_rows(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t bytes, bool any)
{
    size_t i = 0;
    for (; i + PL_BYTES <= bytes; i += PL_BYTES) {
        vu8 v = v_load(rows[0].bits + i);
        for (size_t j = 1; j < k; j++)
            v = any ? v | v_load(rows[j].bits + i) : v & v_load(rows[j].bits + i);
        v_store(dst + i, v);
    }
    if (i < bytes) {
        vu8 v = v_load_part(rows[0].bits + i, bytes - i);
        for (size_t j = 1; j < k; j++) {
            vu8 w = v_load_part(rows[j].bits + i, bytes - i);
            v = any ? v | w : v & w;
        }
        v_store_part(dst + i, v, bytes - i);
    }
}

static inline __attribute__((always_inline)) void
shifted_rows(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n, bool any)
{
    struct v_shift s[4];
    size_t i = 0, bytes = (n + 7) / 8;
    for (size_t j = 0; j < k; j++)
        s[j] = v_make_shift(rows[j].shift);
    for (; i + PL_BYTES < bytes; i += PL_BYTES) { /* the loads reach one byte further */
        vu8 v = v_shifted(v_load(rows[0].bits + i), v_load(rows[0].bits + i + 1), &s[0]);
        for (size_t j = 1; j < k; j++) {
            vu8 w = v_shifted(v_load(rows[j].bits + i), v_load(rows[j].bits + i + 1), &s[j]);
            v = any ? v | w : v & w;
        }
        v_store(dst + i, v);
    }
    if (i == bytes)
        return;
    vu8 v = v_shifted_part(rows[0].bits + i, (n + s[0].left + 7) / 8 - i, &s[0]);
    for (size_t j = 1; j < k; j++) {
        vu8 w = v_shifted_part(rows[j].bits + i, (n + s[j].left + 7) / 8 - i, &s[j]);
        v = any ? v | w : v & w;
    }
    if (bytes - i < PL_BYTES)
        v_store_part(dst + i, v, bytes - i);
    else
        v_store(dst + i, v);
}

static inline __attribute__((always_inline)) void
combine_k(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n, bool any)
{
    unsigned shifts = 0;
    for (size_t j = 0; j < k; j++)
        shifts |= rows[j].shift;
    if (shifts)
        shifted_rows(dst, rows, k, n, any);
    else
        aligned_rows(dst, rows, k, (n + 7) / 8, any);
    clear_rest(dst, n);
}

static inline __attribute__((always_inline)) void
combine_rows(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n, bool any)
{
    if (k == 1)
        combine_k(dst, rows, 1, n, any);
    else if (k == 2)
        combine_k(dst, rows, 2, n, any);
    else if (k == 3)
        combine_k(dst, rows, 3, n, any);
    else
        combine_k(dst, rows, 4, n, any);
}

static void or_bits(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, true);
}

static void and_bits(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n)
{
    combine_rows(dst, rows, k, n, false);
}

static void install_bits(struct pl_kernels *k)
{
    k->threshold_bits = threshold_bits;
    k->unpack_bits = unpack_bits;
    k->colsum_bits = colsum_bits;
    k->sum_u8 = sum_u8;
    k->or_bits = or_bits;
    k->and_bits = and_bits;
}

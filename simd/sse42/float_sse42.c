/* SPDX-License-Identifier: BSD-2-Clause */
/* The float kernels without an instruction that fuses a product with a sum. The product of two
 * floats is exact in double; added to a third there and rounded to float it is rounded twice. The
 * first rounding does harm only where it ends exactly between two floats, and where the result is
 * below the normal floats, which have fewer places: both are seen, and the sum is taken again,
 * rounded to odd as in simd/fma.h. */
#define LANES 4
#define V_F __m128
#define V_MM(op) _mm_##op
#include "simd/float_x86.h"

#include <stdbool.h>
#include <string.h>

#include "base/attr.h"

/* The lower words of four doubles. Where only bit 28 of 29 is set, the double lies between two
 * floats: shifted as here it is the least of all int32. */
static inline __m128i between_floats(__m128d a, __m128d b)
{
    return _mm_slli_epi32((__m128i)_mm_shuffle_ps((__m128)a, (__m128)b, 0x88), 3);
}

/* All ones for the doubles that are no zeros and below the normal floats. */
static inline __m128i below_normal(__m128d a, __m128d b)
{
    const __m128i high = (__m128i)_mm_shuffle_ps((__m128)a, (__m128)b, 0xdd);
    const __m128i size = _mm_add_epi32(_mm_add_epi32(high, high), _mm_set1_epi32(-1));
    const __m128i most = _mm_set1_epi32(2 * 0x38100000 - 2);
    return _mm_cmpeq_epi32(_mm_min_epu32(size, most), size);
}

static inline __m128d low_pair(vf x)
{
    return _mm_cvtps_pd((V_F)x);
}

static inline __m128d high_pair(vf x)
{
    return _mm_cvtps_pd(_mm_movehl_ps((V_F)x, (V_F)x));
}

static inline vf narrow(__m128d low, __m128d high)
{
    return (vf)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

/* a * b + c, rounded to odd as in pl_fma(). */
static inline __m128d odd_sum(__m128d a, __m128d b, __m128d c)
{
    const __m128d zero = _mm_setzero_pd(), p = _mm_mul_pd(a, b), s = _mm_add_pd(p, c);
    const __m128d part = _mm_sub_pd(s, p);
    const __m128d e = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, part)), _mm_sub_pd(c, part));
    const __m128i one = _mm_set1_epi64x(1), bits = (__m128i)s;
    const __m128i even = _mm_sub_epi64(_mm_and_si128(bits, one), one);
    const __m128i inexact = (__m128i)_mm_or_pd(_mm_cmplt_pd(e, zero), _mm_cmpgt_pd(e, zero));
    const __m128i less = _mm_srli_epi64((__m128i)_mm_xor_pd(e, s), 63);
    const __m128i step = _mm_sub_epi64(one, _mm_add_epi64(less, less));
    return (__m128d)_mm_add_epi64(bits, _mm_and_si128(step, _mm_and_si128(inexact, even)));
}

static __attribute__((noinline)) vf vfma_odd(vf a, vf b, vf c)
{
    return narrow(odd_sum(low_pair(a), low_pair(b), low_pair(c)),
                  odd_sum(high_pair(a), high_pair(b), high_pair(c)));
}

static inline vf vfma(vf a, vf b, vf c)
{
    const __m128d low = _mm_add_pd(_mm_mul_pd(low_pair(a), low_pair(b)), low_pair(c));
    const __m128d high = _mm_add_pd(_mm_mul_pd(high_pair(a), high_pair(b)), high_pair(c));
    const __m128i between = _mm_cmpeq_epi32(between_floats(low, high), _mm_set1_epi32(INT32_MIN));
    const __m128i doubt = _mm_or_si128(between, below_normal(low, high));
    if (__builtin_expect(_mm_movemask_epi8(doubt), 0))
        return vfma_odd(a, b, c);
    return narrow(low, high);
}

static inline vf vsel(vi mask, vf a, vf b)
{
    return (vf)_mm_blendv_ps((V_F)b, (V_F)a, (V_F)mask);
}

static inline vf vload_n(const float *p, size_t n)
{
    float some[LANES] = {0};
    memcpy(some, p, n * sizeof(*some));
    return vload(some);
}

static inline void vstore_n(float *p, vf v, size_t n)
{
    float some[LANES];
    vstore(some, v);
    memcpy(p, some, n * sizeof(*some));
}

/* The bits of a half without its sign, moved to where a float has them, are its value by 2^-112;
 * those of an infinity are not. */
static inline vf vload_f16(const uint16_t *p)
{
    const __m128i half = _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)p));
    const __m128i size = _mm_and_si128(half, _mm_set1_epi32(0x7fff));
    const __m128i sign = _mm_slli_epi32(_mm_xor_si128(half, size), 16);
    const __m128 value = _mm_mul_ps((__m128)_mm_slli_epi32(size, 13), _mm_set1_ps(0x1p112f));
    const __m128i infinite = _mm_cmpgt_epi32(size, _mm_set1_epi32(0x7bff));
    const __m128i exponent = _mm_and_si128(infinite, _mm_set1_epi32(0x7f800000));
    return (vf)_mm_or_si128(_mm_or_si128((__m128i)value, exponent), sign);
}

static inline vf vload_u8(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof(four));
    return (vf)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)));
}

#define V_OWN_SGEMM
#include "simd/float_v.h"

/* The product of matrices goes by tiles of WIDE lanes and HIGH others, a part of the depth at a
 * time. A lane is a column of C and the others are rows, or, where there are few columns, the other
 * way round. Both factors of a tile are made doubles once for all tiles that read them. */
enum { WIDE = 8, HIGH = 2, BLOCK = 32, DEEP = 64 };

/* A tile's sums: `lanes` by `others` of them count, and lie in C by these steps. */
struct sums {
    float *c;
    size_t lane_step, lanes, other_step, others;
};

/* Keeps what computes eight doubles on this side of the accesses to the flags, of which the
 * compiler knows nothing. */
#define HOLD(s)                                                                                    \
    __asm__ volatile(""                                                                            \
                     : "+x"((s)[0]), "+x"((s)[1]), "+x"((s)[2]), "+x"((s)[3]), "+x"((s)[4]),       \
                       "+x"((s)[5]), "+x"((s)[6]), "+x"((s)[7]))

/* sum[h][..] += the products of wide and high, step by step. False, and nothing changes, where one
 * of the sums on the way may have been rounded wrongly. */
static bool add_products(float sum[HIGH][WIDE], const double *wide, const double *high,
                         size_t depth)
{
    enum { PAIRS = HIGH * WIDE / 2 };
    const unsigned flags = _mm_getcsr(), underflow = _MM_EXCEPT_UNDERFLOW;
    unsigned after;
    __m128i doubt = _mm_setzero_si128();
    __m128d s[PAIRS];
#pragma GCC unroll 8
    for (int i = 0; i < PAIRS; i++)
        s[i] = _mm_cvtps_pd(
            _mm_castsi128_ps(_mm_loadl_epi64((void *)&sum[2 * i / WIDE][2 * i % WIDE])));
    _mm_setcsr(flags & ~underflow);
    HOLD(s);
    for (size_t l = 0; l < depth; l++, wide += WIDE, high += HIGH) {
#pragma GCC unroll 8
        for (int h = 0; h < HIGH; h++) {
            const __m128d w = _mm_loaddup_pd(high + h);
#pragma GCC unroll 8
            for (int v = 0; v < WIDE / 2; v += 2) {
                __m128d *p = s + h * WIDE / 2 + v;
                const __m128d a = _mm_add_pd(_mm_mul_pd(w, _mm_load_pd(wide + 2 * v)), p[0]);
                const __m128d b = _mm_add_pd(_mm_mul_pd(w, _mm_load_pd(wide + 2 * v + 2)), p[1]);
                doubt = _mm_min_epi32(doubt, between_floats(a, b));
                p[0] = _mm_cvtps_pd(_mm_cvtpd_ps(a));
                p[1] = _mm_cvtps_pd(_mm_cvtpd_ps(b));
            }
        }
    }
    HOLD(s);
    after = _mm_getcsr();
    _mm_setcsr(after | flags);
    if ((after & underflow) || _mm_movemask_epi8(_mm_cmpeq_epi32(doubt, _mm_set1_epi32(INT32_MIN))))
        return false;
#pragma GCC unroll 8
    for (int i = 0; i < PAIRS; i++)
        _mm_storel_pi((void *)&sum[2 * i / WIDE][2 * i % WIDE], _mm_cvtpd_ps(s[i]));
    return true;
}

static void add_products_slowly(float sum[HIGH][WIDE], const double *wide, const double *high,
                                size_t depth)
{
    for (size_t l = 0; l < depth; l++, wide += WIDE, high += HIGH)
        for (size_t h = 0; h < HIGH; h++)
            for (size_t j = 0; j < WIDE; j += LANES) {
                const vf x = narrow(_mm_load_pd(wide + j), _mm_load_pd(wide + j + 2));
                vstore(sum[h] + j, vfma(vset((float)high[h]), x, vload(sum[h] + j)));
            }
}

static void tile(struct sums t, const double *wide, const double *high, size_t depth)
{
    float sum[HIGH][WIDE] = {{0}};
    for (size_t h = 0; h < t.others; h++)
        for (size_t j = 0; j < t.lanes; j++)
            sum[h][j] = t.c[h * t.other_step + j * t.lane_step];
    if (!add_products(sum, wide, high, depth))
        add_products_slowly(sum, wide, high, depth);
    for (size_t h = 0; h < t.others; h++)
        for (size_t j = 0; j < t.lanes; j++)
            t.c[h * t.other_step + j * t.lane_step] = sum[h][j];
}

static const float *row_of(const struct pl_sgemm *g, size_t l)
{
    return g->b + (g->b_at ? g->b_at[l] : l * g->b_step);
}

/* n columns of B from j on, n <= most; zeros are put behind them. */
static void columns(double *to, size_t most, const struct pl_sgemm *g, size_t j, size_t n, size_t l,
                    size_t depth)
{
    for (const size_t end = l + depth; l < end; l++, to += most) {
        const float *from = row_of(g, l) + j;
        for (size_t i = 0; i < most; i++)
            to[i] = i < n ? (double)from[i] : 0;
    }
}

/* `most` rows of A, which divides the rows of a panel, from i on. */
static void rows(double *to, size_t most, const struct pl_sgemm *g, size_t i, size_t l,
                 size_t depth)
{
    const float *from = g->a + (i / PL_SGEMM_ROWS * g->k + l) * PL_SGEMM_ROWS + i % PL_SGEMM_ROWS;
    for (const size_t end = l + depth; l < end; l++, to += most, from += PL_SGEMM_ROWS)
        for (size_t r = 0; r < most; r++)
            to[r] = (double)from[r];
}

static void start_sums(const struct pl_sgemm *g)
{
    for (size_t i = 0; i < g->m; i++)
        for (size_t j = 0; j < g->n; j++)
            g->c[i * g->c_step + j] = g->row_bias   ? g->row_bias[i]
                                      : g->col_bias ? g->col_bias[j]
                                                    : 0;
}

/* The part of the depth from l on, of at most BLOCK rows from i on. */
static void block_of_rows(const struct pl_sgemm *g, size_t i, size_t l, size_t depth)
{
    _Alignas(16) double wide[DEEP * WIDE], high[BLOCK / HIGH][DEEP * HIGH];
    const size_t n = PL_MIN(g->m - i, (size_t)BLOCK);
    for (size_t r = 0; r < n; r += HIGH)
        rows(high[r / HIGH], HIGH, g, i + r, l, depth);
    for (size_t j = 0; j < g->n; j += WIDE) {
        columns(wide, WIDE, g, j, PL_MIN(g->n - j, (size_t)WIDE), l, depth);
        for (size_t r = 0; r < n; r += HIGH)
            tile((struct sums){g->c + (i + r) * g->c_step + j, 1, PL_MIN(g->n - j, (size_t)WIDE),
                               g->c_step, PL_MIN(n - r, (size_t)HIGH)},
                 wide, high[r / HIGH], depth);
    }
}

/* The same of all rows and few columns: the rows of a panel are the lanes. */
static void few_columns(const struct pl_sgemm *g, size_t l, size_t depth)
{
    _Alignas(16) double wide[DEEP * WIDE], high[WIDE / HIGH][DEEP * HIGH];
    for (size_t j = 0; j < g->n; j += HIGH)
        columns(high[j / HIGH], HIGH, g, j, PL_MIN(g->n - j, (size_t)HIGH), l, depth);
    for (size_t i = 0; i < g->m; i += WIDE) {
        rows(wide, WIDE, g, i, l, depth);
        for (size_t j = 0; j < g->n; j += HIGH)
            tile((struct sums){g->c + i * g->c_step + j, g->c_step, PL_MIN(g->m - i, (size_t)WIDE),
                               1, PL_MIN(g->n - j, (size_t)HIGH)},
                 wide, high[j / HIGH], depth);
    }
}

static void sgemm_run(const struct pl_sgemm *g)
{
    start_sums(g);
    for (size_t l = 0; l < g->k; l += DEEP) {
        const size_t depth = PL_MIN(g->k - l, (size_t)DEEP);
        if (g->n < WIDE)
            few_columns(g, l, depth);
        else
            for (size_t i = 0; i < g->m; i += BLOCK)
                block_of_rows(g, i, l, depth);
    }
}

static void sgemm(const struct pl_sgemm *g)
{
    pl_sgemm_each_run(g, sgemm_run);
}

FLOAT_INIT(sse42)

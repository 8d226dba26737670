/* SPDX-License-Identifier: BSD-2-Clause */
#define LANES 8
#define V_F __m256
#define V_MM(op) _mm256_##op
#include "simd/float_x86.h"

static inline vf vsel(vi mask, vf a, vf b)
{
    return (vf)_mm256_blendv_ps((V_F)b, (V_F)a, (V_F)mask);
}

static inline __m256i first(size_t n)
{
    const __m256i at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), at);
}

static inline vf vload_n(const float *p, size_t n)
{
    return (vf)_mm256_maskload_ps(p, first(n));
}

static inline void vstore_n(float *p, vf v, size_t n)
{
    _mm256_maskstore_ps(p, first(n), (V_F)v);
}

static inline vf vload_f16(const uint16_t *p)
{
    return (vf)_mm256_cvtph_ps(_mm_loadu_si128((const void *)p));
}

static inline vf vload_u8(const uint8_t *p)
{
    return (vf)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p)));
}

#define RUN_REGS 4
#define RUN_COLUMNS 3
#include "simd/float_v.h"

TILE(4, 1)
TILE(4, 2)
TILE(4, 3)
TILE(2, 1)
TILE(2, 2)
TILE(2, 3)
TILE(2, 4)
TILE(2, 5)
TILE(1, 1)
TILE(1, 2)
TILE(1, 3)
TILE(1, 4)
TILE(1, 5)
TILE(1, 6)
TILE(1, 7)
TILE(1, 8)

/* sixteen registers: a panel in two halves */
static void tile_8_1(const struct pl_sgemm *g, size_t i, size_t j, size_t last)
{
    tile_4_1(g, i, j, last);
    tile_4_1(g, i + 4, j, last);
}

static void tile_8_2(const struct pl_sgemm *g, size_t i, size_t j, size_t last)
{
    tile_4_2(g, i, j, last);
    tile_4_2(g, i + 4, j, last);
}

static void tile_8_3(const struct pl_sgemm *g, size_t i, size_t j, size_t last)
{
    tile_4_3(g, i, j, last);
    tile_4_3(g, i + 4, j, last);
}

static const size_t sgemm_regs[4] = {3, 3, 5, 8};
static tile_fn *const sgemm_tiles[4][8] = {
    {tile_8_1, tile_8_2, tile_8_3},
    {tile_4_1, tile_4_2, tile_4_3},
    {tile_2_1, tile_2_2, tile_2_3, tile_2_4, tile_2_5},
    {tile_1_1, tile_1_2, tile_1_3, tile_1_4, tile_1_5, tile_1_6, tile_1_7, tile_1_8},
};

RUN_TILE(1)
RUN_TILE(2)
RUN_TILE(3)

static run_tile_fn *const run_tiles[RUN_COLUMNS] = {run_tile_1, run_tile_2, run_tile_3};

FLOAT_INIT(avx2)

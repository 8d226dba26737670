#include "simd/kernels.h"

#include "simd/qgemm_v256.h"

/* Weights of even and of odd rows, as 16-bit. */
typedef struct {
    __m256i even, odd;
} vw;

static inline vw vw_load(const int8_t *p)
{
    const __m256i v = _mm256_loadu_si256((const void *)p);
    return (vw){_mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8), _mm256_srai_epi16(v, 8)};
}

static inline __m256i vw_dot(__m256i acc, __m256i x, vw w)
{
    const __m256i even = _mm256_madd_epi16(_mm256_and_si256(x, _mm256_set1_epi16(255)), w.even);
    return _mm256_add_epi32(
        acc, _mm256_add_epi32(even, _mm256_madd_epi16(_mm256_srli_epi16(x, 8), w.odd)));
}

#include "simd/qmap_v.h"

void pl_qmap_init_avx2(struct pl_kernels *k);
void pl_qmap_init_avx2(struct pl_kernels *k)
{
    k->quantize_u8 = quantize_u8;
    k->dequantize_u8 = dequantize_u8;
    k->qadd_u8 = qadd_u8;
    k->qscale_u8 = qscale_u8;
    k->qplane_u8 = qplane_u8;
}

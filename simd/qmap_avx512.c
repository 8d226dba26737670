#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

/* Weights of even and of odd rows, as 16-bit. */
typedef struct {
    __m512i even, odd;
} vw;

static inline vw vw_load(const int8_t *p)
{
    const __m512i v = _mm512_loadu_si512(p);
    return (vw){_mm512_srai_epi16(_mm512_slli_epi16(v, 8), 8), _mm512_srai_epi16(v, 8)};
}

static inline __m512i vw_dot(__m512i acc, __m512i x, vw w)
{
    const __m512i even = _mm512_madd_epi16(_mm512_and_si512(x, _mm512_set1_epi16(255)), w.even);
    return _mm512_add_epi32(
        acc, _mm512_add_epi32(even, _mm512_madd_epi16(_mm512_srli_epi16(x, 8), w.odd)));
}

#include "simd/qmap_v.h"

void pl_qmap_init_avx512(struct pl_kernels *k);
void pl_qmap_init_avx512(struct pl_kernels *k)
{
    k->quantize_u8 = quantize_u8;
    k->dequantize_u8 = dequantize_u8;
    k->qadd_u8 = qadd_u8;
    k->qscale_u8 = qscale_u8;
    k->qplane_u8 = qplane_u8;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of qgemm_v.h in the vectors of WebAssembly. */
#include <string.h>
#include <wasm_simd128.h>

#define V_LANES 4
typedef v128_t vi;
typedef v128_t vf;

#define v_load_i32(p) wasm_v128_load(p)
#define v_store_i32(p, v) wasm_v128_store(p, v)
#define v_load_bytes(p) wasm_v128_load(p)
#define v_load_f32(p) wasm_v128_load(p)
#define v_store_f32(p, v) wasm_v128_store(p, v)
#define v_set1_i32(x) wasm_i32x4_splat(x)
#define v_set1_f32(x) wasm_f32x4_splat(x)
#define v_add_i32(a, b) wasm_i32x4_add(a, b)
#define v_sub_i32(a, b) wasm_i32x4_sub(a, b)
#define v_cvt_f32(a) wasm_f32x4_convert_i32x4(a)
#define v_cvt_i32(a) wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(a))
#define v_mul(a, b) wasm_f32x4_mul(a, b)
#define v_add_f32(a, b) wasm_f32x4_add(a, b)
#define v_min(a, b) wasm_f32x4_pmin(a, b)
#define v_max(a, b) wasm_f32x4_pmax(a, b)

static inline vi v_widen_u8(const uint8_t *p)
{
    return wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)));
}

static inline void v_store_u8(uint8_t *p, vi v)
{
    vi words = wasm_u16x8_narrow_i32x4(v, v);
    wasm_v128_store32_lane(p, wasm_u8x16_narrow_i16x8(words, words), 0);
}

static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    vi a = wasm_v128_load(p), b = wasm_v128_load(p + step);
    vi c = wasm_v128_load(p + 2 * step), d = wasm_v128_load(p + 3 * step);
    vi ab = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    vi cd = wasm_i8x16_shuffle(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    vi ab2 = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    vi cd2 = wasm_i8x16_shuffle(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    wasm_v128_store(out, wasm_i16x8_shuffle(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11));
    wasm_v128_store(out + 16, wasm_i16x8_shuffle(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15));
    wasm_v128_store(out + 32, wasm_i16x8_shuffle(ab2, cd2, 0, 8, 1, 9, 2, 10, 3, 11));
    wasm_v128_store(out + 48, wasm_i16x8_shuffle(ab2, cd2, 4, 12, 5, 13, 6, 14, 7, 15));
}

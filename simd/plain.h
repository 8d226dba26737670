/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalar bodies once more, as the compiler makes them at -O3 for an instruction set: what the
 * bench compares bodies written by hand with. A source that was made from plain.c.in gives them
 * names of their own, since others call the scalar ones. */
#ifndef PL_SIMD_PLAIN_H
#define PL_SIMD_PLAIN_H

#define PL_PLAIN_JOIN(name, isa) name##_plain_##isa
#define PL_PLAIN_NAME(name, isa) PL_PLAIN_JOIN(name, isa)
#define PL_PLAIN(name) PL_PLAIN_NAME(name, PL_PLAIN_ISA)

#define pl_bits_init_scalar PL_PLAIN(pl_bits_init)
#define pl_decode_init_scalar PL_PLAIN(pl_decode_init)
#define pl_float_init_scalar PL_PLAIN(pl_float_init)
#define pl_local_init_scalar PL_PLAIN(pl_local_init)
#define pl_pixel_init_scalar PL_PLAIN(pl_pixel_init)
#define pl_qgemm_init_scalar PL_PLAIN(pl_qgemm_init)
#define pl_qmap_init_scalar PL_PLAIN(pl_qmap_init)
#define pl_qwinograd_init_scalar PL_PLAIN(pl_qwinograd_init)
#define pl_stencil_init_scalar PL_PLAIN(pl_stencil_init)
#define pl_unfilter_init_scalar PL_PLAIN(pl_unfilter_init)

#define pl_colsum_u8_scalar PL_PLAIN(pl_colsum_u8)
#define pl_warp_row_scalar PL_PLAIN(pl_warp_row)
#define pl_maxvar_row_scalar PL_PLAIN(pl_maxvar_row)
#define pl_mean_row_scalar PL_PLAIN(pl_mean_row)
#define pl_nick_row_scalar PL_PLAIN(pl_nick_row)
#define pl_sauvola_row_scalar PL_PLAIN(pl_sauvola_row)
#define pl_wolf_row_scalar PL_PLAIN(pl_wolf_row)

#endif

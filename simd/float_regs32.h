/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the float kernels for levels of 32 registers: what float_v.h needs comes before it. */
#define RUN_REGS 2
#define RUN_COLUMNS 8
#include "simd/float_v.h"

TILE(8, 1)
TILE(8, 2)
TILE(8, 3)
TILE(4, 1)
TILE(4, 2)
TILE(4, 3)
TILE(4, 4)
TILE(2, 1)
TILE(2, 2)
TILE(2, 3)
TILE(2, 4)
TILE(2, 5)
TILE(2, 6)
TILE(1, 1)
TILE(1, 2)
TILE(1, 3)
TILE(1, 4)
TILE(1, 5)
TILE(1, 6)
TILE(1, 7)
TILE(1, 8)

static const size_t sgemm_regs[4] = {3, 4, 6, 8};
static tile_fn *const sgemm_tiles[4][8] = {
    {tile_8_1, tile_8_2, tile_8_3},
    {tile_4_1, tile_4_2, tile_4_3, tile_4_4},
    {tile_2_1, tile_2_2, tile_2_3, tile_2_4, tile_2_5, tile_2_6},
    {tile_1_1, tile_1_2, tile_1_3, tile_1_4, tile_1_5, tile_1_6, tile_1_7, tile_1_8},
};

RUN_TILE(1)
RUN_TILE(2)
RUN_TILE(3)
RUN_TILE(4)
RUN_TILE(5)
RUN_TILE(6)
RUN_TILE(7)
RUN_TILE(8)

static run_tile_fn *const run_tiles[RUN_COLUMNS] = {run_tile_1, run_tile_2, run_tile_3, run_tile_4,
                                                    run_tile_5, run_tile_6, run_tile_7, run_tile_8};

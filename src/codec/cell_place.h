/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in which cells work, as cells.c asks for them. */
#ifndef PL_CODEC_CELL_PLACE_H
#define PL_CODEC_CELL_PLACE_H

#include "base/map.h"
#include "codec/cell.h"

/* After a picture, a mapping that is larger than this gives its memory back to the system. */
#define PL_CELL_KEPT_BYTES ((size_t)16 << 20)

struct pl_cell_mapping {
    int fd;
    uint8_t *at;
    size_t bytes;
};

/* The mappings and the channel for one picture at a time. */
struct pl_cell_place {
    struct pl_cell_mapping in, out;
    int channel; /* of its cell; -1 = none */
    bool taken;
    size_t kept_bytes; /* of the file in `in`, whose cell waits for a further page; 0 = none does */
    struct pl_file_version version; /* of that file; without a length where nothing tells it */
    int requests;                   /* that its cell was sent */
};

/* Whether the helper runs. */
bool pl_cells_met(void);
const struct pl_cells_options *pl_cells_options_in_force(void);

/* Waits for a place for a file of n bytes. */
struct pl_cell_place *pl_cell_place_take(size_t n);
/* Gives it back. `n` is the size of the file where its cell waits for a further request; 0 = it
 * does not. */
void pl_cell_place_leave(struct pl_cell_place *p, size_t n);

/* Ends the place's cell, if it has one, and begins another where `begin` is set. -1 = the helper is
 * gone; else how the old one ended. Where no other one could be begun the place has no channel, and
 * errno tells why. */
int pl_cell_order(struct pl_cell_place *p, bool begin);

/* Makes the mapping n bytes or more. Its file is sealed against shrinking, so that touching the
 * mapping cannot end this process. */
PL_MUST_USE platen_status pl_cell_mapping_grow(struct pl_cell_mapping *m, size_t n,
                                               struct platen_error *err);
/* Gives back the memory of a large mapping. A cell that still has the mapping is ended before the
 * next one begins. */
void pl_cell_mapping_trim(struct pl_cell_mapping *m);

#endif

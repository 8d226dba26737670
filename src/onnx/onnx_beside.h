/* SPDX-License-Identifier: BSD-2-Clause */
/* Files beside an ONNX file that hold the data of its tensors, as large networks are written. */
#ifndef PL_ONNX_ONNX_BESIDE_H
#define PL_ONNX_ONNX_BESIDE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

/* The files of one ONNX file that were opened so far. */
struct pl_beside {
    const char *model; /* the path of the ONNX file */
    struct pl_map *maps;
    const char **names; /* as the tensors name them */
    size_t n, room, bytes;
};

/* Finds data of a tensor: size bytes at `offset` of the file that `name` tells from the folder of
 * the ONNX file. That stays mapped, and the lists of *b lie in the arena: the caller closes the
 * maps. PLATEN_ERR_UNSUPPORTED for a name that leads out of the folder, also by links, and for what
 * is no file; PLATEN_ERR_IO where the file is not to be had, _FORMAT where it is too short, _LIMIT
 * for too many files, and for more bytes in all than an ONNX file may have. */
PL_MUST_USE platen_status pl_beside_data(struct pl_beside *b, const char *name, uint64_t offset,
                                         size_t size, struct pl_arena *arena, const uint8_t **ret,
                                         struct platen_error *err);

#endif

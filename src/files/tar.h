/* SPDX-License-Identifier: BSD-2-Clause */
/* Tar archives in memory: ustar and what came before it, with the names of GNU tar and of pax
 * (POSIX.1, pax, "ustar Interchange Format" and "pax Extended Header"). */
#ifndef PL_FILES_TAR_H
#define PL_FILES_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define PL_TAR_NAME_BYTES 4096 /* of a name at most, with its zero */

/* Where the reader is in data[0..size). */
struct pl_tar {
    const uint8_t *data;
    size_t size, at;
};

struct pl_tar_member {
    char name[PL_TAR_NAME_BYTES]; /* as the archive has it; not empty */
    enum {
        PL_TAR_FILE,
        PL_TAR_DIRECTORY,
        PL_TAR_LINK,
        PL_TAR_HOLES, /* a file packed without its zeros: `data` is not what the file holds */
        PL_TAR_OTHER, /* a device, what is not known */
    } kind;
    const uint8_t *data; /* of a file, in the archive */
    size_t size;
};

/* The next member. *ret_any is false at the end. Blocks of zeros between members are skipped, so
 * that archives may follow one another. PLATEN_ERR_FORMAT names the place of what is no header, and
 * the member that the archive does not hold whole. */
PL_MUST_USE platen_status pl_tar_next(struct pl_tar *tar, struct pl_tar_member *ret, bool *ret_any,
                                      struct platen_error *err);

#endif

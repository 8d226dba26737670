/* SPDX-License-Identifier: BSD-2-Clause */
/* The outer form of every model file: header, section table, sections (platen-model.5). */
#ifndef PL_NN_CONTAINER_H
#define PL_NN_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

#define PL_CONTAINER_MAX_SECTIONS 8
#define PL_CONTAINER_ALIGN 64
#define PL_CONTAINER_HEADER_BYTES 64
#define PL_CONTAINER_SECTION_BYTES 32 /* of a record of the section table */
/* Limits of the format, tested before anything else uses the values. */
#define PL_CONTAINER_MAX_BYTES ((size_t)1 << 30)
#define PL_CONTAINER_MAX_META_BYTES ((size_t)64 << 10)
#define PL_CONTAINER_MAX_META_KEYS 256

extern const char pl_container_magic[8];

static inline size_t pl_container_align(size_t n)
{
    return (n + PL_CONTAINER_ALIGN - 1) & ~(size_t)(PL_CONTAINER_ALIGN - 1);
}

/* One section: its bytes, and where they begin in the file. */
struct pl_nn_range {
    const uint8_t *data;
    size_t offset, size;
};

/* The major version, 0 when data[0..n) is no model file of a known version. */
int pl_container_version(const uint8_t *data, size_t n);

/* What a file must be: of version `major`.0, with sections of these names in this order, of which
 * those behind the first `least` may lack. */
struct pl_container_form {
    int major;
    const char (*names)[5];
    size_t n_sections, least;
};

/* Checks header, places, padding and checksums of a file of that form, data[0..n), and tells where
 * its sections are: of section[0..form->n_sections) those that it lacks stay as they were.
 * PLATEN_ERR_UNSUPPORTED for another version, _FORMAT, _LIMIT. */
PL_MUST_USE platen_status pl_container_read(const uint8_t *data, size_t n,
                                            const struct pl_container_form *form,
                                            struct pl_nn_range *section, struct platen_error *err);

/* A line key=value of section META. */
struct pl_nn_meta {
    const char *key, *value;
};

/* Gives the lines of section META, *ret_n of them, cut apart in the arena. PLATEN_ERR_FORMAT for
 * keys that are no words, that come twice or without a value, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_container_meta(const struct pl_nn_range *sec, struct pl_arena *arena,
                                            struct pl_nn_meta **ret, size_t *ret_n,
                                            struct platen_error *err);
/* Tells whether section META can hold the pair. */
bool pl_container_is_meta(const char *key, size_t key_bytes, const char *value, size_t value_bytes);
/* The value of a key, or NULL. */
const char *pl_container_value(const struct pl_nn_meta *meta, size_t n, const char *key);

/* n[0..k) is printable UTF-8. */
bool pl_container_is_text(const char *p, size_t n);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* An arena holds the boxes and texts of one page, which are forgotten together at a reset. It is
 * not thread-safe. */
#ifndef PL_BASE_ARENA_H
#define PL_BASE_ARENA_H

#include <stddef.h>

#include "base/attr.h"

struct pl_arena_chunk;

struct pl_arena {
    struct pl_arena_chunk *first; /* all chunks */
    struct pl_arena_chunk *current;
    size_t least_bytes;   /* of the next chunk: what was enough for the page before */
    size_t most;          /* bytes of the first chunk in use at once since the last trim */
    size_t touched;       /* bytes of the first chunk that were ever in use and not given back */
    size_t refused_bytes; /* of the last request for which there was no memory */
};

void pl_arena_init(struct pl_arena *a);
/* Returns zeroed room for n objects of `size` bytes, aligned to 16 bytes, or NULL when memory is
 * short. */
PL_MUST_USE void *pl_arena_alloc(struct pl_arena *a, size_t n, size_t size);
/* Does the same, but does not zero the room. */
PL_MUST_USE void *pl_arena_room(struct pl_arena *a, size_t n, size_t size);
/* Returns a copy of s[0..n) with a terminating NUL, or NULL when memory is short. */
PL_MUST_USE char *pl_arena_strndup(struct pl_arena *a, const char *s, size_t n);
/* Returns the printed text, or NULL when memory is short. */
PL_MUST_USE char *pl_arena_printf(struct pl_arena *a, const char *fmt, ...) PL_PRINTF(2, 3);
/* A place in an arena. Going back to it forgets every object that was made since. */
struct pl_arena_mark {
    struct pl_arena_chunk *chunk; /* NULL = at its beginning */
    size_t used;
};
struct pl_arena_mark pl_arena_mark(const struct pl_arena *a);
void pl_arena_rewind(struct pl_arena *a, struct pl_arena_mark mark);
/* Forgets every object and keeps the memory for the next page. Where there were several chunks they
 * are freed, and the next chunk will be as large as all of them together. */
void pl_arena_reset(struct pl_arena *a);
/* As pl_arena_reset(), between two pages: what a large page touched and the last page did not need
 * by far goes back to the system until it is used again. */
void pl_arena_trim(struct pl_arena *a);
void pl_arena_done(struct pl_arena *a);

#define PL_NEW(arena, type, n) ((type *)pl_arena_alloc((arena), (n), sizeof(type)))

#endif

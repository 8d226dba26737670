/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/poison.h"

#define CHUNK_BYTES ((size_t)64 << 10)
/* A trim keeps KEPT times the bytes that were in use at once, and gives the rest back to the system
 * when it is at least LEAST_FORGOTTEN bytes. */
#define KEPT 2
#define LEAST_FORGOTTEN ((size_t)1 << 20)

/* The chunks behind the current one are empty. */
struct pl_arena_chunk {
    struct pl_arena_chunk *next;
    size_t used, size;
    alignas(16) unsigned char data[];
};

/* Keeps the first `used` bytes. */
static void cut(struct pl_arena_chunk *c, size_t used)
{
    c->used = used;
    pl_poison(c->data + used, c->size - used);
}

void pl_arena_init(struct pl_arena *a)
{
    *a = (struct pl_arena){0};
}

static struct pl_arena_chunk *chunk_new(const struct pl_arena *a, size_t bytes)
{
    size_t size = PL_MAX(PL_MAX(bytes, CHUNK_BYTES), a->first ? 0 : a->least_bytes), total;
    if (!pl_add(size, sizeof(struct pl_arena_chunk), &total))
        return NULL;
    struct pl_arena_chunk *c = pl_alloc(1, total);
    if (!c)
        return NULL;
    *c = (struct pl_arena_chunk){.size = size};
    cut(c, 0);
    return c;
}

/* The next chunk with room: one that a reset left behind, or a new one linked in after current. */
static struct pl_arena_chunk *advance(struct pl_arena *a, size_t bytes)
{
    struct pl_arena_chunk *c = a->current ? a->current->next : a->first;
    for (; c; c = c->next) {
        a->current = c;
        if (c->size >= bytes)
            return c;
    }
    c = chunk_new(a, bytes);
    if (!c)
        return NULL;
    if (a->current) {
        c->next = a->current->next;
        a->current->next = c;
    } else {
        a->first = c;
    }
    return a->current = c;
}

void *pl_arena_room(struct pl_arena *a, size_t n, size_t size)
{
    size_t bytes;
    if (!pl_mul(n, size, &bytes) || !pl_add(bytes, 15 + PL_RED_ZONE_BYTES, &bytes)) {
        a->refused_bytes = SIZE_MAX;
        return NULL;
    }
    bytes &= ~(size_t)15;
    struct pl_arena_chunk *c = a->current;
    if (!c || c->size - c->used < bytes)
        c = advance(a, bytes);
    if (!c) {
        a->refused_bytes = bytes;
        return NULL;
    }
    void *p = c->data + c->used;
    c->used += bytes;
    pl_unpoison(p, n * size);
    return p;
}

void *pl_arena_alloc(struct pl_arena *a, size_t n, size_t size)
{
    void *p = pl_arena_room(a, n, size);
    return p ? memset(p, 0, n * size) : NULL;
}

char *pl_arena_strndup(struct pl_arena *a, const char *s, size_t n)
{
    assert(s || !n);
    size_t bytes;
    char *p = pl_add(n, 1, &bytes) ? pl_arena_alloc(a, bytes, 1) : NULL;
    if (p)
        memcpy(p, s, n);
    return p;
}

static size_t free_chunks(struct pl_arena *a)
{
    size_t bytes = 0;
    for (struct pl_arena_chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        bytes += c->size;
        pl_free(c);
    }
    a->first = NULL;
    return bytes;
}

/* Notes how far the first chunk is used, before that is lowered. */
static void note_use(struct pl_arena *a)
{
    a->most = PL_MAX(a->most, a->first->used);
    a->touched = PL_MAX(a->touched, a->most);
}

void pl_arena_reset(struct pl_arena *a)
{
    if (a->first && a->first->next) {
        a->least_bytes = free_chunks(a);
        a->most = a->touched = 0;
    } else if (a->first) {
        note_use(a);
        cut(a->first, 0);
    }
    a->current = a->first;
}

void pl_arena_trim(struct pl_arena *a)
{
    pl_arena_reset(a);
    assert(!a->first || (!a->first->next && a->touched <= a->first->size));
    const size_t kept = KEPT * a->most;
    a->most = 0;
    if (a->touched < kept + LEAST_FORGOTTEN)
        return;
    pl_mem_forget(a->first->data + kept, a->touched - kept);
    a->touched = kept;
}

char *pl_arena_printf(struct pl_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    char *s = PL_NEW(a, char, (size_t)n + 1);
    if (s)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return s;
}

struct pl_arena_mark pl_arena_mark(const struct pl_arena *a)
{
    return (struct pl_arena_mark){a->current, a->current ? a->current->used : 0};
}

void pl_arena_rewind(struct pl_arena *a, struct pl_arena_mark mark)
{
    if (!mark.chunk) {
        pl_arena_reset(a);
        return;
    }
    assert(a->current && (mark.chunk != a->current || mark.used <= a->current->used));
    if (a->current == a->first)
        note_use(a);
    a->current = mark.chunk;
    cut(a->current, mark.used);
    for (struct pl_arena_chunk *c = a->current->next; c; c = c->next)
        cut(c, 0);
}

void pl_arena_done(struct pl_arena *a)
{
    free_chunks(a);
    pl_arena_init(a);
}

#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/mem.h"

#define CHUNK_BYTES ((size_t)64 << 10)

struct pl_arena_chunk {
    struct pl_arena_chunk *next;
    size_t used, size;
    alignas(16) unsigned char data[];
};

void pl_arena_init(struct pl_arena *a)
{
    a->first = a->current = NULL;
}

static struct pl_arena_chunk *chunk_new(size_t bytes)
{
    size_t size = PL_MAX(bytes, CHUNK_BYTES), total;
    if (!pl_add(size, sizeof(struct pl_arena_chunk), &total))
        return NULL;
    struct pl_arena_chunk *c = pl_alloc(1, total);
    if (c)
        *c = (struct pl_arena_chunk){.size = size};
    return c;
}

/* The next chunk with room: one that a reset left behind, or a new one linked in after current. */
static struct pl_arena_chunk *advance(struct pl_arena *a, size_t bytes)
{
    struct pl_arena_chunk *c = a->current ? a->current->next : a->first;
    for (; c; c = c->next) {
        c->used = 0;
        a->current = c;
        if (c->size >= bytes)
            return c;
    }
    c = chunk_new(bytes);
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

void *pl_arena_alloc(struct pl_arena *a, size_t n, size_t size)
{
    size_t bytes;
    if (!pl_mul(n, size, &bytes) || !pl_add(bytes, 15, &bytes))
        return NULL;
    bytes &= ~(size_t)15;
    struct pl_arena_chunk *c = a->current;
    if (!c || c->size - c->used < bytes)
        c = advance(a, bytes);
    if (!c)
        return NULL;
    void *p = c->data + c->used;
    c->used += bytes;
    return memset(p, 0, bytes);
}

char *pl_arena_strndup(struct pl_arena *a, const char *s, size_t n)
{
    size_t bytes;
    char *p = pl_add(n, 1, &bytes) ? pl_arena_alloc(a, bytes, 1) : NULL;
    if (p)
        memcpy(p, s, n);
    return p;
}

void pl_arena_reset(struct pl_arena *a)
{
    a->current = a->first;
    if (a->first)
        a->first->used = 0;
}

void pl_arena_done(struct pl_arena *a)
{
    for (struct pl_arena_chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        pl_free(c);
    }
    pl_arena_init(a);
}

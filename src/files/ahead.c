/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/ahead.h"

#include <assert.h>

#define STACK_BYTES ((size_t)256 << 10)

/* Pages behind the first one are in a file that was opened for that one. */
static bool is_wanted(const struct pl_input *in)
{
    return !in->data && !in->head && !in->error && !in->done && in->page <= 1;
}

/* Begins with an input that is wanted, if there is room; NULL = there is none now. */
static struct pl_ahead_file *begin_next(struct pl_ahead *a)
{
    const size_t given = a->given ? atomic_load(a->given) : 0;
    a->next = PL_MAX(a->next, given);
    while (a->next < a->n && !is_wanted(&a->in[a->next]))
        a->next++;
    struct pl_ahead_file *f = &a->files[a->next % PL_AHEAD_FILES];
    const bool room =
        !a->n_files || (a->n_files < a->most_files && a->bytes < a->most_bytes && !f->number);
    if (a->next >= a->n || !room)
        return NULL;
    a->n_files++;
    *f = (struct pl_ahead_file){.number = ++a->next};
    return f;
}

/* Called with the lock, which is free meanwhile. Whoever needs the file tells what is wrong with
 * it. */
static void try_file(struct pl_ahead *a, struct pl_ahead_file *f)
{
    const struct pl_input *in = &a->in[f->number - 1];
    struct pl_map map = {0};
    pthread_mutex_unlock(&a->lock);
    if (pl_input_state_of(in).known && pl_map_open_ahead(in->path, PL_MAX_INPUT_BYTES, &map))
        pl_map_ask_for(&map, a->file_bytes);
    pthread_mutex_lock(&a->lock);
    f->map = map;
    f->bytes = PL_MIN(map.size, a->file_bytes);
    f->tried = true;
    a->bytes += f->bytes;
    pthread_cond_broadcast(&a->moved);
}

static void *open_ahead(void *ctx)
{
    struct pl_ahead *a = ctx;
    pthread_mutex_lock(&a->lock);
    while (!a->quit && a->next < a->n) {
        struct pl_ahead_file *f = begin_next(a);
        if (f)
            try_file(a, f);
        else if (a->next < a->n)
            pthread_cond_wait(&a->moved, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

void pl_ahead_begin(struct pl_ahead *a)
{
    assert(a->most_files > 0 && a->most_files <= PL_AHEAD_FILES);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->moved, NULL);
    const size_t threads = PL_MIN(a->n, (size_t)PL_AHEAD_THREADS + 1);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    while (a->n_threads + 1 < threads &&
           !pthread_create(&a->threads[a->n_threads], &attr, open_ahead, a))
        a->n_threads++;
    pthread_attr_destroy(&attr);
}

static bool is_same(const struct pl_map *map, const struct pl_input_state *now)
{
    return now->known && map->size == now->size &&
           (uint64_t)map->written.tv_sec * 1000000000u + (uint64_t)map->written.tv_nsec ==
               now->mtime_ns;
}

void pl_ahead_take(struct pl_ahead *a, size_t index, const struct pl_input_state *now,
                   struct pl_map *ret)
{
    struct pl_ahead_file *f = &a->files[index % PL_AHEAD_FILES], taken = {0};
    *ret = (struct pl_map){0};
    if (!a->n_threads)
        return;
    pthread_mutex_lock(&a->lock);
    a->next = PL_MAX(a->next, index + 1);
    while (f->number == index + 1 && !f->tried)
        pthread_cond_wait(&a->moved, &a->lock);
    if (f->number == index + 1) {
        taken = *f;
        *f = (struct pl_ahead_file){0};
        a->n_files--;
        a->bytes -= taken.bytes;
    }
    pthread_cond_broadcast(&a->moved);
    pthread_mutex_unlock(&a->lock);
    if (taken.map.data && is_same(&taken.map, now))
        *ret = taken.map;
    else
        pl_map_close(&taken.map);
}

void pl_ahead_end(struct pl_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->quit = true;
    pthread_cond_broadcast(&a->moved);
    pthread_mutex_unlock(&a->lock);
    for (size_t i = 0; i < a->n_threads; i++)
        pthread_join(a->threads[i], NULL);
    for (size_t i = 0; i < PL_AHEAD_FILES; i++)
        pl_map_close(&a->files[i].map);
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
}

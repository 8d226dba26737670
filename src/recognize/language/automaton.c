/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/automaton.h"

#include <string.h>

#include "base/mem.h"
#include "recognize/grow.h"

#define BYTES 256 /* edges of a node at most */

/* A node while words may still be added to it. */
struct open_node {
    uint32_t edges[BYTES];
    size_t n;
};

/* The words are added in order, so that only the nodes along the last one may still change: the
 * path. When a word leaves it, the nodes below are closed, the deepest first: each takes the place
 * of an equal one, which the table of closed nodes finds, or is stored. */
struct word_builder {
    struct pl_automaton *to;
    struct open_node *path; /* node k is behind k bytes of the last word */
    size_t depth;           /* bytes of the last word */
    uint32_t *closed;       /* hash table of closed nodes: their first edges; 0 = free */
    size_t n_closed, places;
};

static size_t node_edges(const uint32_t *first)
{
    size_t n = 1;
    while (!(first[n - 1] & PL_EDGE_LAST))
        n++;
    return n;
}

static size_t hash_of(const uint32_t *edges, size_t n)
{
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++)
        h = (h ^ edges[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h;
}

/* The place of an equal node in the table, or the free one where it belongs. */
static size_t place_of(const struct word_builder *b, const uint32_t *edges, size_t n)
{
    size_t at = hash_of(edges, n) & (b->places - 1);
    for (; b->closed[at]; at = (at + 1) & (b->places - 1)) {
        const uint32_t *other = b->to->edges + b->closed[at];
        if (node_edges(other) == n && !memcmp(other, edges, n * sizeof(*edges)))
            break;
    }
    return at;
}

/* Doubles the table where it is half full. */
static platen_status make_room(struct word_builder *b, struct platen_error *err)
{
    if (2 * b->n_closed < b->places)
        return PLATEN_OK;
    struct word_builder larger = *b;
    larger.places = b->places ? 2 * b->places : 1024;
    larger.closed = pl_alloc_zero(larger.places, sizeof(*larger.closed));
    if (!larger.closed)
        return pl_fail_nomem(err, larger.places * sizeof(*larger.closed), "a dictionary");
    for (size_t i = 0; i < b->places; i++)
        if (b->closed[i]) {
            const uint32_t *edges = b->to->edges + b->closed[i];
            larger.closed[place_of(&larger, edges, node_edges(edges))] = b->closed[i];
        }
    pl_free(b->closed);
    *b = larger;
    return PLATEN_OK;
}

/* Stores a node, or finds its like: *ret is its first edge, 0 for a node without any. */
static platen_status close_node(struct word_builder *b, struct open_node *node, uint32_t *ret,
                                struct platen_error *err)
{
    struct pl_automaton *a = b->to;
    *ret = 0;
    if (!node->n)
        return PLATEN_OK;
    node->edges[node->n - 1] |= PL_EDGE_LAST;
    platen_status s = make_room(b, err);
    if (s)
        return s;
    const size_t at = place_of(b, node->edges, node->n);
    if (!b->closed[at]) {
        if (a->n + node->n > PL_EDGES_MAX)
            return pl_fail(err, PLATEN_ERR_LIMIT, "words of more than %zu parts that differ",
                           PL_EDGES_MAX);
        if (!PL_GROW(a->edges, a->cap, a->n + node->n))
            return pl_fail_nomem(err, (a->n + node->n) * sizeof(*a->edges), "a dictionary");
        memcpy(a->edges + a->n, node->edges, node->n * sizeof(*node->edges));
        b->closed[at] = (uint32_t)a->n;
        b->n_closed++;
        a->n += node->n;
    }
    *ret = b->closed[at];
    return PLATEN_OK;
}

/* Closes the nodes of the path below `depth`. */
static platen_status close_below(struct word_builder *b, size_t depth, struct platen_error *err)
{
    for (; b->depth > depth; b->depth--) {
        struct open_node *above = &b->path[b->depth - 1];
        uint32_t next;
        platen_status s = close_node(b, &b->path[b->depth], &next, err);
        if (s)
            return s;
        above->edges[above->n - 1] |= next << PL_EDGE_NEXT;
    }
    return PLATEN_OK;
}

static platen_status add_word(struct word_builder *b, const char *word, const char *before,
                              struct platen_error *err)
{
    size_t same = 0;
    while (word[same] && word[same] == before[same])
        same++;
    platen_status s = close_below(b, same, err);
    if (s)
        return s;
    for (; word[b->depth]; b->depth++) {
        struct open_node *node = &b->path[b->depth];
        node->edges[node->n++] = (uint8_t)word[b->depth];
        b->path[b->depth + 1].n = 0;
    }
    if (b->depth) {
        struct open_node *last = &b->path[b->depth - 1];
        last->edges[last->n - 1] |= PL_EDGE_WORD;
    }
    return PLATEN_OK;
}

platen_status pl_automaton_build(const char *const *words, size_t n, size_t longest,
                                 struct pl_automaton *ret, struct platen_error *err)
{
    struct word_builder b = {.to = ret};
    platen_status s = PLATEN_OK;
    *ret = (struct pl_automaton){.n = 1};
    b.path = pl_alloc(longest + 1, sizeof(*b.path));
    if (!b.path || !PL_GROW(ret->edges, ret->cap, 1))
        s = pl_fail_nomem(err, (longest + 1) * sizeof(*b.path), "a dictionary");
    if (!s) {
        ret->edges[0] = PL_EDGE_LAST;
        b.path[0].n = 0;
    }
    for (size_t i = 0; i < n && !s; i++)
        s = add_word(&b, words[i], i ? words[i - 1] : "", err);
    s = s ? s : close_below(&b, 0, err);
    s = s ? s : close_node(&b, &b.path[0], &ret->root, err);
    pl_free(b.path);
    pl_free(b.closed);
    return s;
}

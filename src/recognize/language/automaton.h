/* SPDX-License-Identifier: BSD-2-Clause */
/* Minimal automata of words while they are built; what an edge is. */
#ifndef PL_RECOGNIZE_AUTOMATON_H
#define PL_RECOGNIZE_AUTOMATON_H

#include "base/status.h"

/* An edge: the byte that it spells; whether a word ends with it; whether it is the last one of its
 * node; and where the next node begins, 0 where no word goes on. Edge 0 is none. */
#define PL_EDGE_BYTE 0xffu
#define PL_EDGE_WORD (1u << 8)
#define PL_EDGE_LAST (1u << 9)
#define PL_EDGE_NEXT 10 /* bits below the next node */
#define PL_EDGES_MAX ((size_t)1 << (32 - PL_EDGE_NEXT))

struct pl_automaton {
    uint32_t *edges; /* of pl_alloc() */
    size_t n, cap;
    uint32_t root;
};

/* Builds the automaton of words, which ascend by their bytes, may be equal, and have at most
 * `longest` bytes each. PLATEN_ERR_LIMIT, PLATEN_ERR_NOMEM; what *ret then holds is the caller's
 * to free. */
PL_MUST_USE platen_status pl_automaton_build(const char *const *words, size_t n, size_t longest,
                                             struct pl_automaton *ret, struct platen_error *err);

#endif

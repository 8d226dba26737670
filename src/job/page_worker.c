/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/mem.h"
#include "job/page.h"

void pl_page_worker_init(struct pl_page_worker *w)
{
    *w = (struct pl_page_worker){0};
    pl_arena_init(&w->arena);
    pl_arena_init(&w->names);
}

void pl_page_worker_done(struct pl_page_worker *w)
{
    pl_arena_done(&w->arena);
    pl_arena_done(&w->names);
    pl_detector_free(w->net.own);
    pl_db_net_free(w->net.imported);
    for (int i = 0; i < PL_MAX_OUTS; i++)
        pl_str_done(&w->out[i]);
    pl_str_done(&w->message);
    pl_str_done(&w->told_of);
    pl_str_done(&w->scratch);
    pl_str_done(&w->file);
    pl_str_done(&w->path);
}

void pl_page_worker_rest(struct pl_page_worker *w)
{
    pl_arena_done(&w->arena);
    pl_detector_rest(w->net.own);
    pl_db_net_rest(w->net.imported);
    for (int i = 0; i < PL_MAX_OUTS; i++)
        pl_str_done(&w->out[i]);
    pl_str_done(&w->message);
    pl_str_done(&w->told_of);
    pl_str_done(&w->scratch);
    pl_str_done(&w->file);
    pl_bufpool_trim(w->env.bufs);
    pl_mem_trim();
}

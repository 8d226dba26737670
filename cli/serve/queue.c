/* SPDX-License-Identifier: BSD-2-Clause */
/* The pictures that come in, wait or are read. */
#include "cli/serve/exchange.h"

void enter_queue(struct exchange *x)
{
    x->holds = true;
    x->next = x->server->holders;
    x->server->holders = x;
    x->server->holding++;
}

void leave_queue(struct exchange *x)
{
    struct exchange **at = &x->server->holders;
    if (!x->holds)
        return;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    x->server->holding--;
    x->holds = false;
}

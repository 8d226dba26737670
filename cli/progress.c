/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

#define LINE_EVERY_S 0.1
#define VERBOSE_EVERY_S 30

bool progress_start(struct progress *p, const struct progress_wish *wish, double now_s)
{
    const char *when = wish->when ? wish->when : "auto";
    unsigned long long every = 0;
    bool automatic = !strcmp(when, "auto"), always = !strcmp(when, "always");
    if (!automatic && !always && strcmp(when, "never") && !read_count(when, 86400, &every))
        return false;
    *p = (struct progress){.start_s = now_s, .last_s = now_s};
    p->line = !wish->quiet && (always || (automatic && wish->terminal));
    if (p->line)
        p->every_s = LINE_EVERY_S;
    else if (!wish->quiet)
        p->every_s = automatic && wish->verbose ? VERBOSE_EVERY_S : (double)every;
    return true;
}

/* "1:02:03" or "2:03" of seconds. */
static void print_duration(char *to, size_t n, double seconds)
{
    unsigned long long s = (unsigned long long)(seconds < 0 ? 0 : seconds + 0.5);
    if (s >= 3600)
        snprintf(to, n, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(to, n, "%llu:%02llu", s / 60, s % 60);
}

/* Skipped pages took no time. */
static void print_progress(char *to, size_t n, const struct platen_progress *pages, double seconds)
{
    char total[32] = "", left[48] = "", duration[32];
    size_t ended = pages->done + pages->failed;
    double made = (double)(ended - pages->skipped), rate = seconds > 0 ? made / seconds : 0;
    if (pages->all_known)
        snprintf(total, sizeof(total), " of %zu", pages->total);
    if (pages->all_known && rate > 0) {
        print_duration(duration, sizeof(duration), (double)(pages->total - ended) / rate);
        snprintf(left, sizeof(left), ", %s left", duration);
    }
    snprintf(to, n, "%zu%s pages, %zu failed, %.1f a second%s", ended, total, pages->failed, rate,
             left);
}

bool progress_due(struct progress *p, const struct platen_progress *pages, double now_s,
                  char ret[PROGRESS_TEXT])
{
    bool first_line = p->line && !p->line_open;
    if (!first_line && (!(p->every_s > 0) || now_s - p->last_s < p->every_s))
        return false;
    p->last_s = now_s;
    p->line_open = p->line;
    print_progress(ret, PROGRESS_TEXT, pages, now_s - p->start_s);
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "cli/cli.h"

static double total_core_s(const struct platen_summary *s)
{
    double sum = 0;
    for (int i = 0; i < PLATEN_STAGES; i++)
        sum += s->core_s[i];
    return sum;
}

static double allocations_per_page(const struct platen_summary *s)
{
    size_t pages = s->done - s->skipped + s->failed;
    return pages ? (double)s->allocations / (double)pages : 0;
}

static double lines_per_call(const struct platen_summary *s)
{
    return s->line_calls ? (double)s->line_strips / (double)s->line_calls : 0;
}

static void print_times_json(const char *name, const struct platen_times *t, const char *end)
{
    fprintf(stderr, "\"%s\": {\"pages\": %llu, \"p50\": %.3f, \"p90\": %.3f, \"p99\": %.3f}%s",
            name, (unsigned long long)t->pages, t->p50_ms, t->p90_ms, t->p99_ms, end);
}

static void print_queue_json(const char *name, const struct platen_queue *q, const char *end)
{
    fprintf(stderr, "\"%s\": {\"mean\": %.3f, \"max\": %zu}%s", name, q->mean, q->most, end);
}

static void print_json(const struct platen_summary *s)
{
    fprintf(stderr,
            "{\"pages\": %zu, \"done\": %zu, \"failed\": %zu, \"skipped\": %zu, \"wall_s\": %.6f, ",
            s->pages, s->done, s->failed, s->skipped, s->wall_s);
    if (s->frames)
        fprintf(stderr, "\"frames\": {\"came\": %zu, \"same\": %zu}, ", s->frames, s->frames_same);
    fprintf(stderr, "\"pages_per_s\": %.3f, \"core_s\": {",
            s->wall_s > 0 ? (double)(s->done - s->skipped) / s->wall_s : 0.0);
    for (int i = 0; i < PLATEN_STAGES; i++)
        fprintf(stderr, "\"%s\": %.6f, ", platen_stage_name((enum platen_stage)i), s->core_s[i]);
    fprintf(stderr, "\"total\": %.6f}, ", total_core_s(s));
    fputs("\"page_ms\": {", stderr);
    for (int i = 0; i < PLATEN_STAGES; i++)
        print_times_json(platen_stage_name((enum platen_stage)i), &s->times[i], ", ");
    print_times_json("total", &s->page_times, "}, \"waiting\": {");
    print_queue_json("memory", &s->waiting_memory, ", ");
    print_queue_json("turn", &s->waiting_turn, "}, ");
    fprintf(stderr, "\"peak_rss_bytes\": %llu, \"buffers\": {\"gets\": %llu, \"hits\": %llu, ",
            (unsigned long long)s->peak_rss_bytes, (unsigned long long)s->buffer_gets,
            (unsigned long long)s->buffer_hits);
    fprintf(stderr,
            "\"peak_bytes\": %llu}, \"allocations\": {\"total\": %llu, \"per_page\": %.2f}, ",
            (unsigned long long)s->buffer_peak_bytes, (unsigned long long)s->allocations,
            allocations_per_page(s));
    fprintf(stderr,
            "\"admission\": {\"max_mem_bytes\": %llu, \"at_once\": %zu, \"delayed\": %zu, "
            "\"promised_bytes\": %llu}, ",
            (unsigned long long)s->max_mem_bytes, s->pages_at_once, s->pages_delayed,
            (unsigned long long)s->promised_bytes);
    fprintf(stderr, "\"batches\": {\"calls\": %llu, \"lines\": %llu, \"per_call\": %.2f}, ",
            (unsigned long long)s->line_calls, (unsigned long long)s->line_strips,
            lines_per_call(s));
    fprintf(stderr,
            "\"models\": {\"opened\": %d, \"bytes\": %llu, \"shared_by\": %d}, \"threads\": %d, ",
            s->models, (unsigned long long)s->model_bytes, s->models ? s->threads : 0, s->threads);
    fprintf(stderr, "\"isa\": \"%s\", \"model\": ", s->isa);
    print_json_string(stderr, s->model);
    fputs("}\n", stderr);
}

static void print_table(const struct platen_summary *s)
{
    double total = total_core_s(s), pages = (double)(s->done - s->skipped + s->failed);
    fprintf(stderr, "pages       %zu done (%zu of them before), %zu failed of %zu\n", s->done,
            s->skipped, s->failed, s->pages);
    if (s->frames)
        fprintf(stderr, "frames      %zu, of which %zu show nothing new\n", s->frames,
                s->frames_same);
    fprintf(stderr, "time        %.3f s, %.2f pages/s\n", s->wall_s,
            s->wall_s > 0 ? (double)(s->done - s->skipped) / s->wall_s : 0.0);
    for (int i = 0; i < PLATEN_STAGES; i++)
        fprintf(stderr, "%-11s %.3f core-seconds, %.1f ms a page\n",
                platen_stage_name((enum platen_stage)i), s->core_s[i],
                pages > 0 ? s->core_s[i] * 1e3 / pages : 0.0);
    fprintf(stderr, "total       %.3f core-seconds, %.1f ms a page\n", total,
            pages > 0 ? total * 1e3 / pages : 0.0);
    fprintf(stderr, "a page      %.1f ms at the median, %.1f at 90 %%, %.1f at 99 %%\n",
            s->page_times.p50_ms, s->page_times.p90_ms, s->page_times.p99_ms);
    fprintf(stderr, "waiting     %.1f pages for memory (%zu at most), %.1f for their turn (%zu)\n",
            s->waiting_memory.mean, s->waiting_memory.most, s->waiting_turn.mean,
            s->waiting_turn.most);
    fprintf(stderr, "memory      %.1f MiB at most; buffers %.1f MiB, %llu of %llu reused\n",
            (double)s->peak_rss_bytes / 1048576, (double)s->buffer_peak_bytes / 1048576,
            (unsigned long long)s->buffer_hits, (unsigned long long)s->buffer_gets);
    fprintf(stderr, "            %llu heap allocations, %.2f a page\n",
            (unsigned long long)s->allocations, allocations_per_page(s));
    fprintf(stderr,
            "admission   %zu pages at once at most, %zu waited for memory (limit %.0f MiB)\n",
            s->pages_at_once, s->pages_delayed, (double)s->max_mem_bytes / 1048576);
    fprintf(stderr, "batches     %llu calls of the network, %.1f lines each\n",
            (unsigned long long)s->line_calls, lines_per_call(s));
    fprintf(stderr, "run         %d threads, %s kernels, model %s\n", s->threads, s->isa,
            s->model[0] ? s->model : "none");
}

void print_stats(const struct platen_summary *s, bool json)
{
    if (json)
        print_json(s);
    else
        print_table(s);
}

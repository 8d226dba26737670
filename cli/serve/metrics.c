/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/serve/metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"

static const double ends_s[METRICS_BUCKETS] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                               0.25,  0.5,    1,     2.5,  5,     10};

/* Adds n values that are the same. */
static void add_to(struct histogram *h, double seconds, size_t n)
{
    int i = 0;
    while (i < METRICS_BUCKETS && seconds > ends_s[i])
        i++;
    h->counts[i] += n;
    h->sum_s += seconds * (double)n;
}

/* Of the pages of a document the mean is known. */
void metrics_answer(struct metrics *m, const struct platen_answer *a, double seconds)
{
    m->pages += a->pages_read;
    m->lines += a->lines;
    for (int i = 0; i < PLATEN_STAGES && a->pages_read; i++)
        add_to(&m->stages[i], a->ms[i] * 1e-3 / (double)a->pages_read, a->pages_read);
    add_to(&m->answers, seconds, 1);
}

static void print_head(FILE *f, const char *name, const char *type, const char *help)
{
    fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_one(FILE *f, const char *name, const char *type, const char *help, uint64_t value)
{
    print_head(f, name, type, help);
    fprintf(f, "%s %llu\n", name, (unsigned long long)value);
}

/* `label` is like stage="decode", or empty. */
static void print_histogram(FILE *f, const char *name, const char *label, const struct histogram *h)
{
    const char *comma = *label ? "," : "";
    uint64_t n = 0;
    for (int i = 0; i < METRICS_BUCKETS; i++) {
        n += h->counts[i];
        fprintf(f, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, label, comma, ends_s[i],
                (unsigned long long)n);
    }
    n += h->counts[METRICS_BUCKETS];
    fprintf(f, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, label, comma, (unsigned long long)n);
    fprintf(f, *label ? "%s_sum{%s} %.6f\n" : "%s_sum%s %.6f\n", name, label, h->sum_s);
    fprintf(f, *label ? "%s_count{%s} %llu\n" : "%s_count%s %llu\n", name, label,
            (unsigned long long)n);
}

static void print_requests(const struct metrics *m, FILE *f)
{
    const char *name = "platen_http_requests_total";
    print_head(f, name, "counter", "Requests answered, by status.");
    for (int code = 0; code < 600; code++)
        if (m->requests[code])
            fprintf(f, "%s{code=\"%d\"} %llu\n", name, code, (unsigned long long)m->requests[code]);
}

static void print_times(const struct metrics *m, FILE *f)
{
    char label[64];
    print_head(f, "platen_stage_seconds", "histogram", "Time of a page in each stage.");
    for (int i = 0; i < PLATEN_STAGES; i++) {
        snprintf(label, sizeof(label), "stage=\"%s\"", platen_stage_name((enum platen_stage)i));
        print_histogram(f, "platen_stage_seconds", label, &m->stages[i]);
    }
    print_head(f, "platen_page_seconds", "histogram",
               "Time from the end of a request to its answer, waiting and all pages included.");
    print_histogram(f, "platen_page_seconds", "", &m->answers);
}

static int statm = -1;

void metrics_open(void)
{
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

static uint64_t resident_bytes(void)
{
    char text[128] = "";
    unsigned long long all, resident;
    if (pread(statm, text, sizeof(text) - 1, 0) < 0 ||
        sscanf(text, "%llu %llu", &all, &resident) != 2)
        return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The value of a label, in which only three characters are escaped. */
static void print_label(FILE *f, const char *s)
{
    fputc('"', f);
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_length(s);
        if (*s == '\n')
            fputs("\\n", f);
        else
            fprintf(f, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", n ? (int)n : 1, n ? s : "?");
    }
    fputc('"', f);
}

void metrics_print(const struct metrics *m, const struct metrics_gauges *now, FILE *f)
{
    print_requests(m, f);
    print_one(f, "platen_dropped_total", "counter", "Clients that left before their answer.",
              m->dropped);
    print_one(f, "platen_pages_total", "counter", "Pages read.", m->pages);
    print_one(f, "platen_lines_total", "counter", "Lines with text.", m->lines);
    print_one(f, "platen_network_calls_total", "counter", "Calls of the network that reads lines.",
              now->calls);
    print_one(f, "platen_network_lines_total", "counter", "Lines in these calls.", now->call_lines);
    print_times(m, f);
    print_one(f, "platen_queue_depth", "gauge", "Pictures that wait.", now->waiting);
    print_one(f, "platen_queue_limit", "gauge", "Pictures that may wait.", now->queue);
    print_one(f, "platen_in_flight", "gauge", "Pages being read.", now->reading);
    print_one(f, "platen_receiving", "gauge", "Pictures that are coming in.", now->receiving);
    print_one(f, "platen_threads", "gauge", "Threads that read.", (uint64_t)now->threads);
    print_one(f, "process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes());
    print_head(f, "platen_model_info", "gauge", "The model that is loaded.");
    fputs("platen_model_info{model=", f);
    print_label(f, now->model);
    fputs("} 1\n", f);
}

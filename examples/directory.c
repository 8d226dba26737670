/* SPDX-License-Identifier: BSD-2-Clause */
/* A directory of pages to one text file each, with progress and a summary.
 *
 *     cc directory.c -o directory $(pkg-config --cflags --libs platen)
 *     ./directory scans out
 *
 * Reads all pictures below the first directory on all cores; the second one gets a .txt for each.
 */
#include <platen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The job calls these one at a time. */
static void show_progress(void *ctx, const struct platen_progress *now)
{
    (void)ctx;
    fprintf(stderr, "%zu of %zu%s\n", now->done + now->failed, now->total,
            now->all_known ? "" : " or more");
}

static void show_failure(void *ctx, platen_status why, const char *message)
{
    (void)ctx, (void)why;
    fprintf(stderr, "%s\n", message);
}

static void show_warning(void *ctx, const struct platen_warning *w)
{
    (void)ctx;
    fprintf(stderr, "%s\n", w->text);
}

int main(int argc, char **argv)
{
    static const char spec[] = "@document";
    struct platen_pipeline *pipeline = NULL;
    struct platen_job *job = NULL;
    struct platen_options options;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: %s DIRECTORY OUTPUT-DIRECTORY\n", argv[0]);
        return EXIT_FAILURE;
    }
    platen_options_init(&options, sizeof(options));
    options.models = getenv("PLATEN_MODELS"); /* NULL = where platen was installed */
    options.formats = "txt";
    options.output_dir = argv[2];
    options.progress = show_progress;
    options.failure = show_failure;
    options.warning = show_warning;
    platen_status s =
        platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &pipeline, NULL, &err);
    s = s ? s : platen_job_new(pipeline, &options, &job, &err);
    s = s ? s : platen_job_add(job, argv[1], &err);
    s = s ? s : platen_job_run(job, &sum, &err);
    if (s)
        fprintf(stderr, "%s\n", err.text);
    else
        printf("%zu pages read, %zu failed, %.1f pages a second on %d threads\n", sum.done,
               sum.failed, (double)sum.done / sum.wall_s, sum.threads);
    platen_job_free(job);
    platen_pipeline_free(pipeline);
    return s || sum.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

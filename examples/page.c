/* SPDX-License-Identifier: BSD-2-Clause */
/* A page in memory to its words with their boxes.
 *
 *     cc page.c -o page $(pkg-config --cflags --libs platen)
 *     ./page < scan.png
 *
 * Prints a line for each word: left, top, right and bottom in pixels, and the text, parted by tabs.
 */
#include <platen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by the job; the result lasts until this returns. */
static void print_answer(void *ctx, const struct platen_answer *a)
{
    *(platen_status *)ctx = a->status;
    if (a->status) /* then the data tell why */
        fprintf(stderr, "%.*s\n", (int)a->data_bytes, (const char *)a->data);
    for (size_t p = 0; p < a->n_pages; p++)
        for (size_t b = 0; b < a->pages[p]->n_blocks; b++) {
            const struct platen_block *block = a->pages[p]->blocks[b];
            for (size_t l = 0; l < block->n_lines; l++)
                for (size_t w = 0; w < block->lines[l]->n_words; w++) {
                    const struct platen_word *word = block->lines[l]->words[w];
                    printf("%d\t%d\t%d\t%d\t%s\n", word->box.x0, word->box.y0, word->box.x1,
                           word->box.y1, word->text);
                }
        }
}

int main(void)
{
    static char picture[64 << 20];
    const size_t n = fread(picture, 1, sizeof(picture), stdin);
    static const char spec[] = "@document";
    struct platen_pipeline *pipeline = NULL;
    struct platen_job *job = NULL;
    struct platen_request *request = NULL;
    struct platen_options options;
    struct platen_summary summary = {.size = sizeof(summary)};
    struct platen_error err;
    platen_status answered = PLATEN_ERR_INTERNAL;
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = picture,
                                 .data_bytes = n,
                                 .ctx = &answered,
                                 .answer = print_answer};
    platen_options_init(&options, sizeof(options));
    options.models = getenv("PLATEN_MODELS"); /* NULL = where platen was installed */
    options.requests = true;
    platen_status s =
        platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &pipeline, NULL, &err);
    s = s ? s : platen_job_new(pipeline, &options, &job, &err);
    s = s ? s : platen_job_ask(job, &pic, &request, &err);
    if (!s) {
        platen_job_close(job); /* nothing more is asked, so the run ends with the answer */
        s = platen_job_run(job, &summary, &err);
    }
    if (s)
        fprintf(stderr, "%s\n", err.text);
    platen_request_free(request);
    platen_job_free(job);
    platen_pipeline_free(pipeline);
    return s || answered ? EXIT_FAILURE : EXIT_SUCCESS;
}

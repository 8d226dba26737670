/* SPDX-License-Identifier: BSD-2-Clause */
/* cut PIPELINE PICTURE...: the line strips that platen's recognizer would read, for pages.py.
 *
 * PIPELINE has a preprocess and a detect stage. Standard output, for each line of each picture: a
 * text row "NUMBER X0 Y0 X1 Y1 WIDTH" (number of the picture from 0, box of the line in pixels of
 * the input), then 32 rows of WIDTH bytes, quantised, without the blank columns at the sides. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bufpool.h"
#include "base/map.h"
#include "codec/codec.h"
#include "host/host.h"
#include "spec/spec.h"
#include "recognize/strip.h"
#include "train/own_strips.h"

struct cutter {
    struct pl_env env;
    struct pl_arena arena;
    struct platen_pipeline *pipeline;
    struct platen_error err;
};

static platen_status write_line(struct cutter *c, int number, const struct pl_page_image *page,
                                const struct pl_image *gray, const struct pl_line *line)
{
    struct pl_strip_cut cut;
    if (!pl_strip_next(line, gray->width, gray->height, &own_strips, line->box.x0, &cut) ||
        cut.in_gap)
        return PLATEN_OK;
    int padded = pl_strip_padded(&own_strips, cut.columns);
    uint8_t *px = malloc((size_t)(own_strips.height * padded));
    if (!px)
        return pl_fail_nomem(&c->err, 0, "a strip");
    platen_status s = pl_strip_make(&c->env, gray, &own_strips, &cut, px, &c->err);
    struct pl_quad q = pl_quad_of_rect(line->box, &page->to_input);
    struct pl_rect box = pl_quad_bounds(&q, 1 << 30, 1 << 30);
    if (!s)
        printf("%d %d %d %d %d %d\n", number, box.x0, box.y0, box.x1, box.y1, cut.columns);
    for (int y = 0; !s && y < own_strips.height; y++)
        fwrite(px + y * padded + own_strips.pad_left, 1, (size_t)cut.columns, stdout);
    free(px);
    return s;
}

static platen_status write_lines(struct cutter *c, int number, struct pl_page_image *page)
{
    struct pl_regions regions = {0};
    pl_auto_image gray = {0};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < c->pipeline->n_preprocess; i++)
        s = pl_preprocess_op_of(c->pipeline->steps[i].info)
                ->run(&c->env, page, c->pipeline->steps[i].args, &c->err);
    const struct pl_step *detect = pl_spec_step(c->pipeline, PLATEN_STAGE_DETECT);
    if (!s)
        s = pl_detect_op_of(detect->info)
                ->run(NULL, &c->env, &c->arena, page, detect->args, &regions, &c->err);
    if (!s)
        s = pl_page_image_gray(&c->env, page, &gray, &c->err);
    for (size_t b = 0; b < regions.n_blocks; b++)
        for (size_t i = 0; !s && i < regions.blocks[b].n_lines; i++)
            s = write_line(c, number, page, &gray, &regions.blocks[b].lines[i]);
    return s;
}

static platen_status write_page(struct cutter *c, int number, const char *path)
{
    struct pl_page_image page = {.to_input = PL_AFFINE_IDENTITY};
    struct pl_load_options options = {.gray = true, .max_pixels = 100000000};
    struct pl_map map;
    platen_status s = pl_map_open(path, SIZE_MAX, &map, &c->err);
    if (s)
        return s;
    s = pl_image_load(&c->env, map.data, map.size, &options, &page.image, &c->err);
    pl_map_close(&map);
    if (!s)
        s = write_lines(c, number, &page);
    pl_page_image_done(&page);
    pl_arena_reset(&c->arena);
    return s;
}

int main(int argc, char **argv)
{
    struct cutter c = {0};
    struct pl_kernels kernels;
    size_t column;
    if (argc < 3) {
        fputs("usage: cut PIPELINE PICTURE...\n", stderr);
        return 2;
    }
    pl_kernels_init(&kernels, pl_isa_best());
    c.env = (struct pl_env){.k = &kernels, .bufs = pl_bufpool_new()};
    pl_arena_init(&c.arena);
    platen_status s = platen_pipeline_parse(argv[1], strlen(argv[1]), PLATEN_FORM_TEXT, &c.pipeline,
                                            &column, &c.err);
    if (!s && c.pipeline->last != PLATEN_STAGE_DETECT)
        s = pl_fail(&c.err, PLATEN_ERR_ARG, "two stages are needed");
    for (int i = 2; !s && i < argc; i++)
        s = write_page(&c, i - 2, argv[i]);
    if (s)
        fprintf(stderr, "cut: %s\n", c.err.text);
    pl_arena_done(&c.arena);
    platen_pipeline_free(c.pipeline);
    pl_bufpool_free(c.env.bufs);
    return s != PLATEN_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "stages/stages.h"

#include "detect/obstacles/obstacles.h"
#include "layout/settle.h"
#include "layout/vertical.h"
#include "preprocess/geometry/sheets.h"

/* Three quarter turns clockwise. */
#define LEFT_DEG 270

void pl_part_done(struct pl_part *part)
{
    pl_page_image_done(&part->image);
    pl_page_image_done(&part->standing);
    pl_doubt_done(&part->doubt);
    pl_reading_done(&part->reading);
}

/* Returns how the lines of parts are read, for recognition and layout. */
static struct pl_reader reader_of(const struct pl_stages *st)
{
    const struct pl_step *step = pl_spec_step(st->pipeline, PLATEN_STAGE_RECOGNIZE);
    return (struct pl_reader){.op = step ? pl_recognize_op_of(step->info) : NULL,
                              .args = step ? step->args : NULL,
                              .team = st->team,
                              .env = st->env,
                              .arena = st->arena,
                              .decoding = st->decoding};
}

static void enter(const struct pl_stages *st, enum platen_stage stage)
{
    if (st->enter)
        st->enter(st->ctx, stage);
}

static platen_status stepped(const struct pl_stages *st, const struct pl_part *part,
                             const char *name, struct platen_error *err)
{
    return st->stepped ? st->stepped(st->ctx, part, name, err) : PLATEN_OK;
}

/* ---- stage one: preprocess ---- */

/* Notes where an operation has just left the way up of a page in doubt, or turned it to where its
 * letters tell, which is wrong of scripts with more letters below the line than above it. Reading
 * settles it, so that there is none where no lines are read, nor a weak one before a division. */
static platen_status note_doubt(const struct pl_stages *st, const struct pl_page_image *before,
                                struct pl_part *part, struct platen_error *err)
{
    const struct pl_reader reader = reader_of(st);
    const bool divides = st->pipeline->divides;
    const bool doubtful = part->image.upright == PL_UPRIGHT_DOUBTFUL;
    const bool new = doubtful ? before->upright != PL_UPRIGHT_DOUBTFUL
                              : part->image.turned_by_letters && !before->turned_by_letters;
    if (!reader.op || !new || (divides && !doubtful))
        return PLATEN_OK;
    return pl_doubt_note(&reader, divides, part->steps + 1, &part->image, &part->doubt, err);
}

/* Runs the next operation. Where that makes two pages of one, `part` becomes the first of them, and
 * the other is part->other. */
static platen_status run_step(const struct pl_stages *st, struct pl_part *part,
                              struct platen_error *err)
{
    struct pl_part *second = part->other;
    const struct pl_step *step = &st->pipeline->steps[part->steps];
    const struct pl_preprocess_op *op = pl_preprocess_op_of(step->info);
    const struct pl_page_image before = part->image; /* its way up alone counts */
    platen_status s = pl_env_check(st->env, err);
    if (s)
        return s;
    s = op->divide ? op->divide(st->env, &part->image, step->args, &second->image, err)
                   : op->run(st->env, &part->image, step->args, err);
    s = s ? s : note_doubt(st, &before, part, err);
    if (s)
        return pl_fail_prefix(err, s, "%s: ", step->info->name);
    part->steps++;
    if (op->divide && second->image.image.store) {
        part->number = 1;
        second->number = 2;
        second->steps = part->steps;
        s = stepped(st, second, step->info->name, err);
    }
    return s ? s : stepped(st, part, step->info->name, err);
}

/* Runs the operations that the part has not behind it. */
static platen_status preprocess(const struct pl_stages *st, struct pl_part *part,
                                struct platen_error *err)
{
    enter(st, PLATEN_STAGE_PREPROCESS);
    platen_status s = part->steps ? PLATEN_OK : stepped(st, part, "input", err);
    while (!s && part->steps < st->pipeline->n_preprocess)
        s = run_step(st, part, err);
    if (!s && st->pipeline->last >= PLATEN_STAGE_DETECT)
        s = pl_sheet_find(st->env, &part->image, err);
    pl_page_image_forget_ink(&part->image);
    return s;
}

/* ---- stage two: detect ---- */

/* Finds the lines of the part, where the pipeline has the stage. */
static platen_status detect_lines(const struct pl_stages *st, struct pl_part *part,
                                  struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(st->pipeline, PLATEN_STAGE_DETECT);
    part->regions = (struct pl_regions){0};
    platen_status s = pl_env_check(st->env, err);
    if (s || !step)
        return s;
    enter(st, PLATEN_STAGE_DETECT);
    s = pl_detect_op_of(step->info)
            ->run(st->net, st->env, st->arena, &part->image, step->args, &part->regions, err);
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* Where the lines of the part seem to run across text that is set in columns, and a model reads
 * such scripts, turns its picture left, so that the columns are its lines. */
static platen_status turn_vertical(const struct pl_stages *st, struct pl_part *part,
                                   struct platen_error *err)
{
    bool reads = false;
    if (!st->decoding || !pl_vertical_suspect(&part->regions))
        return PLATEN_OK;
    platen_status s = pl_decoding_reads_wide(st->decoding, &reads, err);
    if (s || !reads)
        return s;
    part->standing = part->image;
    part->standing.image = pl_image_ref(&part->image.image);
    part->standing.gray = pl_image_ref(&part->image.gray);
    part->standing.ink = (struct pl_ink){0};
    pl_page_image_forget_ink(&part->image);
    s = pl_page_turn(st->env, &part->image, LEFT_DEG, true, err);
    return s ? s : detect_lines(st, part, err);
}

/* ---- stage three: recognize ---- */

/* Puts the name of the operation before the text of its failure; s may be PLATEN_OK. */
static platen_status name_reading_failure(const struct pl_stages *st, platen_status s,
                                          struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(st->pipeline, PLATEN_STAGE_RECOGNIZE);
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* Hides the check boxes of the part, unless a model reads a script that has square letters. */
static platen_status hide_boxes(const struct pl_stages *st, struct pl_part *part,
                                struct platen_error *err)
{
    bool any = false, square_letters = false;
    for (size_t i = 0; i < part->regions.n_squares; i++)
        any |= part->regions.squares[i].plain;
    if (!any)
        return PLATEN_OK;
    platen_status s = pl_decoding_reads_wide(st->decoding, &square_letters, err);
    return s || square_letters ? s : pl_reading_hide_boxes(&part->reading, st->env, err);
}

/* Makes what the lines of the part are read from. */
static platen_status prepare_reading(const struct pl_stages *st, struct pl_part *part,
                                     struct platen_error *err)
{
    if (!pl_spec_step(st->pipeline, PLATEN_STAGE_RECOGNIZE))
        return PLATEN_OK;
    enter(st, PLATEN_STAGE_RECOGNIZE);
    part->reading = (struct pl_reading){.regions = &part->regions, .cancel = st->env->cancel};
    platen_status s = pl_page_image_gray(st->env, &part->image, &part->reading.turned[0], err);
    return name_reading_failure(st, s ? s : hide_boxes(st, part, err), err);
}

void pl_stages_recognize(const struct pl_stages *st, struct pl_reading *const *readings, size_t n)
{
    const struct pl_reader r = reader_of(st);
    if (r.op)
        r.op->run(&r, readings, n);
}

/* Takes over what became of the reading, and gives its picture back. */
static platen_status end_reading(const struct pl_stages *st, struct pl_part *part,
                                 struct platen_error *err)
{
    pl_reading_done(&part->reading);
    if (part->reading.status)
        *err = part->reading.err;
    return name_reading_failure(st, part->reading.status, err);
}

/* Reads the lines that were found on the part. */
static platen_status read_part(const struct pl_stages *st, struct pl_part *part,
                               struct platen_error *err)
{
    platen_status s = prepare_reading(st, part, err);
    if (s)
        return s;
    pl_stages_recognize(st, &(struct pl_reading *){&part->reading}, 1);
    return end_reading(st, part, err);
}

/* Sets the picture of the part back that was turned for columns. *ret tells whether its regions, on
 * the turned one, are columns; else they are those of the part as it stands. */
static platen_status settle_vertical(const struct pl_stages *st, struct pl_part *part, bool *ret,
                                     struct platen_error *err)
{
    if (!part->standing.image.store)
        return PLATEN_OK;
    pl_page_image_done(&part->image);
    part->image = part->standing;
    part->standing = (struct pl_page_image){0};
    *ret = pl_vertical_is_read(&part->regions);
    if (!*ret) {
        platen_status s = detect_lines(st, part, err);
        return s ? s : read_part(st, part, err);
    }
    pl_doubt_done(&part->doubt);
    if (part->image.upright == PL_UPRIGHT_DOUBTFUL)
        part->image.upright = PL_UPRIGHT_SURE; /* its columns would not be read otherwise */
    return pl_vertical_set_marks(st->arena, &part->regions)
               ? PLATEN_OK
               : pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the marks of the page");
}

/* ---- stage four: layout ---- */

/* Settles what is decided once the lines are read. A page that is turned upright by that goes
 * through all stages again from where its way up was in doubt. */
static platen_status settle_layout(const struct pl_stages *st, struct pl_part *part,
                                   struct platen_error *err)
{
    const struct platen_pipeline *pipeline = st->pipeline;
    const struct pl_reader reader = reader_of(st);
    bool turned = false;
    if (pipeline->last < PLATEN_STAGE_DETECT)
        return PLATEN_OK;
    platen_status s =
        pl_layout_settle(&reader, &part->image, &part->regions, &part->doubt, &turned, err);
    if (s || !turned)
        return s;
    part->steps = part->doubt.steps;
    s = stepped(st, part, pipeline->steps[part->steps - 1].info->name, err);
    return s ? s : pl_stages_run(st, part, err);
}

/* ---- the whole way ---- */

platen_status pl_stages_begin(const struct pl_stages *st, struct pl_part *part,
                              struct platen_error *err)
{
    platen_status s = preprocess(st, part, err);
    s = s ? s : detect_lines(st, part, err);
    s = s ? s : turn_vertical(st, part, err);
    return s ? s : prepare_reading(st, part, err);
}

platen_status pl_stages_end(const struct pl_stages *st, struct pl_part *part,
                            struct platen_error *err)
{
    bool vertical = false;
    platen_status s = end_reading(st, part, err);
    s = s ? s : settle_vertical(st, part, &vertical, err);
    s = s ? s : settle_layout(st, part, err);
    if (!s && vertical && !pl_vertical_set_back(st->arena, &part->regions))
        s = pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the layout of the page");
    if (!s)
        pl_around_take(&part->image, &part->regions);
    return s;
}

platen_status pl_stages_run(const struct pl_stages *st, struct pl_part *part,
                            struct platen_error *err)
{
    platen_status s = pl_stages_begin(st, part, err);
    if (s)
        return s;
    pl_stages_recognize(st, &(struct pl_reading *){&part->reading}, 1);
    return pl_stages_end(st, part, err);
}

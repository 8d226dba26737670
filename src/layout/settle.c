/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/settle.h"

#include <assert.h>

#include "layout/steps.h"

/* Takes the steps that need the text of the lines. Returns false when memory is short. */
static bool settle_text(const struct pl_reader *r, const struct pl_language *language,
                        struct pl_regions *regions)
{
    const char *chars = r->args->chars;
    const bool chosen = chars && !pl_chars_are_others(chars); /* boxes are not among them */
    if (!pl_combs_join(r->arena, regions) || (!chosen && !pl_check_boxes_tell(r->arena, regions)) ||
        !pl_initials_join(r->arena, r->env->k, language, regions))
        return false;
    pl_turned_settle(regions);
    if (!regions->misread && !pl_lone_marks_keep(r->arena, regions))
        return false;
    return pl_figures_settle(r->arena, regions) && pl_unread_part(r->arena, regions) &&
           pl_registers_order(r->arena, regions) &&
           (chosen || regions->misread || pl_lone_strokes_keep(r->arena, regions));
}

platen_status pl_layout_settle(const struct pl_reader *r, struct pl_page_image *page,
                               struct pl_regions *regions, struct pl_doubt *doubt, bool *ret_turned,
                               struct platen_error *err)
{
    assert(!r->op || r->decoding);
    const struct pl_language *language = NULL;
    *ret_turned = false;
    platen_status s =
        r->op ? pl_decoder_language(r->decoding->decoder, regions->language, &language, err)
              : PLATEN_OK;
    if (s)
        return s;
    if ((r->op && !settle_text(r, language, regions)) || !pl_tables_ruled(r->arena, regions) ||
        !pl_program_text_tell(r->arena, regions) || !pl_blocks_name(r->arena, regions))
        return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the layout of the page");
    if (r->op)
        pl_flow_tell(r->env->k, language, regions);
    return doubt->page.image.store ? pl_doubt_settle(r, regions, doubt, page, ret_turned, err)
                                   : PLATEN_OK;
}

#include "layout/settle.h"

#include "layout/steps.h"

/* The steps that need the text of the lines. Returns false when memory is short. */
static bool settle_text(struct pl_arena *arena, const struct pl_kernels *k,
                        const struct pl_recognizer *reader, struct pl_regions *regions)
{
    if (!pl_initials_join(arena, k, pl_recognizer_language(reader), regions))
        return false;
    pl_turned_settle(regions);
    return pl_unread_part(arena, regions);
}

platen_status pl_layout_settle(struct pl_arena *arena, const struct pl_kernels *k,
                               const struct pl_recognizer *reader, struct pl_regions *regions,
                               struct platen_error *err)
{
    if ((reader && !settle_text(arena, k, reader, regions)) || !pl_blocks_name(arena, regions))
        return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the layout of the page");
    return PLATEN_OK;
}

/* A name for all that the output of a page depends on beside its input. */
#ifndef PL_PIPELINE_KEY_H
#define PL_PIPELINE_KEY_H

#include "pipeline/page.h"

#define PL_KEY_BYTES 65 /* of a SHA-256 in hexadecimal digits */

/* The SHA-256 of platen's version, pipeline, formats and limits, and of the bytes of the model
 * (NULL = none), its language model and the user's dictionary. PLATEN_ERR_IO, _NOMEM. */
PL_MUST_USE platen_status pl_key_make(const struct pl_plan *plan, const char *model, bool language,
                                      char ret[PL_KEY_BYTES], struct platen_error *err);

#endif

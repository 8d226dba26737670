/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files of models. */
#ifndef PL_MODELS_MODELS_H
#define PL_MODELS_MODELS_H

#include "base/status.h"
#include "base/text.h"

/* Directory i of the search: those of `dirs` (parted by colons, may be NULL), then
 * ../share/platen/models beside the executable, then the one of the installation if it is another.
 * False behind the last. */
bool pl_models_dir(const char *dirs, size_t i, struct pl_str *ret);

/* The file of a model: `model` itself when it has a '/' or ends in ".platen" or ".onnx", else the
 * first DIR/model.platen that can be read. PLATEN_ERR_IO lists where it looked. */
PL_MUST_USE platen_status pl_models_find(const char *model, const char *dirs, struct pl_str *ret,
                                         struct platen_error *err);

/* The names of files that go with the model in file X.platen, `path`, whether they are there or
 * not. ret->failed tells that memory is short. */

/* Its language model, X.lm.platen. */
void pl_models_language(const char *path, struct pl_str *ret);
/* The language model for text in a language, a tag of BCP 47: TAG.lm.platen beside X.platen. */
void pl_models_language_of(const char *path, const char *tag, struct pl_str *ret);
/* What tells the language of what the model reads, X.lang.platen. */
void pl_models_identifier(const char *path, struct pl_str *ret);
/* The smaller network that reads lines before the model does, X.quick.platen. */
void pl_models_quick(const char *path, struct pl_str *ret);

#endif

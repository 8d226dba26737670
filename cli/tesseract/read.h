/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what a request names; returns the exit status, after messages. */
#ifndef PLATEN_CLI_TESSERACT_READ_H
#define PLATEN_CLI_TESSERACT_READ_H

#include "cli/tesseract/request.h"

int tess_read(const struct tess_request *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a request through the library. */
#ifndef PLATEN_CLI_TESSERACT_READ_H
#define PLATEN_CLI_TESSERACT_READ_H

#include "cli/tesseract/request.h"

/* Reads what the request names, and writes what it asks for. Returns the exit status; of what
 * failed a message was printed. */
int tess_read(const struct tess_request *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the output of `platen run` goes, and in which formats. */
#ifndef PL_CLI_RUN_OUTPUT_H
#define PL_CLI_RUN_OUTPUT_H

#include "cli/cli.h"

/* Fills formats, output_dir, output_file and join of *o, whose other members are filled, by -f, -o
 * and --join and by what stands under the names of output and input. Prints a message and returns
 * an exit status: options that contradict each other, or that are about a format which is not
 * written, are errors. */
int choose_outputs(const struct arguments *a, const struct platen_pipeline *p,
                   struct platen_options *o);

#endif

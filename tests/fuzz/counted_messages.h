/* SPDX-License-Identifier: BSD-2-Clause */
/* In the place of the command line's function that prints: messages are counted. */
#ifndef TESTS_FUZZ_COUNTED_MESSAGES_H
#define TESTS_FUZZ_COUNTED_MESSAGES_H

#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"

static int messages;

__attribute__((format(printf, 1, 0))) static void count_message(const char *fmt, va_list ap)
{
    char text[4096];
    messages += vsnprintf(text, sizeof(text), fmt, ap) > 0;
}

void message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    count_message(fmt, ap);
    va_end(ap);
}

#endif

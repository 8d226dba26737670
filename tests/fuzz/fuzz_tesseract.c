/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines in the manner of tesseract, with a configuration file: what is refused is refused
 * with a message, and what a request points to is in the line or in the file. Zeros part the words;
 * the file stands behind the first byte 0xff, and its name is the last word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/tesseract/request.h"
#include "tests/fuzz/counted_messages.h"

#define MAX_WORDS 32
#define END_OF_WORDS 0xff

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* Touches every byte of the text. */
static size_t length(const char *text)
{
    return text ? strlen(text) : 0;
}

static void check_request(const struct tess_request *r)
{
    bool any = false;
    size_t bytes = length(r->image) + length(r->base) + length(r->languages) + length(r->words) +
                   length(r->whitelist) + length(r->separator);
    for (size_t i = 0; i < r->n_idle; i++)
        bytes += length(r->idle[i]);
    for (int f = 0; f < TESS_FORMATS; f++)
        any = any || r->formats[f];
    if (!any || r->psm < 0 || r->psm > 13 || !(r->dpi >= 0 && r->dpi <= PLATEN_MAX_DPI) ||
        r->n_idle > TESS_MAX_IDLE || r->config_bytes > TESS_CONFIG_BYTES || !r->separator ||
        bytes > (size_t)1 << 30 || (r->task == TESS_READ && (!r->image || !r->base)))
        abort();
}

static void try_line(char *line, size_t n, char *file)
{
    static struct tess_request r;
    static char program[] = "tesseract";
    char *words[MAX_WORDS + 2] = {program};
    int count = 1;
    for (size_t at = 0; at < n && count < MAX_WORDS; at += strlen(line + at) + 1)
        words[count++] = line + at;
    words[count++] = file;
    messages = 0;
    if (tess_request_parse(&r, count, words))
        check_request(&r);
    else if (!messages)
        abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    const unsigned char *end = n ? memchr(data, END_OF_WORDS, n) : NULL;
    const size_t words = end ? (size_t)(end - data) : n, rest = end ? n - words - 1 : 0;
    char *line = malloc(words + 1), file[64];
    const int fd = memfd_create("configuration", MFD_CLOEXEC);
    if (line && fd >= 0 && (!rest || write(fd, end + 1, rest) == (ssize_t)rest) &&
        (!words || !memchr(data, '/', words))) { /* words are no names of other files */
        snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
        if (words)
            memcpy(line, data, words);
        line[words] = 0;
        try_line(line, words + 1, file);
    }
    close(fd);
    free(line);
    return 0;
}

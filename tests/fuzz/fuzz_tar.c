/* SPDX-License-Identifier: BSD-2-Clause */
/* Tar archives: members have names, their bytes lie in the archive one behind the other, and what
 * is refused has a reason. With odd first bytes the checksums of all blocks are put right, so that
 * changed headers are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/tar.h"

#define BLOCK 512
#define CHECKSUM 148
#define CHECKSUM_BYTES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static volatile unsigned long bytes_read; /* so that they are */

/* What is no header is changed, too; its member begins with other bytes then. */
static void put_right(uint8_t *block)
{
    unsigned sum = 0;
    char text[CHECKSUM_BYTES + 1];
    for (int i = 0; i < BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES ? ' ' : block[i];
    snprintf(text, sizeof(text), "%06o", sum);
    memcpy(block + CHECKSUM, text, CHECKSUM_BYTES);
}

static void read_all(const uint8_t *data, size_t n)
{
    struct pl_tar tar = {data, n, 0};
    struct pl_tar_member m;
    struct platen_error err = {0};
    unsigned long sum = 0;
    bool any = true;
    while (any) {
        const size_t before = tar.at;
        if (pl_tar_next(&tar, &m, &any, &err)) {
            if (!err.text[0])
                abort();
            break;
        }
        if (!any)
            break;
        if (!memchr(m.name, '\0', sizeof(m.name)) || !*m.name || m.data < data + before + BLOCK ||
            m.size > n || m.data + m.size > data + tar.at || tar.at > n)
            abort();
        for (size_t i = 0; i < m.size; i++)
            sum += m.data[i];
    }
    bytes_read = sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!n)
        return 0;
    uint8_t *copy = malloc(n);
    if (!copy)
        return 0;
    memcpy(copy, data + 1, n - 1);
    for (size_t at = 0; data[0] & 1 && at + BLOCK <= n - 1; at += BLOCK)
        put_right(copy + at);
    read_all(copy, n - 1);
    free(copy);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* What documents need of zlib and libmd. */
#include <sha2.h>
#include <zlib.h>

#include "output/pdf/pdf_a.h"
#include "output/pdf/pdf_stream.h"

void pl_pdf_put_packed(struct pl_str *out, const struct pl_str *plain)
{
    struct pl_str packed = {0};
    uLongf n = compressBound(plain->len);
    char *room = pl_str_room(&packed, n);
    if (plain->failed || !room ||
        compress((Bytef *)room, &n, (const Bytef *)plain->s, plain->len)) {
        out->failed = true; /* the only reason is memory */
    } else {
        pl_str_puts(out, "/Filter /FlateDecode ");
        pl_pdf_put_stream(out, room, n);
    }
    pl_str_done(&packed);
}

uint32_t pl_pdf_sum(uint32_t sum, const void *data, size_t n)
{
    return (uint32_t)crc32_z(sum, data, n);
}

void pl_pdf_a_identifier(uint32_t sum, const uint64_t *places, size_t n, struct pl_str *out)
{
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA2_CTX hash;
    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)&sum, sizeof(sum));
    SHA256Update(&hash, (const uint8_t *)places, n * sizeof(*places));
    SHA256End(&hash, hex);
    pl_str_printf(out, "/ID [<%.32s> <%.32s>] ", hex, hex);
}

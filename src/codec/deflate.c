/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/deflate.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <pthread.h>

#include "base/mem.h"

static void *take_memory(size_t n)
{
    return pl_realloc_codec(NULL, n);
}

/* libdeflate has one allocator for the whole process; ours can take over at any time, as its blocks
 * are malloc's. */
static void use_our_memory(void)
{
    libdeflate_set_memory_allocator(take_memory, pl_free);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

struct pl_inflate {
    struct inflate_state state;
};

struct pl_inflate *pl_inflate_new(struct pl_bufpool *bufs)
{
    struct pl_inflate *z = pl_bufpool_get(bufs, sizeof(*z));
    if (!z)
        return NULL;
    isal_inflate_init(&z->state);
    z->state.crc_flag = ISAL_ZLIB;
    return z;
}

void pl_inflate_free(struct pl_inflate *z, struct pl_bufpool *bufs)
{
    pl_bufpool_put(bufs, z, sizeof(*z));
}

void pl_inflate_feed(struct pl_inflate *z, const uint8_t *packed, size_t n)
{
    z->state.next_in = (uint8_t *)(uintptr_t)packed; /* it is only read */
    z->state.avail_in = (uint32_t)n;
}

size_t pl_inflate_take(struct pl_inflate *z, uint8_t *to, size_t n, bool *ret_ok)
{
    z->state.next_out = to;
    z->state.avail_out = (uint32_t)n;
    *ret_ok = isal_inflate(&z->state) == ISAL_DECOMP_OK;
    return n - z->state.avail_out;
}

bool pl_inflate_ended(const struct pl_inflate *z)
{
    /* whole bytes that were taken in and not used */
    bool left = z->state.avail_in || z->state.read_in_length >= 8;
    return z->state.block_state == ISAL_BLOCK_FINISH && !left;
}

platen_status pl_inflate(const uint8_t *packed, size_t n, uint8_t *to, size_t bytes, bool *ret,
                         struct platen_error *err)
{
    pthread_once(&once, use_our_memory);
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return pl_fail_nomem(err, bytes, "unpacking a picture");
    size_t used, made;
    enum libdeflate_result r = libdeflate_zlib_decompress_ex(d, packed, n, to, bytes, &used, &made);
    libdeflate_free_decompressor(d);
    *ret = r == LIBDEFLATE_SUCCESS && used == n && made == bytes;
    return PLATEN_OK;
}

platen_status pl_deflate(const uint8_t *data, size_t n, struct pl_str *out,
                         struct platen_error *err)
{
    pthread_once(&once, use_our_memory);
    /* level 1: higher ones cost up to ten times as much for a few percent */
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    size_t most = c ? libdeflate_zlib_compress_bound(c, n) : 0;
    char *room = c ? pl_str_room(out, most) : NULL;
    if (room)
        out->len += libdeflate_zlib_compress(c, data, n, room, most);
    if (c)
        libdeflate_free_compressor(c);
    return room ? PLATEN_OK : pl_fail_nomem(err, most, "packing a picture");
}

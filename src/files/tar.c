/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/tar.h"

#include <string.h>

#include "base/attr.h"

#define BLOCK_BYTES ((size_t)512)
#define MAX_RECORD_BYTES ((size_t)1 << 20) /* of an extended header */

/* Places of a header's fields, and their lengths. */
enum {
    NAME = 0,
    NAME_BYTES = 100,
    SIZE = 124,
    SIZE_BYTES = 12,
    CHECKSUM = 148,
    CHECKSUM_BYTES = 8,
    TYPE = 156,
    MAGIC = 257,
    PREFIX = 345,
    PREFIX_BYTES = 155,
    MORE_HOLES = 482,      /* of a file with holes: not 0 where a block with more of them follows */
    STILL_MORE_HOLES = 504 /* the same in that block */
};

/* What extended headers say of the next member. */
struct tar_extra {
    char name[PL_TAR_NAME_BYTES]; /* "" = nothing */
    bool has_size, has_holes, has_own_name;
    uint64_t size;
};

/* Reads an octal number that ends with a blank or a zero, or (GNU tar) a binary one. */
static bool read_number(const uint8_t *p, size_t n, uint64_t *ret)
{
    uint64_t v = 0;
    size_t i = 0;
    if (p[0] & 0x80) {
        v = p[0] & 0x7f;
        for (i = 1; i < n; i++) {
            if (v >> 55)
                return false;
            v = v << 8 | p[i];
        }
        *ret = v;
        return true;
    }
    while (i < n && p[i] == ' ')
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++) {
        if (v >> 60)
            return false;
        v = v << 3 | (uint64_t)(p[i] - '0');
    }
    *ret = v;
    return i == n || !p[i] || p[i] == ' ';
}

static bool is_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* The sum counts its own field as blanks; some old programs added signed bytes. */
static bool is_header(const uint8_t *block)
{
    uint64_t wanted;
    int64_t sum = 0, signed_sum = 0;
    for (int i = 0; i < (int)BLOCK_BYTES; i++) {
        const bool own = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES;
        sum += own ? ' ' : block[i];
        signed_sum += own ? ' ' : (int8_t)block[i];
    }
    return read_number(block + CHECKSUM, CHECKSUM_BYTES, &wanted) && wanted <= INT32_MAX &&
           ((int64_t)wanted == sum || (int64_t)wanted == signed_sum);
}

/* Copies a text of at most n bytes that may end with a zero; false where there is no room for it.
 */
static bool copy_name(char *to, size_t used, const uint8_t *from, size_t n)
{
    n = strnlen((const char *)from, n);
    if (used + n >= PL_TAR_NAME_BYTES)
        return false;
    memcpy(to + used, from, n);
    to[used + n] = '\0';
    return true;
}

static bool is_key(const uint8_t *key, size_t n, const char *name)
{
    return n == strlen(name) && !memcmp(key, name, n);
}

static bool take_value(struct tar_extra *x, const uint8_t *key, size_t key_bytes,
                       const uint8_t *value, size_t n)
{
    static const char holes[] = "GNU.sparse.";
    if (key_bytes > strlen(holes) && !memcmp(key, holes, strlen(holes)))
        x->has_holes = true;
    /* the path of a file with holes is a made one */
    if (is_key(key, key_bytes, "GNU.sparse.name"))
        return x->has_own_name = copy_name(x->name, 0, value, n);
    if (is_key(key, key_bytes, "path"))
        return x->has_own_name || copy_name(x->name, 0, value, n);
    if (!is_key(key, key_bytes, "size"))
        return true;
    x->has_size = true;
    x->size = 0;
    for (size_t i = 0; i < n; i++) {
        if (value[i] < '0' || value[i] > '9' || x->size > UINT64_MAX / 16)
            return false;
        x->size = x->size * 10 + (uint64_t)(value[i] - '0');
    }
    return n > 0;
}

/* Reads records "LENGTH KEY=VALUE\n", LENGTH being that of the whole record. */
static bool read_records(struct tar_extra *x, const uint8_t *p, size_t n)
{
    while (n && *p) {
        size_t length = 0, i = 0;
        for (; i < n && p[i] >= '0' && p[i] <= '9' && length <= n; i++)
            length = length * 10 + (size_t)(p[i] - '0');
        if (!i || i >= n || p[i] != ' ' || length > n || length < i + 3 || p[length - 1] != '\n')
            return false;
        const uint8_t *key = p + i + 1, *end = p + length - 1;
        const uint8_t *equals = memchr(key, '=', (size_t)(end - key));
        if (!equals ||
            !take_value(x, key, (size_t)(equals - key), equals + 1, (size_t)(end - equals) - 1))
            return false;
        p += length;
        n -= length;
    }
    return true;
}

/* Whether the block belongs to the next member, and says more of it. */
static bool is_extra(uint8_t type)
{
    return type == 'x' || type == 'g' || type == 'L' || type == 'K';
}

static bool read_extra(struct tar_extra *x, uint8_t type, const uint8_t *data, size_t n)
{
    if (n > MAX_RECORD_BYTES)
        return false;
    if (type == 'L')
        return copy_name(x->name, 0, data, n);
    return type != 'x' || read_records(x, data, n);
}

/* Fills in the name of a member: of an extended header, or of its own with the prefix of ustar. */
static bool name_member(const struct tar_extra *x, const uint8_t *block, char *ret)
{
    size_t used = 0;
    if (*x->name)
        return copy_name(ret, 0, (const uint8_t *)x->name, sizeof(x->name));
    *ret = '\0';
    if (!memcmp(block + MAGIC, "ustar\0", 6) && block[PREFIX]) {
        used = strnlen((const char *)block + PREFIX, PREFIX_BYTES);
        memcpy(ret, block + PREFIX, used);
        ret[used++] = '/';
    }
    return copy_name(ret, used, block + NAME, NAME_BYTES) && *ret;
}

static void tell_kind(const struct tar_extra *x, uint8_t type, struct pl_tar_member *m)
{
    const size_t n = strlen(m->name);
    m->kind = type == '1' || type == '2'             ? PL_TAR_LINK
              : type == '5'                          ? PL_TAR_DIRECTORY
              : type == 'S'                          ? PL_TAR_HOLES
              : (type && type != '0' && type != '7') ? PL_TAR_OTHER
              : m->name[n - 1] == '/'                ? PL_TAR_DIRECTORY
              : x->has_holes                         ? PL_TAR_HOLES
                                                     : PL_TAR_FILE;
}

static platen_status fail_at(const struct pl_tar *tar, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_FORMAT, "no header of a tar archive at byte %zu", tar->at);
}

/* Where the data of the header at tar->at begin: behind blocks that tell more holes of a file, of
 * which its size knows nothing (GNU tar, "Old GNU Format"). At most the end of the archive. */
static size_t data_place(const struct pl_tar *tar)
{
    const uint8_t *block = tar->data + tar->at;
    size_t at = tar->at + BLOCK_BYTES;
    bool more = block[TYPE] == 'S' && block[MORE_HOLES];
    for (; more && tar->size - at >= BLOCK_BYTES; at += BLOCK_BYTES)
        more = tar->data[at + STILL_MORE_HOLES];
    return at;
}

/* Whether what a header of that type says to be behind it takes room there. */
static bool has_data(uint8_t type)
{
    return type < '1' || type > '6';
}

platen_status pl_tar_next(struct pl_tar *tar, struct pl_tar_member *ret, bool *ret_any,
                          struct platen_error *err)
{
    struct tar_extra x = {.name = ""};
    *ret_any = false;
    while (tar->size - tar->at >= BLOCK_BYTES) {
        const uint8_t *block = tar->data + tar->at, type = block[TYPE];
        uint64_t size;
        if (is_zero(block, BLOCK_BYTES)) {
            tar->at += BLOCK_BYTES;
            continue;
        }
        if (!is_header(block) || !read_number(block + SIZE, SIZE_BYTES, &size))
            return fail_at(tar, err);
        const bool extra = is_extra(type);
        if (!extra && !name_member(&x, block, ret->name))
            return fail_at(tar, err);
        size = !has_data(type) ? 0 : !extra && x.has_size ? x.size : size;
        const size_t from = data_place(tar), room = tar->size - from;
        if (size > room)
            return extra ? pl_fail(err, PLATEN_ERR_FORMAT, "the archive ends within a name")
                         : pl_fail(err, PLATEN_ERR_FORMAT, "the archive ends within '%.120s'",
                                   ret->name);
        if (extra && !read_extra(&x, type, tar->data + from, (size_t)size))
            return fail_at(tar, err);
        const size_t padded = ((size_t)size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
        tar->at = from + PL_MIN(padded, room);
        if (extra)
            continue;
        ret->data = tar->data + from;
        ret->size = (size_t)size;
        tell_kind(&x, type, ret);
        *ret_any = true;
        return PLATEN_OK;
    }
    return is_zero(tar->data + tar->at, tar->size - tar->at) ? PLATEN_OK : fail_at(tar, err);
}

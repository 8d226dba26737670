/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the container: header, section table, sections, metadata (platen-model.5). */
#include "nn/container.h"

#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/text.h"
#include "nn/crc32c.h"

/* Of a language model, version 1.0, without words, and the name of the one more with them. */
#define LANGUAGE_SECTIONS 4
static const char words_section[4] = {'W', 'O', 'R', 'D'};

/* What files of version 1.0, 2.0 and 3.0 hold. */
static const char *const kinds[] = {"a language model", "a network", "a language identifier"};

const char pl_container_magic[8] = {'P', 'L', 'A', 'T', 'E', 'N', 'M', '\n'};

/* A file while it is read. */
struct source {
    const uint8_t *data;
    size_t size, n_sections;
    struct pl_crc32c crc;
};

static bool all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

int pl_container_version(const uint8_t *data, size_t n)
{
    if (n < PL_CONTAINER_HEADER_BYTES ||
        memcmp(data, pl_container_magic, sizeof(pl_container_magic)) || pl_le16(data + 10))
        return 0;
    return pl_le16(data + 8) >= 1 && pl_le16(data + 8) <= 3 ? pl_le16(data + 8) : 0;
}

/* Whether the section table of a file of version 1.0 is that of a language model. */
static bool is_language(const struct source *m)
{
    const size_t last = PL_CONTAINER_HEADER_BYTES + LANGUAGE_SECTIONS * PL_CONTAINER_SECTION_BYTES;
    const uint32_t n = pl_le32(m->data + 24);
    return n == LANGUAGE_SECTIONS ||
           (n == LANGUAGE_SECTIONS + 1 && m->size >= last + sizeof(words_section) &&
            !memcmp(m->data + last, words_section, sizeof(words_section)));
}

static platen_status check_version(const struct source *m, int major, struct platen_error *err)
{
    const uint8_t *h = m->data;
    if (m->size < PL_CONTAINER_HEADER_BYTES ||
        memcmp(h, pl_container_magic, sizeof(pl_container_magic)))
        return pl_fail(err, PLATEN_ERR_FORMAT, "not a platen model file");
    if (pl_container_version(h, m->size) == 1 && !is_language(m))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "a network in model format 1.0, which older versions of platen wrote: "
                       "it has to be imported anew");
    if (pl_le16(h + 8) != major || pl_le16(h + 10) != 0) {
        const int version = pl_container_version(m->data, m->size);
        if (version)
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "%s, not %s", kinds[version - 1],
                           kinds[major - 1]);
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "model format %u.%u is not known, only %d.0",
                       pl_le16(h + 8), pl_le16(h + 10), major);
    }
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "model files need a little-endian host");
    return PLATEN_OK;
}

static platen_status check_header(const struct source *m, int major, struct platen_error *err)
{
    const uint8_t *h = m->data;
    platen_status s = check_version(m, major, err);
    if (s)
        return s;
    if (m->size > PL_CONTAINER_MAX_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the file is longer than %zu bytes",
                       PL_CONTAINER_MAX_BYTES);
    if (pl_le64(h + 16) != m->size)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the header tells %llu bytes, the file has %zu",
                       (unsigned long long)pl_le64(h + 16), m->size);
    if (pl_le32(h + 12) != PL_CONTAINER_HEADER_BYTES || pl_le32(h + 24) != m->n_sections ||
        pl_le32(h + 28) || !all_zero(h + 32, 28) ||
        m->size < PL_CONTAINER_HEADER_BYTES + m->n_sections * PL_CONTAINER_SECTION_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed header");
    uint32_t sum = pl_crc32c(&m->crc, 0, h, 60);
    if (pl_crc32c(&m->crc, sum, h + PL_CONTAINER_HEADER_BYTES,
                  m->n_sections * PL_CONTAINER_SECTION_BYTES) != pl_le32(h + 60))
        return pl_fail(err, PLATEN_ERR_FORMAT, "checksum of the header does not match");
    return PLATEN_OK;
}

/* Section i must begin at `at`, the first aligned byte after what precedes it. */
static platen_status read_section(const struct source *m, size_t i, const char *name, size_t at,
                                  struct pl_nn_range *ret, struct platen_error *err)
{
    const uint8_t *rec = m->data + PL_CONTAINER_HEADER_BYTES + i * PL_CONTAINER_SECTION_BYTES;
    uint64_t offset = pl_le64(rec + 8), size = pl_le64(rec + 16);
    if (memcmp(rec, name, 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section %zu is not '%s'", i, name);
    if (offset != at || offset > m->size || size > m->size - offset || pl_le64(rec + 24))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section '%s' lies at the wrong place", name);
    *ret = (struct pl_nn_range){m->data + at, at, (size_t)size};
    if (pl_crc32c(&m->crc, 0, ret->data, ret->size) != pl_le32(rec + 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "checksum of section '%s' does not match", name);
    return PLATEN_OK;
}

platen_status pl_container_read(const uint8_t *data, size_t n, const struct pl_container_form *form,
                                struct pl_nn_range *section, struct platen_error *err)
{
    struct source m = {.data = data, .size = n, .n_sections = form->n_sections};
    /* as many sections as the header tells, within what a file may have */
    if (n >= PL_CONTAINER_HEADER_BYTES && pl_le32(data + 24) >= form->least)
        m.n_sections = PL_MIN(m.n_sections, (size_t)pl_le32(data + 24));
    pl_crc32c_init(&m.crc);
    platen_status s = check_header(&m, form->major, err);
    size_t end = PL_CONTAINER_HEADER_BYTES + m.n_sections * PL_CONTAINER_SECTION_BYTES;
    for (size_t i = 0; i < m.n_sections && !s; i++) {
        const char *name = form->names[i];
        size_t at = pl_container_align(end);
        s = read_section(&m, i, name, at, &section[i], err);
        if (!s && !all_zero(data + end, at - end))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "padding before section '%s' is not zero", name);
        end = at + section[i].size;
    }
    if (!s && (pl_container_align(end) != n || !all_zero(data + end, n - end)))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "the sections do not fill the file");
    return s;
}

bool pl_container_is_text(const char *p, size_t n)
{
    while (n) {
        uint32_t c;
        size_t k = pl_utf8_get(p, n, &c);
        if (!k || c < 0x20 || c == 0x7f)
            return false;
        p += k;
        n -= k;
    }
    return true;
}

static bool is_key(const char *p, size_t n)
{
    if (!n || n > 64)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!((p[i] >= 'a' && p[i] <= 'z') || (i && p[i] >= '0' && p[i] <= '9') ||
              (i && (p[i] == '_' || p[i] == '.'))))
            return false;
    return true;
}

const char *pl_container_value(const struct pl_nn_meta *meta, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(meta[i].key, key))
            return meta[i].value;
    return NULL;
}

bool pl_container_is_meta(const char *key, size_t key_bytes, const char *value, size_t value_bytes)
{
    return is_key(key, key_bytes) && pl_container_is_text(value, value_bytes);
}

/* Cuts line[0..n), already NUL-terminated at n, at its first '='. */
static platen_status add_meta(struct pl_nn_meta *meta, size_t *count, char *line, size_t n,
                              struct platen_error *err)
{
    char *eq = memchr(line, '=', n);
    if (!eq ||
        !pl_container_is_meta(line, (size_t)(eq - line), eq + 1, (size_t)(line + n - eq) - 1))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed line %zu of the metadata", *count + 1);
    *eq = '\0';
    if (pl_container_value(meta, *count, line))
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' twice", line);
    meta[(*count)++] = (struct pl_nn_meta){line, eq + 1};
    return PLATEN_OK;
}

platen_status pl_container_meta(const struct pl_nn_range *sec, struct pl_arena *arena,
                                struct pl_nn_meta **ret, size_t *ret_n, struct platen_error *err)
{
    if (sec->size > PL_CONTAINER_MAX_META_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %zu bytes of metadata",
                       PL_CONTAINER_MAX_META_BYTES);
    char *text = pl_arena_strndup(arena, (const char *)sec->data, sec->size);
    *ret = PL_NEW(arena, struct pl_nn_meta, PL_CONTAINER_MAX_META_KEYS);
    *ret_n = 0;
    if (!text || !*ret)
        return pl_fail_nomem(err, sec->size, "the metadata");
    for (char *p = text, *end = text + sec->size; p < end;) {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            return pl_fail(err, PLATEN_ERR_FORMAT, "the metadata ends within a line");
        if (*ret_n == PL_CONTAINER_MAX_META_KEYS)
            return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d metadata keys",
                           PL_CONTAINER_MAX_META_KEYS);
        *nl = '\0';
        platen_status s = add_meta(*ret, ret_n, p, (size_t)(nl - p), err);
        if (s)
            return s;
        p = nl + 1;
    }
    return PLATEN_OK;
}

/* The container: header, section table, sections, metadata and alphabet (platen-model.5). */
#include "nn/graph.h"

#include <string.h>

#include "nn/le.h"

#define HEADER_BYTES 64
#define SECTION_BYTES 32
#define ALIGN 64

static const char magic[8] = {'P', 'L', 'A', 'T', 'E', 'N', 'M', '\n'};

const char *pl_nn_section_name(const struct pl_model *m, size_t i)
{
    static const char *const line[] = {"META", "ALPH", "TENS", "NODE", "DATA"};
    static const char *const language[] = {"META", "ALPH", "EMBD", "OUTP"};
    return pl_nn_is_language(m) ? language[i] : line[i];
}

static bool all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static size_t align_up(size_t n)
{
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static platen_status check_version(const struct pl_model *m, struct platen_error *err)
{
    const uint8_t *h = m->data;
    if (m->size < HEADER_BYTES || memcmp(h, magic, sizeof(magic)))
        return pl_fail(err, PLATEN_ERR_FORMAT, "not a platen model file");
    if (pl_le16(h + 8) != 1 || pl_le16(h + 10) != 0)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "model format %u.%u is not known, only 1.0",
                       pl_le16(h + 8), pl_le16(h + 10));
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "model files need a little-endian host");
    return PLATEN_OK;
}

static platen_status check_header(struct pl_model *m, const struct pl_crc32c *crc,
                                  struct platen_error *err)
{
    const uint8_t *h = m->data;
    platen_status s = check_version(m, err);
    if (s)
        return s;
    if (m->size > PL_NN_MAX_FILE_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the file is longer than %zu bytes",
                       PL_NN_MAX_FILE_BYTES);
    if (pl_le64(h + 16) != m->size)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the header tells %llu bytes, the file has %zu",
                       (unsigned long long)pl_le64(h + 16), m->size);
    m->n_sections = pl_le32(h + 24);
    if (pl_le32(h + 12) != HEADER_BYTES ||
        (m->n_sections != PL_NN_SECTIONS && m->n_sections != PL_NN_LANGUAGE_SECTIONS) ||
        pl_le32(h + 28) || !all_zero(h + 32, 28) ||
        m->size < HEADER_BYTES + m->n_sections * SECTION_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed header");
    uint32_t sum = pl_crc32c(crc, 0, h, 60);
    if (pl_crc32c(crc, sum, h + HEADER_BYTES, m->n_sections * SECTION_BYTES) != pl_le32(h + 60))
        return pl_fail(err, PLATEN_ERR_FORMAT, "checksum of the header does not match");
    return PLATEN_OK;
}

/* Section i must begin at `at`, the first aligned byte after what precedes it. */
static platen_status read_section(struct pl_model *m, size_t i, size_t at,
                                  const struct pl_crc32c *crc, struct platen_error *err)
{
    const uint8_t *rec = m->data + HEADER_BYTES + i * SECTION_BYTES;
    const char *name = pl_nn_section_name(m, i);
    uint64_t offset = pl_le64(rec + 8), size = pl_le64(rec + 16);
    if (memcmp(rec, name, 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section %zu is not '%s'", i, name);
    if (offset != at || offset > m->size || size > m->size - offset || pl_le64(rec + 24))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section '%s' lies at the wrong place", name);
    if (pl_crc32c(crc, 0, m->data + offset, size) != pl_le32(rec + 4))
        return pl_fail(err, PLATEN_ERR_FORMAT, "checksum of section '%s' does not match", name);
    m->section[i] = (struct pl_nn_range){m->data + offset, offset, size};
    return PLATEN_OK;
}

platen_status pl_nn_read_container(struct pl_model *m, struct platen_error *err)
{
    struct pl_crc32c crc;
    pl_crc32c_init(&crc);
    platen_status s = check_header(m, &crc, err);
    size_t end = HEADER_BYTES + m->n_sections * SECTION_BYTES;
    for (size_t i = 0; i < m->n_sections && !s; i++) {
        size_t at = align_up(end);
        s = read_section(m, i, at, &crc, err);
        if (!s && !all_zero(m->data + end, at - end))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "padding before section '%s' is not zero",
                        pl_nn_section_name(m, i));
        end = at + m->section[i].size;
    }
    if (!s && (align_up(end) != m->size || !all_zero(m->data + end, m->size - end)))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "the sections do not fill the file");
    return s;
}

static bool is_text(const char *p, size_t n)
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

/* Cuts line[0..n), already NUL-terminated at n, at its first '='. */
static platen_status add_meta(struct pl_model *m, char *line, size_t n, struct platen_error *err)
{
    char *eq = memchr(line, '=', n);
    if (!eq || !is_key(line, (size_t)(eq - line)) || !is_text(eq + 1, (size_t)(line + n - eq) - 1))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed line %zu of the metadata", m->n_meta + 1);
    *eq = '\0';
    if (pl_model_meta(m, line))
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' twice", line);
    m->meta[m->n_meta++] = (struct pl_nn_meta){line, eq + 1};
    return PLATEN_OK;
}

static platen_status check_required(const struct pl_model *m, struct platen_error *err)
{
    static const char *const required[] = {"name", "version", "licence"};
    for (size_t i = 0; i < PL_ARRAY_LEN(required); i++)
        if (!pl_model_meta(m, required[i]))
            return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing", required[i]);
    return PLATEN_OK;
}

platen_status pl_nn_read_meta(struct pl_model *m, struct platen_error *err)
{
    const struct pl_nn_range *sec = &m->section[PL_NN_META];
    if (sec->size > PL_NN_MAX_META_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %zu bytes of metadata",
                       PL_NN_MAX_META_BYTES);
    char *text = pl_arena_strndup(&m->arena, (const char *)sec->data, sec->size);
    m->meta = PL_NEW(&m->arena, struct pl_nn_meta, PL_NN_MAX_META_KEYS);
    if (!text || !m->meta)
        return pl_fail_nomem(err, sec->size, "the metadata");
    for (char *p = text, *end = text + sec->size; p < end;) {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            return pl_fail(err, PLATEN_ERR_FORMAT, "the metadata ends within a line");
        if (m->n_meta == PL_NN_MAX_META_KEYS)
            return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d metadata keys",
                           PL_NN_MAX_META_KEYS);
        *nl = '\0';
        platen_status s = add_meta(m, p, (size_t)(nl - p), err);
        if (s)
            return s;
        p = nl + 1;
    }
    return check_required(m, err);
}

static platen_status meta_pad(const struct pl_model *m, const char *key, int *ret,
                              struct platen_error *err)
{
    const char *v = pl_model_meta(m, key);
    int64_t n;
    if (!v || !pl_parse_int64(v, strlen(v), &n) || n < 0 || n > PL_NN_MAX_PAD)
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing or not 0 to %d", key,
                       PL_NN_MAX_PAD);
    *ret = (int)n;
    return PLATEN_OK;
}

/* NUL-terminated symbols. */
platen_status pl_nn_read_alphabet(struct pl_model *m, size_t n, bool blank, const char *const **ret,
                                  struct platen_error *err)
{
    const struct pl_nn_range *sec = &m->section[PL_NN_ALPH];
    const char **symbol = PL_NEW(&m->arena, const char *, n);
    if (!symbol)
        return pl_fail_nomem(err, n * sizeof(*symbol), "the alphabet");
    const char *p = (const char *)sec->data, *end = p + sec->size;
    for (size_t i = 0; i < n; i++) {
        const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
        if (!nul || (blank && i == 0) != (nul == p) || nul - p > PL_NN_MAX_SYMBOL_BYTES ||
            !is_text(p, (size_t)(nul - p)))
            return pl_fail(err, PLATEN_ERR_FORMAT, "malformed symbol %zu of the alphabet", i);
        symbol[i] = p;
        p = nul + 1;
    }
    if (p != end)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the alphabet has more symbols than classes");
    *ret = symbol;
    return PLATEN_OK;
}

platen_status pl_nn_read_line(struct pl_model *m, struct platen_error *err)
{
    const struct pl_nn_tensor *in = &m->tensors[0], *out = &m->tensors[m->n_tensors - 1];
    m->line.height = in->height;
    m->line.stride = out->divisor;
    m->line.input_scale = in->scale;
    m->line.input_zero = in->zero;
    m->line.n_classes = out->channels;
    platen_status s = meta_pad(m, "pad_left", &m->line.pad_left, err);
    s = s ? s : meta_pad(m, "pad_right", &m->line.pad_right, err);
    return s ? s : pl_nn_read_alphabet(m, out->channels, true, &m->line.alphabet, err);
}

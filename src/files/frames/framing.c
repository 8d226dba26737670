/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/frames/framing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "codec/codec.h"

#define MIN_SIDE 8 /* of what may show a letter */
#define MAX_SIDE 65535
#define MAX_HEAD_BYTES ((size_t)4096) /* of a line of y4m, or of all lines before a part */
#define SIGN_BYTES ((size_t)512)      /* that tell what a stream is */

static const char y4m_sign[] = "YUV4MPEG2", frame_sign[] = "FRAME";

static bool begins(const uint8_t *data, size_t n, const char *sign)
{
    return n >= strlen(sign) && !memcmp(data, sign, strlen(sign));
}

static platen_status fail_within(struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_FORMAT, "the stream ends within a frame");
}

/* ---- numbers ---- */

/* Reads a whole number, and moves *text behind it. */
static bool read_number(const char **text, long least, long most, long *ret)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    *ret = strtol(*text, &end, 10);
    *text = end;
    return *ret >= least && *ret <= most;
}

/* Reads N, N.N or N/N, N:N. */
static bool read_rate(const char *text, double *ret)
{
    char *end;
    long below = 1;
    if (*text < '0' || *text > '9')
        return false;
    double above = strtod(text, &end);
    if (*end == '/' || *end == ':') {
        text = end + 1;
        if (!read_number(&text, 1, 1000000000, &below))
            return false;
        end = (char *)(uintptr_t)text;
    }
    *ret = above / (double)below;
    return !*end && isfinite(*ret) && *ret > 0 && *ret <= 1e6;
}

/* ---- what the user tells ---- */

static bool read_kind(const char *name, size_t n, struct pl_framing *f)
{
    static const struct {
        const char *name;
        enum pl_frame_pixels pixels;
    } kinds[] = {{"gray", PL_FRAME_GRAY}, {"rgb24", PL_FRAME_RGB}, {"yuv420p", PL_FRAME_YUV}};
    for (size_t i = 0; i < PL_ARRAY_LEN(kinds); i++)
        if (strlen(kinds[i].name) == n && !memcmp(kinds[i].name, name, n)) {
            f->kind = PL_FRAMING_RAW;
            f->pixels = kinds[i].pixels;
            f->chroma_x = f->chroma_y = 2;
            f->full_range = f->pixels != PL_FRAME_YUV;
            return true;
        }
    return false;
}

static bool read_size(const char **text, struct pl_framing *f)
{
    long w, h;
    if (!read_number(text, MIN_SIDE, MAX_SIDE, &w) || *(*text)++ != 'x' ||
        !read_number(text, MIN_SIDE, MAX_SIDE, &h))
        return false;
    f->width = (int)w;
    f->height = (int)h;
    return true;
}

platen_status pl_framing_parse(const char *text, struct pl_framing *ret, struct platen_error *err)
{
    struct pl_framing f = {.kind = PL_FRAMING_UNTOLD};
    const char *at = text + strcspn(text, ":@");
    bool ok = at - text == 4 && !memcmp(text, "auto", 4);
    if (!ok && read_kind(text, (size_t)(at - text), &f) && *at++ == ':')
        ok = read_size(&at, &f);
    if (ok && *at == '@')
        ok = read_rate(at + 1, &f.fps);
    else
        ok = ok && !*at;
    if (!ok)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "frames are auto, gray:WxH, rgb24:WxH or yuv420p:WxH, perhaps with @RATE, "
                       "not '%.80s'",
                       text);
    *ret = f;
    return PLATEN_OK;
}

size_t pl_framing_bytes(const struct pl_framing *f)
{
    const size_t w = (size_t)f->width, h = (size_t)f->height;
    if (f->pixels != PL_FRAME_YUV)
        return w * h * (f->pixels == PL_FRAME_RGB ? 3 : 1);
    const size_t cx = (size_t)f->chroma_x, cy = (size_t)f->chroma_y;
    return w * h + 2 * ((w + cx - 1) / cx) * ((h + cy - 1) / cy);
}

/* ---- y4m ---- */

/* Copies the line that data begins with, without its end. *ret_used is 0 while it is not whole. */
static platen_status read_line(const uint8_t *data, size_t n, bool end, char *to, size_t *ret_used,
                               struct platen_error *err)
{
    const size_t most = PL_MIN(n, MAX_HEAD_BYTES);
    const uint8_t *stop = memchr(data, '\n', most);
    *ret_used = 0;
    if (!stop && n >= MAX_HEAD_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "a line of the stream is longer than %zu bytes",
                       MAX_HEAD_BYTES);
    if (!stop)
        return end ? fail_within(err) : PLATEN_OK;
    const size_t length = (size_t)(stop - data);
    memcpy(to, data, length);
    to[length] = '\0';
    *ret_used = length + 1;
    return strlen(to) == length ? PLATEN_OK
                                : pl_fail(err, PLATEN_ERR_FORMAT, "a zero byte in a line of y4m");
}

/* Takes the name of what a pixel is, as "420mpeg2". */
static bool read_colors(const char *name, struct pl_framing *f)
{
    static const struct {
        const char *name;
        int x, y;
    } known[] = {{"420", 2, 2},      {"420jpeg", 2, 2}, {"420mpeg2", 2, 2},
                 {"420paldv", 2, 2}, {"422", 2, 1},     {"444", 1, 1},
                 {"411", 4, 1},      {"440", 1, 2},     {"mono", 0, 0}};
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        if (!strcmp(known[i].name, name)) {
            f->pixels = known[i].x ? PL_FRAME_YUV : PL_FRAME_GRAY;
            f->chroma_x = known[i].x;
            f->chroma_y = known[i].y;
            return true;
        }
    return false;
}

static platen_status read_word(const char *word, struct pl_framing *f, struct platen_error *err)
{
    const char *value = word + 1;
    double fps;
    long side;
    if (*word == 'C' && !read_colors(value, f))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "y4m of the kind '%.40s' is not supported",
                       value);
    if (*word == 'F' && !(f->fps > 0) && read_rate(value, &fps))
        f->fps = fps;
    if (!strcmp(word, "XCOLORRANGE=FULL") || !strcmp(word, "XCOLORRANGE=LIMITED"))
        f->full_range = word[12] == 'F';
    if (*word != 'W' && *word != 'H')
        return PLATEN_OK;
    if (!read_number(&value, MIN_SIDE, MAX_SIDE, &side) || *value)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size '%.40s' of y4m", word);
    *(*word == 'W' ? &f->width : &f->height) = (int)side;
    return PLATEN_OK;
}

/* Reads the head of a y4m stream. Grey is without a range where none is named. */
static platen_status read_y4m_head(char *line, struct pl_framing *f, struct platen_error *err)
{
    char *rest = NULL;
    platen_status s = PLATEN_OK;
    const bool named = strstr(line, " XCOLORRANGE=");
    f->kind = PL_FRAMING_Y4M;
    f->pixels = PL_FRAME_YUV;
    f->chroma_x = f->chroma_y = 2;
    strtok_r(line, " ", &rest);
    for (char *word; !s && (word = strtok_r(NULL, " ", &rest));)
        s = read_word(word, f, err);
    if (!named)
        f->full_range = f->pixels == PL_FRAME_GRAY;
    if (!s && (!f->width || !f->height))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "y4m without the size of its frames");
    return s;
}

static platen_status next_y4m(struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                              struct pl_frame_place *ret, struct platen_error *err)
{
    char line[MAX_HEAD_BYTES];
    size_t head = 0;
    platen_status s = n ? read_line(data, n, end, line, &head, err) : PLATEN_OK;
    if (s || !head)
        return s;
    if (!begins(data, n, frame_sign) || (line[5] && line[5] != ' '))
        return pl_fail(err, PLATEN_ERR_FORMAT, "no frame of y4m where one should be");
    const size_t bytes = pl_framing_bytes(f);
    ret->wanted = head + bytes;
    if (n - head < bytes)
        return end ? fail_within(err) : PLATEN_OK;
    *ret = (struct pl_frame_place){true, data + head, bytes, head + bytes, 0};
    return PLATEN_OK;
}

/* ---- raw pixels ---- */

static platen_status next_raw(const struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                              struct pl_frame_place *ret, struct platen_error *err)
{
    const size_t bytes = pl_framing_bytes(f);
    ret->wanted = bytes;
    if (n < bytes)
        return end && n ? fail_within(err) : PLATEN_OK;
    *ret = (struct pl_frame_place){true, data, bytes, bytes, 0};
    return PLATEN_OK;
}

/* ---- pictures ---- */

static size_t skip_blanks(const uint8_t *data, size_t n)
{
    size_t i = 0;
    while (i < n && (data[i] == ' ' || (data[i] >= '\t' && data[i] <= '\r')))
        i++;
    return i;
}

static platen_status next_picture(struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                                  struct pl_frame_place *ret, struct platen_error *err)
{
    const size_t blank = skip_blanks(data, n);
    ret->used = blank;
    data += blank;
    n -= blank;
    if (!n || (n < SIGN_BYTES && !end && !pl_image_ends_itself(data, n)))
        return PLATEN_OK;
    if (!pl_image_ends_itself(data, n))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "no picture of a kind that tells where it ends where one should be");
    const size_t bytes = pl_image_whole(data, n, f->seen);
    f->seen = bytes || end ? 0 : n;
    if (bytes || end)
        *ret =
            (struct pl_frame_place){true, data, bytes ? bytes : n, blank + (bytes ? bytes : n), 0};
    return PLATEN_OK;
}

/* ---- parts ---- */

/* What stands before the picture of a part. */
struct part_head {
    size_t bytes; /* 0 = it is not whole yet */
    bool told;    /* `length` is */
    size_t length;
};

static bool is_name(const char *line, const char *name)
{
    return !strncasecmp(line, name, strlen(name));
}

/* Reads the lines from the boundary to the empty one. */
static platen_status read_part_head(const struct pl_framing *f, const uint8_t *data, size_t n,
                                    bool end, struct part_head *ret, struct platen_error *err)
{
    static const char length[] = "content-length:";
    char line[MAX_HEAD_BYTES];
    size_t at = 0, used = 1;
    bool first = true;
    *ret = (struct part_head){0};
    while (used && at < MAX_HEAD_BYTES) {
        platen_status s = read_line(data + at, n - at, false, line, &used, err);
        if (s)
            return s;
        at += used;
        line[used ? strcspn(line, "\r") : 0] = '\0';
        if (first && used && strncmp(line, f->boundary, strlen(f->boundary)) != 0)
            return pl_fail(err, PLATEN_ERR_FORMAT, "no boundary where a part should begin");
        if (used && is_name(line, length)) {
            char *stop;
            ret->length = strtoul(line + strlen(length), &stop, 10);
            ret->told = !*stop && ret->length > 0 && ret->length < SIZE_MAX / 2;
        }
        if (used && !*line && !first) {
            ret->bytes = at;
            return PLATEN_OK;
        }
        first = false;
    }
    if (used)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the head of a part is longer than %zu bytes",
                       MAX_HEAD_BYTES);
    return end ? fail_within(err) : PLATEN_OK;
}

/* Finds the line of the boundary in data[0..n); of data[0..seen) that was asked before. Returns n
 * where there is none. */
static size_t find_boundary(const struct pl_framing *f, const uint8_t *data, size_t n, size_t seen)
{
    const size_t length = strlen(f->boundary), from = seen > length ? seen - length : 0;
    for (size_t at = from; at < n;) {
        const uint8_t *hit = memmem(data + at, n - at, f->boundary, length);
        if (!hit)
            return n;
        if (hit > data && hit[-1] == '\n')
            return (size_t)(hit - data);
        at = (size_t)(hit - data) + 1;
    }
    return n;
}

static platen_status next_part(struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                               struct pl_frame_place *ret, struct platen_error *err)
{
    const size_t blank = skip_blanks(data, n);
    const size_t boundary = strlen(f->boundary);
    struct part_head head;
    ret->used = blank;
    data += blank;
    n -= blank;
    if (begins(data, n, f->boundary) && begins(data + boundary, n - boundary, "--")) {
        f->kind = PL_FRAMING_OVER;
        ret->used += n;
        return PLATEN_OK;
    }
    platen_status s = n ? read_part_head(f, data, n, end, &head, err) : PLATEN_OK;
    if (s || !n || !head.bytes)
        return s;
    const uint8_t *picture = data + head.bytes;
    const size_t room = n - head.bytes;
    size_t bytes = head.length, next = bytes;
    ret->wanted = head.told ? ret->used + head.bytes + bytes : 0;
    bool whole = head.told && room >= bytes;
    if (!head.told) {
        next = find_boundary(f, picture, room, f->seen);
        whole = next < room;
        bytes = whole ? next - 1 : 0; /* the end of the line before it is not the part's */
        bytes -= bytes && picture[bytes - 1] == '\r';
    }
    f->seen = whole ? 0 : room;
    if (!whole)
        return end ? fail_within(err) : PLATEN_OK;
    *ret = (struct pl_frame_place){true, picture, bytes, blank + head.bytes + next, 0};
    return PLATEN_OK;
}

/* ---- what a stream is ---- */

/* Takes the boundary from the first line of a stream of parts. */
static platen_status begin_parts(struct pl_framing *f, const char *line, struct platen_error *err)
{
    const size_t n = strcspn(line, "\r");
    if (n < 3 || n >= PL_BOUNDARY_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong boundary of multipart");
    memcpy(f->boundary, line, n);
    f->boundary[n] = '\0';
    f->kind = PL_FRAMING_PARTS;
    return PLATEN_OK;
}

/* Finds out what the stream is. *ret_used is how much of its beginning belongs to no frame. */
static platen_status find_kind(struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                               size_t *ret_used, struct platen_error *err)
{
    char line[MAX_HEAD_BYTES];
    const size_t blank = skip_blanks(data, n);
    const bool y4m = begins(data, n, y4m_sign), parts = begins(data + blank, n - blank, "--");
    size_t used;
    *ret_used = 0;
    if (y4m || parts) {
        const size_t from = parts ? blank : 0;
        platen_status s = read_line(data + from, n - from, end, line, &used, err);
        if (s || !used)
            return s;
        *ret_used = y4m ? used : 0;
        return y4m ? read_y4m_head(line, f, err) : begin_parts(f, line, err);
    }
    if (pl_image_ends_itself(data + blank, n - blank)) {
        f->kind = PL_FRAMING_PICTURES;
        return PLATEN_OK;
    }
    if (n < SIGN_BYTES && !end)
        return PLATEN_OK;
    return n == blank ? PLATEN_OK
                      : pl_fail(err, PLATEN_ERR_FORMAT,
                                "no stream of frames (y4m, multipart, or pictures such as JPEG); "
                                "the size of raw frames must be told, as rgb24:640x480");
}

platen_status pl_framing_next(struct pl_framing *f, const uint8_t *data, size_t n, bool end,
                              struct pl_frame_place *ret, struct platen_error *err)
{
    size_t used = 0;
    *ret = (struct pl_frame_place){0};
    if (f->kind == PL_FRAMING_UNTOLD) {
        platen_status s = find_kind(f, data, n, end, &used, err);
        if (s || f->kind == PL_FRAMING_UNTOLD)
            return s;
    }
    data += used;
    n -= used;
    if (f->kind == PL_FRAMING_OVER) {
        ret->used = n;
        return PLATEN_OK;
    }
    platen_status s = f->kind == PL_FRAMING_Y4M     ? next_y4m(f, data, n, end, ret, err)
                      : f->kind == PL_FRAMING_RAW   ? next_raw(f, data, n, end, ret, err)
                      : f->kind == PL_FRAMING_PARTS ? next_part(f, data, n, end, ret, err)
                                                    : next_picture(f, data, n, end, ret, err);
    ret->used += used;
    ret->wanted += ret->wanted ? used : 0;
    return s;
}

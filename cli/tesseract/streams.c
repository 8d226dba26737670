/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static const struct {
    const char *name, *extension;
} views[TESS_FORMATS] = {
    [TESS_HOCR] = {"hocr", "hocr"},     [TESS_ALTO] = {"alto", "xml"},
    [TESS_PAGE] = {"page", "page.xml"}, [TESS_TSV] = {"tsv", "tsv"},
    [TESS_PDF] = {"pdf", "pdf"},        [TESS_BOX] = {"box", "box"},
    [TESS_TXT] = {"txt", "txt"},
};

static bool same_file(int fd, const char *path)
{
    struct stat a, b;
    return !fstat(fd, &a) && !stat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* BASE.EXT, open for writing, or standard output; -1 after a message. */
static int open_output(const struct tess_request *r, const char *extension)
{
    char path[PATH_MAX];
    if (!strcmp(r->base, "-"))
        return STDOUT_FILENO;
    if ((size_t)snprintf(path, sizeof(path), "%s.%s", r->base, extension) >= sizeof(path)) {
        message("the name of the output is too long");
        return -1;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0 && !same_file(fd, r->image))
        return fd;
    message("unable to write '%s': %s", path,
            fd < 0 ? strerror(errno) : "it would take the place of its input");
    if (fd >= 0)
        close(fd);
    return -1;
}

int tess_open_osd(const struct tess_request *r)
{
    return open_output(r, "osd");
}

static const char *view_name(const struct tess_request *r, enum tess_format f)
{
    if (f == TESS_TXT && r->spaces)
        return "layout";
    return f == TESS_PDF && r->text_only ? "textpdf" : views[f].name;
}

bool tess_streams_open(struct tess_streams *s, const struct tess_request *r)
{
    size_t n = 0, len = 0;
    *s = (struct tess_streams){.request = r};
    for (int f = 0; f < TESS_FORMATS; f++)
        s->fd[f] = -1;
    for (int f = 0; f < TESS_FORMATS; f++) {
        if (!r->formats[f])
            continue;
        s->fd[f] = open_output(r, views[f].extension);
        if (s->fd[f] < 0)
            return false;
        s->of[n] = (enum tess_format)f;
        len += (size_t)snprintf(s->formats + len, sizeof(s->formats) - len, "%s%s", n++ ? "," : "",
                                view_name(r, (enum tess_format)f));
    }
    return true;
}

/* A file begins anew; standard output goes on. */
static bool begin_file(struct tess_streams *s, enum tess_format f)
{
    if (s->begun[f] || s->fd[f] == STDOUT_FILENO)
        return true;
    s->begun[f] = true;
    return !ftruncate(s->fd[f], 0) || errno == EINVAL; /* EINVAL: a pipe or a device */
}

static bool write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* platen parts the pages of a text by form feeds, which stand nowhere else in it. */
static bool write_text(int fd, const char *separator, const char *p, size_t n)
{
    for (const char *end; n; p = end) {
        end = memchr(p, '\f', n);
        const size_t k = end ? (size_t)(end - p) : n;
        if (!write_all(fd, p, k))
            return false;
        n -= k;
        end = p + k;
        if (n && !write_all(fd, separator, strlen(separator)))
            return false;
        if (n) {
            n--;
            end++;
        }
    }
    return true;
}

static platen_status fail_write(struct platen_error *err)
{
    err->code = PLATEN_ERR_IO;
    err->os_errno = errno;
    snprintf(err->text, sizeof(err->text), "unable to write the output: %s", strerror(errno));
    return PLATEN_ERR_IO;
}

platen_status tess_streams_write(void *ctx, size_t format, const void *data, size_t n,
                                 struct platen_error *err)
{
    struct tess_streams *s = ctx;
    const enum tess_format f = s->of[format];
    const bool ok =
        begin_file(s, f) && (f == TESS_TXT ? write_text(s->fd[f], s->request->separator, data, n)
                                           : write_all(s->fd[f], data, n));
    return ok ? PLATEN_OK : fail_write(err);
}

bool tess_streams_close(struct tess_streams *s, bool failed)
{
    bool ok = true;
    for (int f = 0; f < TESS_FORMATS; f++)
        if (s->fd[f] >= 0 && s->fd[f] != STDOUT_FILENO) {
            ok = (failed || begin_file(s, (enum tess_format)f)) && ok;
            ok = !close(s->fd[f]) && ok;
        }
    if (!ok)
        message("unable to write the output: %s", strerror(errno));
    return ok;
}

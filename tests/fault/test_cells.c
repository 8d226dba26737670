/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoders in cells: what one that crashes, hangs, takes all memory or is taken over can do. The
 * hook stands for it; which of these it is to be, a byte of a BMP's header tells that no decoder
 * reads. Each test is a process of its own. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/sandbox.h"
#include "base/seccomp.h"
#include "codec/cell.h"
#include "config.h"
#include "platen.h"
#include "tests/unit/suite.h"
#if PL_HAVE_PDF
#include "codec/pdf/qpdf_library.h"
#endif

#define PAGES 30
#define TIME_MS 10000 /* for what takes one millisecond, or for ever */

static char dir[] = "/tmp/platen-cells-XXXXXX";

/* Requests to cells, those that hung, and documents that were opened, counted by the cells in a
 * shared mapping. The request of that number crashes. */
static struct {
    int begun, hung, opened, crashes;
} * count;

static void put_bmp(int number, char mischief)
{
    /* 4 x 4 pixels of 24 bits, grey */
    uint8_t bmp[54 + 48] = {
        'B', 'M', 102, 0, 0, 0, (uint8_t)mischief, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 4,
        0,   0,   0,   1, 0, 24};
    char path[64];
    memset(bmp + 54, 0x80, 48);
    snprintf(path, sizeof(path), "%s/%02d.bmp", dir, number);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    ck_assert(fd >= 0 && write(fd, bmp, sizeof(bmp)) == (ssize_t)sizeof(bmp) && !close(fd));
}

static void setup(void)
{
    strcpy(dir + sizeof(dir) - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(count, MAP_FAILED);
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void take_all_memory(void)
{
    for (char *p; (p = malloc(16 << 20));)
        memset(p, 1, 16 << 20);
    abort();
}

/* Ends the cell where a call is done that should not be. */
static void refused(long r)
{
    if (r >= 0)
        abort();
}

static void *do_nothing(void *none)
{
    return none;
}

/* Threads can be made where there are decoders that need them, and nowhere else. */
static void check_threads(bool allowed)
{
    pthread_t t;
    if (!pthread_create(&t, NULL, do_nothing, NULL) != allowed ||
        (allowed && pthread_join(t, NULL)))
        abort();
}

static void try_to_escape(void)
{
    char path[64];
    snprintf(path, sizeof(path), "%s/escaped", dir);
    refused(open("/etc/passwd", O_RDONLY));
    refused(open(path, O_WRONLY | O_CREAT, 0666));
    refused(socket(AF_INET, SOCK_STREAM, 0));
    refused(fork());
    refused(execl("/bin/true", "true", NULL));
    refused(kill(getppid(), SIGKILL));
    refused(ftruncate(2, 1 << 20));
    refused(syscall(SYS_prlimit64, getppid(), 0, NULL, NULL));
    refused(syscall(SYS_ptrace, 0, 0, 0, 0));
    if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        abort();
}

/* Of a picture of 4 x 4 grey pixels that lies in a second mapping of 16 bytes; the first is true.
 */
static const struct {
    uint64_t at, step;
    bool bilevel;
} claims[] = {{0, 4, false},          {1, 4, false},
              {0, 5, false},          {0, 3, false},
              {17, 4, false},         {0, 0, false},
              {0, 0, true},           {UINT64_MAX, 4, false},
              {0, UINT64_MAX, false}, {UINT64_MAX - 15, 4, false}};

static void claim(int i)
{
    struct pl_cell_reply a = {.width = 4, .height = 4, .channels = 1, .in_room = true};
    a.at = claims[i].at;
    a.step = claims[i].step;
    a.bilevel = claims[i].bilevel;
    _exit(write(0, &a, sizeof(a)) != (ssize_t)sizeof(a));
}

static void misbehave(const uint8_t *data, size_t n)
{
    volatile int *nowhere = NULL;
    if (__atomic_add_fetch(&count->begun, 1, __ATOMIC_RELAXED) == count->crashes)
        *nowhere = 1;
    if (n < 7 || data[0] != 'B')
        return;
    switch (data[6]) {
    case 'c':
        *nowhere = 1;
        break;
    case 'h':
        __atomic_add_fetch(&count->hung, 1, __ATOMIC_RELAXED);
        for (char c;;)             /* of the channel, where nothing comes any more: for ever, */
            (void)!read(0, &c, 1); /* without taking time from others */
    case 'm':
        take_all_memory();
        break;
    case 'e':
    case 't':
        try_to_escape();
        check_threads(data[6] == 't');
        break;
    case 'x':
        _exit(0);
    default:
        if (data[6] >= 'A' && data[6] < 'A' + PL_ARRAY_LEN(claims))
            claim(data[6] - 'A');
    }
}

struct seen {
    int crashed, late, other;
};

static void on_failure(void *ctx, platen_status why, const char *message)
{
    struct seen *s = ctx;
    (void)why;
    if (strstr(message, "its decoder crashed"))
        s->crashed++;
    else if (strstr(message, "took too long"))
        s->late++;
    else
        s->other++;
    if (!strstr(message, ".bmp"))
        s->other++;
}

static void start_cells(int n)
{
    struct platen_error err = {0};
    const struct pl_cells_options o = {
        .n = n, .max_bytes = (uint64_t)96 << 20, .time_ms = TIME_MS, .before = misbehave};
    ck_assert_msg(!pl_cells_start(&o, pl_cell_helper, &err), "%s", err.text);
}

static struct platen_summary run_job(int threads, struct seen *seen)
{
    struct platen_options o;
    struct platen_pipeline *p;
    struct platen_job *job;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error err = {0};
    platen_options_init(&o, sizeof(o));
    o.threads = threads;
    o.formats = "json";
    o.ctx = seen;
    o.failure = on_failure;
    ck_assert(!platen_pipeline_parse("gray | lines", 12, PLATEN_FORM_TEXT, &p, NULL, &err));
    o.formats = "ndjson";
    ck_assert_msg(!platen_job_new(p, &o, &job, &err), "%s", err.text);
    ck_assert(!platen_job_add(job, dir, &err));
    ck_assert_msg(!platen_job_run(job, &sum, &err), "%s", err.text);
    platen_job_free(job);
    platen_pipeline_free(p);
    return sum;
}

/* Of all pages only those fail whose decoders do harm. */
static void check_mischief(int threads)
{
    struct seen seen = {0};
    const bool limited = pl_sandbox_built(); /* sanitizers take more addresses than any limit */
    for (int i = 0; i < PAGES; i++)
        put_bmp(i, i == 3 ? 'c' : i == 8 ? 'h' : i == 14 ? 'x' : i == 20 && limited ? 'm' : 0);
    start_cells(threads);
    struct platen_summary sum = run_job(threads, &seen);
    pl_cells_stop();
    ck_assert_int_eq(seen.other, 0);
    ck_assert_int_eq(seen.late, 1);
    ck_assert_int_eq(count->hung, 1); /* it costs one time limit */
    ck_assert_int_eq(seen.crashed, limited ? 3 : 2);
    ck_assert_uint_eq(sum.failed, (size_t)(seen.late + seen.crashed));
    ck_assert_uint_eq(sum.done, PAGES - sum.failed);
}

START_TEST(mischief_one_thread)
{
    check_mischief(1);
}
END_TEST

START_TEST(mischief_seven_threads)
{
    check_mischief(7);
}
END_TEST

/* Where a cell says that its pixels are, nothing else is read. */
START_TEST(places_of_pixels)
{
    struct seen seen = {0};
    put_bmp(0, 0); /* makes the second mapping */
    for (int i = 0; i < (int)PL_ARRAY_LEN(claims); i++)
        put_bmp(1 + i, (char)('A' + i));
    start_cells(1);
    struct platen_summary sum = run_job(1, &seen);
    pl_cells_stop();
    ck_assert_uint_eq(sum.done, 2);
    ck_assert_uint_eq(sum.failed, PL_ARRAY_LEN(claims) - 1);
    ck_assert_int_eq(seen.other, (int)PL_ARRAY_LEN(claims) - 1);
}
END_TEST

START_TEST(no_escape)
{
    struct seen seen = {0};
    if (!pl_sandbox_built() || !pl_seccomp_available())
        return;
    for (int threads = 0; threads < 2; threads++) {
        for (int i = 0; i < 4; i++)
            put_bmp(i, threads ? 't' : 'e');
        start_cells(2);
        ck_assert(!pl_cells_meet(threads ? PL_LIBRARIES_ALL : PL_LIBRARY_PDF, NULL));
        struct platen_summary sum = run_job(2, &seen);
        pl_cells_stop();
        ck_assert_uint_eq(sum.done, 4);
    }
}
END_TEST

struct loaded {
    platen_status status;
    struct platen_error err;
    struct pl_image im;
    struct pl_image_info info;
    struct pl_pages pages;
};

static struct loaded load(const struct pl_env *env, const struct pl_map *map, bool gray)
{
    struct loaded l = {0};
    const struct pl_load_options opt = {.gray = gray, .max_pixels = 1 << 26};
    l.status = pl_image_load(env, map->data, map->size, &opt, &l.im, &l.err);
    if (pl_image_probe(map->data, map->size, NULL, &l.info, NULL))
        l.info = (struct pl_image_info){.format = "none"};
    if (pl_image_pages(map->data, map->size, &l.pages, NULL))
        l.pages.n = -1;
    return l;
}

static void compare(const char *path, const struct loaded *a, const struct loaded *b)
{
    ck_assert_msg(a->status == b->status, "%s: %s, %s", path, a->err.text, b->err.text);
    ck_assert_str_eq(a->err.text, b->err.text);
    ck_assert_str_eq(a->info.format, b->info.format);
    ck_assert_int_eq(a->info.width, b->info.width);
    ck_assert_int_eq(a->info.height, b->info.height);
    ck_assert_int_eq(a->info.channels, b->info.channels);
    ck_assert_int_eq(a->pages.n, b->pages.n);
    ck_assert(!a->pages.at == !b->pages.at);
    ck_assert(!a->pages.at || !memcmp(a->pages.at, b->pages.at, 8 * (size_t)a->pages.n));
    ck_assert(a->im.width == b->im.width && a->im.height == b->im.height);
    ck_assert(a->im.format == b->im.format && a->im.bilevel == b->im.bilevel);
    ck_assert(a->im.dpi_x == b->im.dpi_x && a->im.dpi_y == b->im.dpi_y);
    for (int y = 0; y < a->im.height; y++)
        ck_assert_msg(!memcmp(pl_image_row(&a->im, y), pl_image_row(&b->im, y),
                              (size_t)a->im.width * (size_t)a->im.format),
                      "%s: row %d", path, y);
}

/* What is read, and what is said of what cannot be, is the same. */
START_TEST(same_pictures)
{
    static const char *const files[] = {
        "samples/pages/fax.png",  "samples/pages/letter.png", "samples/pages/photo.jpg",
        "tests/fuzz/corpus/tiff", "tests/fuzz/corpus/webp",   "tests/fuzz/corpus/jp2",
        "tests/fuzz/corpus/jpeg", "tests/fuzz/corpus/image",  "tests/fuzz/corpus/png",
        "tests/data/heif",
    };
    enum { MOST = 400 };
    static struct loaded want[MOST];
    static char paths[MOST][256];
    struct pl_kernels kernels;
    struct pl_map map;
    size_t n = 0;
    pl_kernels_init(&kernels, pl_isa_best());
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    for (size_t i = 0; i < PL_ARRAY_LEN(files); i++) {
        char command[512];
        snprintf(command, sizeof(command), "find '%s/%s' -type f 2>/dev/null | sort", PL_TEST_ROOT,
                 files[i]);
        FILE *f = popen(command, "r");
        while (n < MOST && fgets(paths[n], sizeof(paths[n]), f)) {
            paths[n][strcspn(paths[n], "\n")] = '\0';
            if (pl_map_open(paths[n], 1 << 30, &map, NULL))
                continue;
            want[n] = load(&env, &map, n & 1);
            pl_map_close(&map);
            n++;
        }
        pclose(f);
    }
    ck_assert_uint_gt(n, 20);
    start_cells(1);
    for (size_t i = 0; i < n; i++) {
        ck_assert(!pl_map_open(paths[i], 1 << 30, &map, NULL));
        struct loaded got = load(&env, &map, i & 1);
        compare(paths[i], &want[i], &got);
        pl_image_done(&got.im);
        pl_pages_done(&got.pages);
        pl_pages_done(&want[i].pages);
        pl_image_done(&want[i].im);
        pl_map_close(&map);
    }
    pl_cells_stop();
    pl_bufpool_free(env.bufs);
}
END_TEST

/* The headers that are read without a library need no cell of their own. */
START_TEST(one_cell_for_a_picture)
{
    static const char *const files[] = {
        "samples/pages/photo.jpg",
        "samples/pages/letter.png",
#if PL_HAVE_TIFF
        "tests/fuzz/corpus/tiff/1-group4.tif",
#endif
    };
    struct pl_kernels kernels;
    struct pl_map map;
    pl_kernels_init(&kernels, pl_isa_best());
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    start_cells(1);
    for (size_t i = 0; i < PL_ARRAY_LEN(files); i++) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", PL_TEST_ROOT, files[i]);
        count->begun = 0;
        ck_assert(!pl_map_open(path, 1 << 30, &map, NULL));
        struct loaded l = load(&env, &map, false);
        ck_assert_msg(count->begun <= 1, "%s: %d cells", path, count->begun);
        ck_assert_int_ge(l.pages.n, 1);
        pl_image_done(&l.im);
        pl_pages_done(&l.pages);
        pl_map_close(&map);
    }
    pl_cells_stop();
    pl_bufpool_free(env.bufs);
}
END_TEST

/* Sets how many descriptors this process may have, and the processes that it forks. */
static void limit_descriptors(rlim_t n)
{
    struct rlimit l;
    ck_assert(!getrlimit(RLIMIT_NOFILE, &l));
    l.rlim_cur = n;
    ck_assert(!setrlimit(RLIMIT_NOFILE, &l));
}

/* Where no descriptor is left the page fails with that reason, be it here, in the helper or in the
 * cell: mappings and the helper's channel take four, those of a cell some more. */
START_TEST(missing_descriptors_are_told)
{
    struct pl_kernels kernels;
    struct rlimit before;
    struct pl_map map;
    char path[64];
    int told = 0;
    pl_kernels_init(&kernels, pl_isa_best());
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    const struct pl_load_options opt = {.max_pixels = 100};
    put_bmp(0, 0);
    snprintf(path, sizeof(path), "%s/00.bmp", dir);
    ck_assert(!pl_map_open(path, 1000, &map, NULL));
    ck_assert(!getrlimit(RLIMIT_NOFILE, &before));
    const int first = dup(0); /* the next one that is free */
    close(first);
    for (int more = 0; more < 16; more++) {
        const bool here = more & 1; /* or in the processes that are forked */
        struct platen_error err = {0};
        struct pl_image im = {0};
        if (!here)
            limit_descriptors((rlim_t)(first + 4 + more / 2));
        start_cells(1);
        limit_descriptors(here ? (rlim_t)(first + 3 + more / 2) : before.rlim_cur);
        platen_status s = pl_image_load(&env, map.data, map.size, &opt, &im, &err);
        limit_descriptors(before.rlim_cur);
        if (s) {
            ck_assert_str_eq(err.text, "unable to begin a decoder: Too many open files");
            told |= here ? 1 : more ? 4 : 2;
        }
        pl_image_done(&im);
        pl_cells_stop();
    }
    ck_assert_int_eq(told, 7);
    pl_map_close(&map);
    pl_bufpool_free(env.bufs);
}
END_TEST

#if PL_HAVE_PDF

static __typeof__(&qpdf_read_memory) read_memory;

static QPDF_ERROR_CODE count_and_read(qpdf_data pdf, const char *name, const char *data,
                                      unsigned long long n, const char *password)
{
    __atomic_add_fetch(&count->opened, 1, __ATOMIC_RELAXED);
    return read_memory(pdf, name, data, n, password);
}

#define PDF_PAGES 5
#define PDF_ROOM 16384

/* A document whose pages are scans of 2 x 2 pixels, page i of grey i, in hexadecimal digits; or,
 * with `fax`, each white in fax data in such digits, which are undone by an object more. */
static size_t put_pdf(char *to, size_t room, bool fax)
{
    int at[3 * PDF_PAGES + 3], n_objects = 0;
    /* a line of blanks makes the file longer than a page of memory */
    size_t n = (size_t)snprintf(to, room, "%%PDF-1.4\n%%%8192s\n", "");
#define OBJECT(...)                                                                                \
    do {                                                                                           \
        at[++n_objects] = (int)n;                                                                  \
        n += (size_t)snprintf(to + n, room - n, "%d 0 obj ", n_objects);                           \
        n += (size_t)snprintf(to + n, room - n, __VA_ARGS__);                                      \
        n += (size_t)snprintf(to + n, room - n, " endobj\n");                                      \
    } while (0)
    OBJECT("<</Type/Catalog/Pages 2 0 R>>");
    OBJECT("<</Type/Pages/Count %d/Kids[3 0 R 6 0 R 9 0 R 12 0 R 15 0 R]/MediaBox[0 0 72 72]>>",
           PDF_PAGES);
    for (int i = 0; i < PDF_PAGES; i++) {
        const char content[] = "72 0 0 72 0 0 cm /I Do";
        const char white[] = "c0060040>"; /* two codes for a row as the one above, and the end */
        char rows[16];
        OBJECT("<</Type/Page/Parent 2 0 R/Contents %d 0 R/Resources<</XObject<</I %d 0 R>>>>>>",
               n_objects + 1, n_objects + 2);
        OBJECT("<</Length %zu>>stream\n%s\nendstream", sizeof(content) - 1, content);
        snprintf(rows, sizeof(rows), "%02x%02x%02x%02x>", i + 1, i + 1, i + 1, i + 1);
        OBJECT("<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray%s/Length "
               "%zu>>stream\n%s\nendstream",
               fax ? "/BitsPerComponent 1/Filter[/ASCIIHexDecode/CCITTFaxDecode]"
                     "/DecodeParms[null<</K -1/Columns 2/Rows 2>>]"
                   : "/BitsPerComponent 8/Filter/ASCIIHexDecode",
               strlen(fax ? white : rows), fax ? white : rows);
    }
#undef OBJECT
    const size_t table = n;
    n += (size_t)snprintf(to + n, room - n, "xref\n0 %d\n0000000000 65535 f \n", n_objects + 1);
    for (int i = 1; i <= n_objects; i++)
        n += (size_t)snprintf(to + n, room - n, "%010d 00000 n \n", at[i]);
    n += (size_t)snprintf(to + n, room - n,
                          "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF\n",
                          n_objects + 1, table);
    ck_assert_uint_lt(n, room);
    return n;
}

/* Page i of the document, by a probe and a decoder, as a run has them. */
static void read_pdf_page(const struct pl_env *env, const uint8_t *data, size_t n,
                          const struct pl_pages *pages, int i, int gray)
{
    struct platen_error err = {0};
    struct pl_image_info info;
    struct pl_image im;
    struct pl_load_options opt = {.max_pixels = 1 << 20, .page = i + 1, .page_at = pages->at[i]};
    ck_assert_msg(!pl_image_probe(data, n, &opt, &info, &err), "page %d: %s", i, err.text);
    ck_assert_int_eq(info.width, 2);
    opt.probed_pixels = 4;
    ck_assert_msg(!pl_image_load(env, data, n, &opt, &im, &err), "page %d: %s", i, err.text);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            ck_assert_int_eq(pl_image_row(&im, y)[x], gray);
    pl_image_done(&im);
}

struct pdf_run {
    bool fax;     /* as put_pdf() has it */
    bool bent;    /* the table of objects is damaged, which is mended at the opening */
    bool unended; /* an object that each page has, which is mended when it is read */
    int times;    /* that all pages are read, every second time from the end */
    int crashes;  /* the request of this number */
    bool changes; /* before its third page */
    int want_opened;
};

static int run_pdf(const struct pdf_run *run)
{
    static char pdf[PDF_ROOM];
    struct platen_error err = {0};
    struct pl_kernels kernels;
    struct pl_pages pages;
    const size_t n = put_pdf(pdf, sizeof(pdf), run->fax);
    const uint8_t *data = (const uint8_t *)pdf;
    pl_kernels_init(&kernels, pl_isa_best());
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    if (run->bent)
        pdf[n - 10] = 'x';
    for (char *at = pdf; run->unended && (at = strstr(at, "cm /I Do\nendstream"));)
        memcpy(at + 9, "endstraem", 9);
    *count = (__typeof__(*count)){.crashes = run->crashes};
    ck_assert_msg(!pl_image_pages(data, n, &pages, &err), "%s", err.text);
    ck_assert_int_eq(pages.n, PDF_PAGES);
    for (int k = 0; k < run->times * PDF_PAGES; k++) {
        const int i = k % PDF_PAGES;
        if (run->changes && i == 2)
            strstr(pdf, "endobj")[6] = ' ';
        const int page = k / PDF_PAGES % 2 ? PDF_PAGES - 1 - i : i;
        read_pdf_page(&env, data, n, &pages, page, run->fax ? 255 : page + 1);
    }
    pl_pages_done(&pages);
    pl_bufpool_free(env.bufs);
    return count->opened;
}

/* Once for its pages and once to count them; but what one page did to the document never decides
 * what another one is. */
START_TEST(one_opening_for_a_document)
{
    const struct pdf_run all[] = {
        {.times = 1, .want_opened = 2},
        {.times = 26, .want_opened = 1 + 3}, /* 260 requests, a cell has 128 */
        {.times = 1, .crashes = 6, .want_opened = 3},
        {.times = 1, .changes = true, .want_opened = 3},
        {.bent = true, .times = 1, .want_opened = 2},
        {.unended = true, .times = 1, .want_opened = 1 + 2 * PDF_PAGES},
        {.fax = true, .times = 1, .want_opened = 1 + PDF_PAGES},
    };
    struct platen_error err = {0};
    ck_assert_msg(!pl_qpdf_load(&err), "%s", err.text);
    read_memory = pl_qpdf.read_memory;
    pl_qpdf.read_memory = count_and_read;
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        start_cells(2);
        ck_assert_msg(run_pdf(&all[i]) == all[i].want_opened, "%zu: %d times", i, count->opened);
        pl_cells_stop();
    }
}
END_TEST

#define SETTLED_S 4 /* seconds behind which a change of a file cannot be taken for another */

/* Maps the document, and takes the right to read it from its second page of memory on where nobody
 * is to compare it. */
static void map_pdf(const char *path, bool compared, struct pl_map *ret)
{
    struct platen_error err = {0};
    ck_assert_msg(!pl_map_open(path, 1 << 30, ret, &err), "%s", err.text);
    ck_assert_int_eq(ret->kind, PL_MAP_MAPPED);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!compared && ret->size > page)
        ck_assert(!mprotect((char *)(uintptr_t)ret->data + page, ret->size - page, PROT_NONE));
}

/* Of a file that lies there for a while, times and length tell whether a cell has it; of one that
 * may have changed since without a trace, its bytes do. */
START_TEST(a_file_is_told_by_its_times)
{
    static char pdf[PDF_ROOM];
    char path[64];
    struct platen_error err = {0};
    struct pl_kernels kernels;
    struct pl_pages pages;
    struct pl_map map;
    struct pl_file_version version;
    const size_t n = put_pdf(pdf, PDF_ROOM, false);
    snprintf(path, sizeof(path), "%s/all.pdf", dir);
    const int fd = open(path, O_RDWR | O_CREAT, 0666);
    ck_assert(fd >= 0 && write(fd, pdf, n) == (ssize_t)n);
    sleep(SETTLED_S);
    pl_kernels_init(&kernels, pl_isa_best());
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new()};
    start_cells(1);
    map_pdf(path, true, &map);
    ck_assert(pl_map_version(map.data, map.size, &version));
    ck_assert(!pl_map_version(map.data + 1, map.size - 1, &version));
    ck_assert_msg(!pl_image_pages(map.data, map.size, &pages, &err), "%s", err.text);
    read_pdf_page(&env, map.data, map.size, &pages, 0, 1);
    pl_map_close(&map);
    map_pdf(path, false, &map);
    read_pdf_page(&env, map.data, map.size, &pages, 1, 2);
    pl_map_close(&map);
    /* another page of the same length, in the same file */
    char *const page = strstr(pdf, "03030303");
    ck_assert(page && pwrite(fd, "09090909", 8, page - pdf) == 8);
    sleep(SETTLED_S);
    map_pdf(path, true, &map);
    read_pdf_page(&env, map.data, map.size, &pages, 2, 9);
    pl_map_close(&map);
    /* a time to come tells nothing */
    const struct timespec late[2] = {{.tv_sec = time(NULL) + 1000}, {.tv_sec = time(NULL) + 1000}};
    ck_assert(!futimens(fd, late));
    sleep(SETTLED_S);
    map_pdf(path, true, &map);
    ck_assert(!pl_map_version(map.data, map.size, &version));
    read_pdf_page(&env, map.data, map.size, &pages, 0, 1);
    pl_map_close(&map);
    close(fd);
    pl_pages_done(&pages);
    pl_cells_stop();
    pl_bufpool_free(env.bufs);
}
END_TEST

#endif

int main(void)
{
    Suite *s = suite_create("cells");
    TCase *t = tcase_create("cells");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 240);
    tcase_add_test(t, mischief_one_thread);
    tcase_add_test(t, mischief_seven_threads);
    tcase_add_test(t, places_of_pixels);
    tcase_add_test(t, no_escape);
    tcase_add_test(t, same_pictures);
    tcase_add_test(t, one_cell_for_a_picture);
    tcase_add_test(t, missing_descriptors_are_told);
#if PL_HAVE_PDF
    tcase_add_test(t, one_opening_for_a_document);
    tcase_add_test(t, a_file_is_told_by_its_times);
#endif
    suite_add_tcase(s, t);
    return run_suite(s);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/request.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define MAX_PSM 13
#define MAX_OEM 3

/* ---- values ---- */

static bool read_number(const char *text, long most, long *ret)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || v > most)
        return false;
    *ret = v;
    return true;
}

/* As tesseract reads them: what begins with T, t, Y, y or another digit than 0 is true. */
static bool is_true(const char *value)
{
    return *value && strchr("TtYy123456789", *value);
}

static bool set_psm(struct tess_request *r, const char *value)
{
    long psm;
    if (!read_number(value, MAX_PSM, &psm)) {
        message("page segmentation mode must be a number from 0 to %d, not '%s'", MAX_PSM, value);
        return false;
    }
    r->psm = (int)psm;
    return true;
}

static bool set_dpi(struct tess_request *r, const char *value)
{
    long dpi;
    if (!read_number(value, PLATEN_MAX_DPI, &dpi)) {
        message("resolution must be a number from 0 to %d, not '%s'", PLATEN_MAX_DPI, value);
        return false;
    }
    r->dpi = (double)dpi;
    return true;
}

/* tesseract counts pages from 0, and -1 is all of them. */
static bool set_page(struct tess_request *r, const char *value)
{
    long page = -1;
    if (strcmp(value, "-1") && !read_number(value, INT_MAX - 1, &page)) {
        message("page must be a number from 0, or -1, not '%s'", value);
        return false;
    }
    r->page = (int)page + 1;
    return true;
}

/* ---- settings ---- */

enum setting_kind {
    SETTING_FORMAT,
    SETTING_FLAG, /* a bool of the request */
    SETTING_TEXT, /* a string of it */
    SETTING_PSM,
    SETTING_DPI,
    SETTING_PAGE,
    SETTING_LOG,
    SETTING_MOOT,    /* platen does by itself what they are about */
    SETTING_MISSING, /* a file that platen does not write */
};

#define AT(member) offsetof(struct tess_request, member)

static const struct setting {
    const char *name;
    enum setting_kind kind;
    size_t at; /* format, or offset in the request */
} settings[] = {
    {"tessedit_create_hocr", SETTING_FORMAT, TESS_HOCR},
    {"tessedit_create_alto", SETTING_FORMAT, TESS_ALTO},
    {"tessedit_create_page_xml", SETTING_FORMAT, TESS_PAGE},
    {"tessedit_create_tsv", SETTING_FORMAT, TESS_TSV},
    {"tessedit_create_pdf", SETTING_FORMAT, TESS_PDF},
    {"tessedit_create_boxfile", SETTING_FORMAT, TESS_BOX},
    {"tessedit_create_txt", SETTING_FORMAT, TESS_TXT},
    {"textonly_pdf", SETTING_FLAG, AT(text_only)},
    {"preserve_interword_spaces", SETTING_FLAG, AT(spaces)},
    {"page_separator", SETTING_TEXT, AT(separator)},
    {"tessedit_char_whitelist", SETTING_TEXT, AT(whitelist)},
    {"tessedit_char_blacklist", SETTING_TEXT, AT(blacklist)},
    {"user_words_file", SETTING_TEXT, AT(words)},
    {"tessedit_pageseg_mode", SETTING_PSM, 0},
    {"user_defined_dpi", SETTING_DPI, 0},
    {"tessedit_page_number", SETTING_PAGE, 0},
    {"debug_file", SETTING_LOG, 0},
    {"thresholding_method", SETTING_MOOT, 0},
    {"tessedit_do_invert", SETTING_MOOT, 0},
    {"tessedit_ocr_engine_mode", SETTING_MOOT, 0},
    {"load_system_dawg", SETTING_MOOT, 0},
    {"load_freq_dawg", SETTING_MOOT, 0},
    {"tessedit_create_lstmbox", SETTING_MISSING, 0},
    {"tessedit_create_wordstrbox", SETTING_MISSING, 0},
    {"tessedit_write_unlv", SETTING_MISSING, 0},
    {"tessedit_resegment_from_boxes", SETTING_MISSING, 0},
    {"tessedit_resegment_from_line_boxes", SETTING_MISSING, 0},
    {"tessedit_train_from_boxes", SETTING_MISSING, 0},
    {"tessedit_train_line_recognizer", SETTING_MISSING, 0},
};

#define N_SETTINGS (sizeof(settings) / sizeof(*settings))

const char *tess_setting_name(size_t i)
{
    return i < N_SETTINGS && settings[i].kind < SETTING_MOOT ? settings[i].name : NULL;
}

/* Whether `text` begins with the name, up to n bytes. */
static const struct setting *find_setting(const char *text, size_t n)
{
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (strlen(settings[i].name) == n && !memcmp(settings[i].name, text, n))
            return &settings[i];
    return NULL;
}

static bool apply_setting(struct tess_request *r, const struct setting *s, const char *value)
{
    void *at = (char *)r + s->at;
    switch (s->kind) {
    case SETTING_FORMAT:
        r->formats[s->at] = is_true(value);
        return true;
    case SETTING_FLAG:
        *(bool *)at = is_true(value);
        return true;
    case SETTING_TEXT:
        *(const char **)at = value;
        return true;
    case SETTING_PSM:
        return set_psm(r, value);
    case SETTING_DPI:
        return set_dpi(r, value);
    case SETTING_PAGE:
        return set_page(r, value);
    case SETTING_LOG:
        r->quiet = !strcmp(value, "/dev/null");
        return true;
    case SETTING_MOOT:
        break;
    case SETTING_MISSING:
        if (is_true(value))
            message("platen does not write what %s asks for", s->name);
        return !is_true(value);
    }
    return true;
}

static bool is_between(char c, char first, char last)
{
    return c >= first && c <= last;
}

/* Whether tesseract may have a setting of this name: it has hundreds, and all look like this one,
 * suspect_constrain_1Il. */
static bool is_plausible(const char *name, size_t n)
{
    bool good = n && is_between(*name, 'a', 'z');
    for (size_t i = 1; i < n; i++)
        good = good && (is_between(name[i], 'a', 'z') || is_between(name[i], 'A', 'Z') ||
                        is_between(name[i], '0', '9') || name[i] == '_');
    return good;
}

/* The name is text[0..n). One that is not known is noted, as long as there is room for it. Of one
 * that tesseract cannot know its words are said, by which callers see that a file is no
 * configuration. */
static bool set(struct tess_request *r, const char *text, size_t n, const char *value)
{
    const struct setting *s = find_setting(text, n);
    if (s)
        return apply_setting(r, s, value);
    if (!is_plausible(text, n)) {
        message("Parameter not found: %.*s", (int)(n < 100 ? n : 100), text);
        return true;
    }
    if (r->n_idle < TESS_MAX_IDLE)
        r->idle[r->n_idle++] = text;
    return true;
}

static bool set_pair(struct tess_request *r, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        message("-c takes a setting as name=value, not '%s'", text);
        return false;
    }
    return set(r, text, (size_t)(equals - text), equals + 1);
}

/* ---- configurations ---- */

static const struct {
    const char *name;
    const char *pairs[3];
} configurations[] = {
    {"hocr", {"tessedit_create_hocr=1"}},
    {"alto", {"tessedit_create_alto=1"}},
    {"page", {"tessedit_create_page_xml=1"}},
    {"tsv", {"tessedit_create_tsv=1"}},
    {"pdf", {"tessedit_create_pdf=1"}},
    {"txt", {"tessedit_create_txt=1"}},
    {"box", {"tessedit_create_boxfile=1"}},
    {"makebox", {"tessedit_create_boxfile=1"}},
    {"osd", {"tessedit_pageseg_mode=0"}},
    {"quiet", {"debug_file=/dev/null"}},
    {"digits", {"tessedit_char_whitelist=0123456789-."}},
    {"batch.nochop", {NULL}},
    {"get.images", {"tessedit_write_images=1"}},
    {"lstmbox", {"tessedit_create_lstmbox=1"}},
    {"wordstrbox", {"tessedit_create_wordstrbox=1"}},
    {"unlv", {"tessedit_write_unlv=1"}},
    {"linebox", {"tessedit_resegment_from_line_boxes=1"}},
    {"rebox", {"tessedit_resegment_from_boxes=1"}},
    {"box.train", {"tessedit_train_from_boxes=1"}},
    {"box.train.stderr", {"tessedit_train_from_boxes=1"}},
    {"lstm.train", {"tessedit_train_line_recognizer=1"}},
};

/* One line of a file, "name value", of n bytes without its end; it is changed. */
static bool set_line(struct tess_request *r, char *line)
{
    line += strspn(line, " \t");
    const size_t n = strcspn(line, " \t");
    char *value = line + n + strspn(line + n, " \t");
    value[strcspn(value, "\r")] = 0;
    if (!n || *line == '#')
        return true;
    if (line[n])
        line[n] = 0;
    return set(r, line, n, value);
}

/* The file stays in r->config, where the settings point to. */
static bool read_configuration(struct tess_request *r, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = r->config + r->config_bytes;
    const size_t room = sizeof(r->config) - r->config_bytes - 1;
    if (!f) {
        message("read_params_file: Can't open %s", path);
        return true; /* tesseract goes on */
    }
    const size_t n = fread(text, 1, room, f);
    const bool whole = !ferror(f) && n < room && !memchr(text, 0, n);
    fclose(f);
    if (!whole) {
        message("read_params_file: Can't read %s", path);
        return false;
    }
    text[n] = 0;
    r->config_bytes += n + 1;
    for (char *line = text + utf8_mark(text), *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        if (!set_line(r, line))
            return false;
    }
    return true;
}

static bool configure(struct tess_request *r, const char *name)
{
    for (size_t i = 0; i < sizeof(configurations) / sizeof(*configurations); i++) {
        if (strcmp(configurations[i].name, name))
            continue;
        for (const char *const *pair = configurations[i].pairs; *pair; pair++)
            if (!set_pair(r, *pair))
                return false;
        return true;
    }
    return read_configuration(r, name);
}

/* ---- the line ---- */

/* Levels of tesseract at which it says only what fails. */
static bool set_log_level(struct tess_request *r, const char *value)
{
    static const char *const levels[] = {"ALL",  "TRACE", "DEBUG", "INFO",
                                         "WARN", "ERROR", "FATAL", "OFF"};
    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
        if (!strcmp(levels[i], value)) {
            r->quiet = i > 4;
            return true;
        }
    message("unsupported --loglevel %s", value);
    return false;
}

static bool check_oem(const char *value)
{
    long mode;
    if (read_number(value, MAX_OEM, &mode))
        return true;
    message("OCR engine mode must be a number from 0 to %d, not '%s'", MAX_OEM, value);
    return false;
}

static bool set_option(struct tess_request *r, const char *name, const char *value)
{
    if (!strcmp(name, "-l"))
        r->languages = value;
    else if (!strcmp(name, "-c"))
        return set_pair(r, value);
    else if (!strcmp(name, "--psm") || !strcmp(name, "-psm"))
        return set_psm(r, value);
    else if (!strcmp(name, "--oem"))
        return check_oem(value);
    else if (!strcmp(name, "--dpi"))
        return set_dpi(r, value);
    else if (!strcmp(name, "--loglevel"))
        return set_log_level(r, value);
    else if (!strcmp(name, "--user-words"))
        r->words = value;
    else if (!strcmp(name, "--user-patterns"))
        return set(r, "user_patterns_file", strlen("user_patterns_file"), value);
    return true; /* --tessdata-dir: models are found by themselves */
}

static bool takes_value(const char *word)
{
    static const char *const names[] = {
        "-l",         "-c",           "--psm",           "-psm",          "--oem", "--dpi",
        "--loglevel", "--user-words", "--user-patterns", "--tessdata-dir"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(names[i], word))
            return true;
    return false;
}

static bool set_task(struct tess_request *r, const char *word)
{
    static const struct {
        const char *word;
        enum tess_task task;
    } tasks[] = {
        {"-h", TESS_HELP},
        {"--help", TESS_HELP},
        {"--help-extra", TESS_HELP},
        {"--help-psm", TESS_HELP},
        {"--help-oem", TESS_HELP},
        {"-v", TESS_VERSION},
        {"--version", TESS_VERSION},
        {"--list-langs", TESS_LANGUAGES},
        {"--print-parameters", TESS_SETTINGS},
    };
    for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
        if (!strcmp(tasks[i].word, word)) {
            r->task = tasks[i].task;
            return true;
        }
    message("unknown command line argument '%s'", word);
    return false;
}

static const char *stream_name(const char *word, const char *name)
{
    return strcmp(word, name) ? word : "-";
}

/* A word that is no option: the picture, the output, and then settings or configurations. */
static bool take_operand(struct tess_request *r, const char *word)
{
    if (!r->image)
        r->image = stream_name(word, "stdin");
    else if (!r->base)
        r->base = stream_name(word, "stdout");
    else if (strchr(word, '='))
        return set_pair(r, word);
    else
        return configure(r, word);
    return true;
}

static bool take_word(struct tess_request *r, int argc, char *const *argv, int *i)
{
    const char *word = argv[*i];
    if (takes_value(word)) {
        if (*i + 1 < argc)
            return set_option(r, word, argv[++*i]);
        message("%s needs a value", word);
        return false;
    }
    return word[0] == '-' && word[1] ? set_task(r, word) : take_operand(r, word);
}

bool tess_request_parse(struct tess_request *r, int argc, char *const *argv)
{
    bool any = false;
    *r = (struct tess_request){.psm = 3, .separator = "\f"};
    for (int i = 1; i < argc; i++)
        if (!take_word(r, argc, argv, &i))
            return false;
    if (argc < 2)
        r->task = TESS_HELP;
    if (r->task == TESS_READ && !r->base) {
        message("%s is missing; see --help", r->image ? "the name of the output" : "a picture");
        return false;
    }
    for (int f = 0; f < TESS_FORMATS; f++)
        any = any || r->formats[f];
    r->formats[TESS_TXT] = r->formats[TESS_TXT] || !any;
    return true;
}

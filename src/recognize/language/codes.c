/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/codes.h"

#include <stdbool.h>
#include <string.h>

#include "base/attr.h"

/* The tag, which is the code of ISO 639-1, and those of ISO 639-2 and 639-3. */
static const struct {
    char tag[3];
    const char *codes;
} languages[] = {
    {"af", "afr"},     {"az", "aze"},
    {"be", "bel"},     {"bg", "bul"},
    {"br", "bre"},     {"ca", "cat"},
    {"cs", "ces cze"}, {"cy", "cym wel"},
    {"da", "dan"},     {"de", "deu ger"},
    {"el", "ell gre"}, {"en", "eng"},
    {"eo", "epo"},     {"es", "spa"},
    {"et", "est"},     {"eu", "eus baq"},
    {"fi", "fin"},     {"fo", "fao"},
    {"fr", "fra fre"}, {"fy", "fry"},
    {"ga", "gle"},     {"gd", "gla"},
    {"gl", "glg"},     {"hr", "hrv"},
    {"ht", "hat"},     {"hu", "hun"},
    {"id", "ind"},     {"is", "isl ice"},
    {"it", "ita"},     {"ku", "kur kmr"},
    {"la", "lat"},     {"lb", "ltz"},
    {"lt", "lit"},     {"lv", "lav"},
    {"mk", "mkd mac"}, {"mt", "mlt"},
    {"nl", "nld dut"}, {"no", "nor nob nno nb nn"},
    {"oc", "oci"},     {"pl", "pol"},
    {"pt", "por"},     {"ro", "ron rum"},
    {"ru", "rus"},     {"sk", "slk slo"},
    {"sl", "slv"},     {"sq", "sqi alb"},
    {"sr", "srp"},     {"sv", "swe"},
    {"sw", "swa swh"}, {"tl", "tgl fil"},
    {"tr", "tur"},     {"uk", "ukr"},
    {"vi", "vie"},
};

/* Returns whether the code is one of a list. */
static bool is_among(const char *list, const char *code, size_t n)
{
    for (const char *p = list; *p; p += *p == ' ') {
        const size_t length = strcspn(p, " ");
        if (length == n && !memcmp(p, code, n))
            return true;
        p += length;
    }
    return false;
}

const char *pl_language_of_code(const char *code, size_t n)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(languages); i++)
        if (is_among(languages[i].tag, code, n) || is_among(languages[i].codes, code, n))
            return languages[i].tag;
    return NULL;
}

enum pl_script pl_script_of_language(const char *tag)
{
    static const char cyrillic[] = "be bg mk ru sr uk", greek[] = "el";
    const size_t n = strlen(tag);
    return is_among(cyrillic, tag, n) ? PL_SCRIPT_CYRILLIC
           : is_among(greek, tag, n)  ? PL_SCRIPT_GREEK
                                      : PL_SCRIPT_LATIN;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Growable strings, UTF-8, and numbers that do not depend on the locale. */
#ifndef PL_BASE_TEXT_H
#define PL_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* Always NUL-terminated once anything was added. The first failed allocation sets `failed`; what is
 * added later is dropped, so callers check once at the end. Zero-initialise. */
struct pl_str {
    char *s;
    size_t len, cap;
    bool failed;
};

void pl_str_add(struct pl_str *b, const char *s, size_t n);
/* Where n bytes can be written before `len` is raised by as many; NULL when memory is short. */
PL_MUST_USE char *pl_str_room(struct pl_str *b, size_t n);
void pl_str_puts(struct pl_str *b, const char *s);
void pl_str_putc(struct pl_str *b, char c);
void pl_str_printf(struct pl_str *b, const char *fmt, ...) PL_PRINTF(2, 3);
/* s[0..n) as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void pl_str_json(struct pl_str *b, const char *s, size_t n);
/* s[0..n) as character data or an attribute of XML 1.0: markup characters escaped, line ends and
 * tabs as character references; what XML cannot hold (control characters, bytes that are not UTF-8,
 * U+FFFE, U+FFFF) becomes U+FFFD. */
void pl_str_xml(struct pl_str *b, const char *s, size_t n);

/* ---- names of files: any bytes but zero ----
 *
 * In every text that platen writes a name stands as it is where it is UTF-8. Any other byte is
 * written as a backslash, 'x' and two lower-case hexadecimal digits, and a backslash that such a
 * sequence could be taken for, that is one before 'x' and two hexadecimal digits, as "\x5c": names
 * that differ stay different, and pl_name_restore() gives the bytes back. */

enum pl_name_form {
    PL_NAME_PLAIN,   /* no more than that */
    PL_NAME_SHOWN,   /* for people: control characters and marks of direction are escaped, too */
    PL_NAME_XML,     /* what XML cannot hold is escaped, too */
    PL_NAME_MESSAGE, /* a text that may hold names as above: as SHOWN, but backslashes stay */
};

#define PL_NAME_PIECE 17

/* The next character of the name s[0..n), n > 0, as it is written, ended by NUL; returns its bytes
 * in s. */
size_t pl_name_piece(const char *s, size_t n, enum pl_name_form form, char ret[PL_NAME_PIECE]);
void pl_str_name(struct pl_str *b, const char *s, size_t n, enum pl_name_form form);
/* As pl_str_json() and pl_str_xml(), of a name. */
void pl_str_json_name(struct pl_str *b, const char *s, size_t n);
void pl_str_xml_name(struct pl_str *b, const char *s, size_t n);
/* Turns what is escaped in s back into bytes, in place; returns their number. Zero bytes are none
 * of a name: "\x00" stays. */
size_t pl_name_restore(char *s);

/* x with at most `digits` decimals, trailing zeros dropped, '.' in every locale; digits <= 9. */
void pl_str_number(struct pl_str *b, double x, int digits);
void pl_str_reset(struct pl_str *b);
void pl_str_done(struct pl_str *b);

/* Reads one scalar value from s[0..n), n > 0; returns its bytes, or 0 when s does not start with
 * well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF). */
size_t pl_utf8_get(const char *s, size_t n, uint32_t *ret);
/* Writes a scalar value as UTF-8, at most 4 bytes without NUL; returns their number. */
size_t pl_utf8_put(char *p, uint32_t c);
/* The small letter of a capital of Latin, Greek or Cyrillic script, as modern languages have them;
 * any other code point as it is. */
uint32_t pl_small_letter(uint32_t c);
/* Whether a character is wide or fullwidth (Unicode Standard Annex 11): it takes the place of two
 * Latin letters. */
bool pl_is_wide(uint32_t c);
/* Bytes of the mark of byte order, which some editors put in front of a text, that s begins with.
 */
size_t pl_utf8_mark(const char *s, size_t n);
/* Longest length <= max, n that does not cut a UTF-8 sequence of s. */
size_t pl_utf8_prefix(const char *s, size_t n, size_t max);

/* The whole of s[0..n) as a number: strtod()'s decimal forms in the C locale, no hex, inf or nan.
 * False when it is anything else. */
bool pl_parse_double(const char *s, size_t n, double *ret);
/* The whole of s[0..n) as a decimal integer; false when it is anything else or out of range. */
bool pl_parse_int64(const char *s, size_t n, int64_t *ret);

/* Levenshtein distance of two short names (at most 63 bytes each count), for "did you mean". */
size_t pl_edit_distance(const char *a, size_t na, const char *b, size_t nb);

#endif

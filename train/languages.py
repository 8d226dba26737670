# SPDX-License-Identifier: BSD-2-Clause
"""Running text of other languages: translated manuals, those of GNOME (package gnome-user-docs), of LibreOffice
(libreoffice-help-*) and of the Debian installer (installation-guide-amd64); prose: novels, dialogues of a game
(wesnoth-*) and sayings (fortunes-*); and messages of LibreOffice and Firefox in languages that have no manuals.

Translated manual pages, and messages in the languages of the drawn evaluation pages, are no source: those pages have
their text.
"""
import functools
import glob
import html
import os
import random
import re

MANUALS = ('/usr/share/help/{}/**/*.page', '/usr/share/doc/installation-guide-amd64/{}/*.html',
           '/usr/share/libreoffice/help/{}/text/**/*.html', '/var/cache/platen-train/messages/{}.txt')
PROSE = ('/usr/share/games/fortunes/{}/*.u8', '/var/cache/platen-train/{}.txt',       # sayings; by train/deps novels
         '/var/cache/platen-train/dialogues/{}.txt')                                  # and dialogues
# How often each is drawn. Those with more than 2 have letters that few others have, Vietnamese most of all, or are read
# worse than others in typewriting.
SHARES = {'af': .5, 'az': 8, 'br': .5, 'ca': 1, 'cs': 3, 'cy': .7, 'da': 1, 'de': 3, 'eo': 1.5, 'es': 3, 'et': 1, 'eu': .5, 'fi': 1, 'fr': 3,
          'fy': .5, 'ga': .5, 'gd': 1, 'gl': .5, 'hr': 1, 'hu': 1.5, 'id': .5, 'is': 2, 'it': 3, 'ku': 1, 'la': .7, 'lt': 2, 'lv': 1.5, 'nl': 1,
          'oc': .5, 'pl': 2, 'pt': 1.5, 'ro': 5, 'sk': 2.5, 'sl': 1, 'sq': 1.5, 'sr@latin': .7, 'sv': 1, 'tl': .5, 'tr': 2.5, 'vi': 20}
MOST = 400_000               # characters kept of each, at most half of them prose
LEAST = 20_000               # those with less are left out: mostly untranslated
BLOCK = re.compile(r'<(p|title|desc|h[1-6]|dt)\b[^>]*>(.*?)</\1>', re.S)
COMMA = str.maketrans('şţŞŢ', 'șțȘȚ')         # what Romanian writes, and older files have with cedillas


def blocks(path):
    """The paragraphs and titles of a page of help, XML or HTML, or the paragraphs of a file of prose."""
    with open(path, encoding='utf-8-sig', errors='ignore') as f:
        content = f.read()
    for _, block in BLOCK.findall(content) or [('', part) for part in re.split(r'\n%\n|\n\s*\n', content)]:
        text = ' '.join(html.unescape(re.sub(r'<[^>]*>', '', block)).split())
        if len(text) > 10:
            yield text


def pages(language, sources):
    """The files of a language, in random but fixed order."""
    found = [path for source in sources for path in sorted(glob.glob(source.format(language), recursive=True))]
    random.Random(7).shuffle(found)
    return found


def prose(language):
    """The paragraphs of novels, dialogues and sayings of a language, in random but fixed order."""
    found = [block for path in pages(language, PROSE) for block in blocks(path)]
    random.Random(7).shuffle(found)
    return found


def read(language, english, known):
    """The text of a language, its paragraphs in random but fixed order: those that equal an English one, or
    have characters that are not known, are left out."""
    found, total = {}, 0
    for texts, most in ((prose(language), MOST / 2), ((b for path in pages(language, MANUALS) for b in blocks(path)), MOST)):
        for text in texts:
            text = text.translate(COMMA) if language == 'ro' else text
            if text not in found and text not in english and known.issuperset(text):
                found[text] = True
                total += len(text)
            if total > most:
                break
    found = list(found)
    random.Random(8).shuffle(found)
    return ' '.join(found)


@functools.lru_cache(None)
def running(known, names):
    """{language: running text} of those languages that there are, in known characters."""
    english = {text for language in ('C', 'en', 'en-US') for path in pages(language, MANUALS) for text in blocks(path)}
    found = {language: read(language, english, set(known)) for language in names}
    return {language: text for language, text in found.items() if len(text) > LEAST}


def texts(known):
    """({language: running text} of those of SHARES that there are; their shares), in known characters."""
    found = running(known, tuple(SHARES))
    return found, [SHARES[language] for language in found]


def upper(text, language):
    """Capitals as the language has them."""
    return text.replace('i', 'İ').upper() if language == 'tr' else text.upper()

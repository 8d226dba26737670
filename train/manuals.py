# SPDX-License-Identifier: BSD-2-Clause
"""Texts and lists of words of fifty-three languages, for what tells them apart and for language models."""
import bisect
import functools
import glob
import itertools
import os
import random
import re

import languages

# Languages of which there are messages of programs and Tesseract's words, or little more; their models are smaller.
BRIEF = 'af az be br cy eo eu fo fy ga gd gl ht id is ku la lb mk mt oc sq sr sw tl'.split()
# Tags of BCP 47: folders of translated manuals, and lists of words.
SOURCES = {
    **{tag: (tag, tag) for tag in BRIEF},
    'en': ('C en en-US', 'american-english'), 'de': ('de de-DE', 'ngerman'), 'fr': ('fr fr-FR', 'french'),
    'es': ('es es-ES', 'spanish'), 'it': ('it it-IT', 'italian'), 'pt': ('pt pt_BR pt-BR', 'portuguese'),
    'nl': ('nl nl-NL', ''), 'pl': ('pl pl-PL', 'polish'), 'cs': ('cs cs-CZ', 'cs_CZ'), 'sk': ('sk', 'sk_SK'),
    'hu': ('hu', 'hu_HU'), 'ro': ('ro ro-RO', 'ro_RO'), 'tr': ('tr tr-TR', 'tr_TR'), 'vi': ('vi vi-VN', ''),
    'sv': ('sv sv-SE', 'swedish'), 'da': ('da da-DK', 'danish'), 'no': ('nb-NO', 'bokmål nynorsk'), 'fi': ('fi', ''),
    'et': ('et', 'et_EE'), 'lv': ('lv', 'lv_LV'), 'lt': ('lt', 'lt_LT'), 'hr': ('hr hr-HR', 'hr_HR'),
    'sl': ('sl', 'sl_SI'), 'ca': ('ca ca-ES', ''), 'ru': ('ru ru-RU', 'ru_RU'), 'uk': ('uk', 'uk_UA'),
    'bg': ('bg', 'bg_BG'), 'sr': ('sr', 'sr_RS'), 'be': ('be', 'be_BY'), 'el': ('el el-GR', 'el_GR'),
}
LISTS = '/var/cache/platen-train/words/{}.txt'      # those that train/deps makes with words.py
HANDBOOK = '/usr/share/doc/debian-handbook/html/{}/*.html'
FREQUENT = '/usr/share/onboard/models/{}_*.lm'


def blocks_of(folder):
    """The paragraphs of the manuals in a folder's language, page by page, the pages in random but fixed order."""
    for path in languages.pages(folder, (*languages.MANUALS, HANDBOOK)):
        yield from languages.blocks(path)


# Manuals have paragraphs that nobody translated, those of Slovak many in Czech.
ENGLISH = set('the and with this that you from are which your when not will have'.split())
CZECH = set('ěřůĚŘŮ')


def is_own(block, language):
    """Whether a paragraph may be in the language of its manual."""
    found = block.lower().split()
    english = sum(w in ENGLISH for w in found) > .04 * len(found)
    return language == 'en' or not english and not (language == 'sk' and CZECH.intersection(block))


def list_words(name):
    """A list of words, without the flags of a spelling dictionary."""
    for path in (f'/usr/share/dict/{name}', LISTS.format(name)):
        if os.path.exists(path):
            with open(path, 'rb') as f:
                content = f.read()
            try:
                return content.decode('utf-8').split()
            except UnicodeDecodeError:
                return content.decode('latin-1').split()
    base = f'/usr/share/hunspell/{name}'
    with open(base + '.aff', 'rb') as f:
        found = re.search(rb'^SET\s+(\S+)', f.read(), re.M)
    with open(base + '.dic', encoding=found.group(1).decode() if found else 'latin-1', errors='ignore') as f:
        return [re.split(r'[/\t ]', line.strip())[0] for line in f][1:]


@functools.lru_cache(None)
def english():
    """The paragraphs of the English manuals: what stands in others word for word is not translated."""
    return frozenset(block for folder in ('C', 'en', 'en-US') for block in blocks_of(folder))


def paragraphs(language, most):
    """The paragraphs of a language, about `most` characters, at most half of them prose, in random but fixed order."""
    folders, found = SOURCES[language][0].split(), set()
    for folder in folders:
        total = 0
        for texts, share in ((languages.prose(folder), .5), (blocks_of(folder), 1)):
            for block in texts:
                if is_own(block, language) and (language == 'en' or block not in english()):
                    found.add(block)
                    total += len(block)
                if total > share * most / len(folders):
                    break
    found = sorted(found)
    random.Random(8).shuffle(found)
    return [block.translate(languages.COMMA) for block in found] if language == 'ro' else found


def listed(language):
    """The listed words of a language."""
    return [word for name in SOURCES[language][1].split() for word in list_words(name)]


class Frequent:
    """Draws words of a language, nearly as often as they are used; `words` is empty where they were not counted."""

    def __init__(self, language):
        self.words, counts = [], []
        for path in sorted(glob.glob(FREQUENT.format(language)))[-1:]:
            with open(path, encoding='utf-8') as f:
                section = f.read().split('\\1-grams:\n')[1].split('\n\n')[0]
            for count, word in (line.split() for line in section.splitlines()):
                if not word.startswith('<'):
                    self.words.append(word)
                    counts.append(int(count) ** .75)         # so that the most frequent do not push out the rest
        self.ends = list(itertools.accumulate(counts))

    def draw(self, rng, n):
        return [self.words[bisect.bisect(self.ends, rng.random() * self.ends[-1])] for _ in range(n)]

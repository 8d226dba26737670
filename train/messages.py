#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the sentences of translated programs as text, for languages.py.

    messages.py SOURCE DIR

SOURCE is a folder that holds LANGUAGE/LC_MESSAGES/*.mo, as gettext has them, or one of Firefox's language packs,
langpack-LANGUAGE@*.xpi, which hold lines `name = message`. DIR receives LANGUAGE.txt, a message a paragraph.
"""
import gettext
import glob
import os
import re
import sys
import zipfile

LEAST = 40                   # characters of a message that is a sentence
CODE = re.compile(r'[$|={}\\]|\w_\w|%\w')     # of messages that are no prose
NAMES = {'nb_NO': 'nb-NO', 'kmr@latin': 'ku', 'fy-NL': 'fy', 'hy-AM': 'hy', 'pa_IN': 'pa'}      # as languages.py and misread.py call them
LINE = re.compile(r'^[^\S\n]*[-.\w]+[^\S\n]*=[^\S\n]*(.+)$', re.M)


def prose(messages):
    """Those of messages that are sentences, each once."""
    texts = (' '.join(re.sub('<[^>]*>|[~_](?=\\w)', '', text).split()) for text in messages)
    return list(dict.fromkeys(text for text in texts if len(text) >= LEAST and not CODE.search(text)))


def translations(folder):
    """The translated messages below a language's folder."""
    for path in sorted(glob.glob(os.path.join(folder, 'LC_MESSAGES', '*.mo'))):
        with open(path, 'rb') as f:
            for original, text in gettext.GNUTranslations(f)._catalog.items():
                if isinstance(original, str) and original:
                    yield text


def packed(path):
    """The messages of a language pack."""
    with zipfile.ZipFile(path) as pack:
        for name in sorted(pack.namelist()):
            if name.endswith(('.ftl', '.properties')):
                yield from LINE.findall(pack.read(name).decode('utf-8'))


def sources(source):
    """(language, its messages) of each language of a source."""
    if source.endswith('.xpi'):
        yield re.search(r'langpack-([^@]+)@', source)[1], packed(source)
    else:
        for folder in sorted(glob.glob(os.path.join(source, '*'))):
            yield os.path.basename(folder), translations(folder)


def main():
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, messages in sources(sys.argv[1]):
        with open(os.path.join(sys.argv[2], NAMES.get(name, name) + '.txt'), 'w', encoding='utf-8') as f:
            f.write('\n\n'.join(prose(messages)) + '\n')


if __name__ == '__main__':
    main()

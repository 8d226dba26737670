#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the sentences of translated messages as text: everyday prose of many languages, for languages.py.

    dialogues.py LOCALES DIR

LOCALES holds LANGUAGE/LC_MESSAGES/*.mo, as gettext has them; DIR receives LANGUAGE.txt, a message a paragraph.
"""
import gettext
import glob
import os
import re
import sys

LEAST = 40                   # characters of a message that is a sentence
CODE = re.compile(r'[$|={}\\]|\w_\w')         # of messages that are no prose
NAMES = {'nb_NO': 'nb-NO'}   # as the manuals call them


def sentences(folder):
    """The translated messages below a language's folder that are prose, each once."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, 'LC_MESSAGES', '*.mo'))):
        with open(path, 'rb') as f:
            messages = gettext.GNUTranslations(f)._catalog
        for original, text in messages.items():
            text = ' '.join(re.sub('<[^>]*>', '', text).split())
            if isinstance(original, str) and original and len(text) >= LEAST and not CODE.search(text):
                found[text] = True
    return list(found)


def main():
    os.makedirs(sys.argv[2], exist_ok=True)
    for folder in sorted(glob.glob(os.path.join(sys.argv[1], '*'))):
        name = os.path.basename(folder)
        with open(os.path.join(sys.argv[2], NAMES.get(name, name) + '.txt'), 'w', encoding='utf-8') as f:
            f.write('\n\n'.join(sentences(folder)) + '\n')


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""How a printer sets a line: ligatures, quotes, thin blanks, raised and lowered characters."""
import re

import technical
import text as texts

THIN = '\u2009'              # drawn as part of a blank, and read as none
RAISED = '\ue000'            # raises the letter behind it, and is read as none
LOWERED = '\ue001'           # the same, lowers it
FRAME = '\ue002'             # where the frame of a key begins or ends
UNREAD = str.maketrans('', '', THIN + RAISED + LOWERED + FRAME)
# Keys that manuals put into frames: Ctrl + Shift + K.
KEYS = re.compile(r'\b(?:Ctrl|Shift|Alt|Strg|Cmd|Enter|Esc|Tab|Del|Home|End|Space|Page Up|F\d+)\b|(?:(?<=[+])|(?<=[lt] ))(?:[A-Z]\b|[←→↑↓])')
# Exponents, and what is raised for them where a face lacks them or a writer raised figures.
EXPONENTS = dict(zip(technical.SUPERSCRIPTS, '0123456789–'))
PLAIN = str.maketrans(EXPONENTS)
# The figures behind lone letters in a formula: x1 + x2 = a2.
INDEX = re.compile(r'(?<=(?<![A-Za-z])[A-Za-z])\d(?!\d)')
# Ends of abbreviations and ordinal numbers, which print often raises: Mme, Dr, Cie, Nos, 5th, 1er, XIXe.
ENDS = re.compile(r'(?:(?<=\bM)(?:mes?|lles?|gr|r|rs|e)|(?<=\bD)r|(?<=\bC)(?:ie|o)|(?<=\bS)(?:te?|ra?)|(?<=\b[JS])r|(?<=\bV)ve|(?<=\b[Nn])os?'
                  r'|(?<=\d)(?:st|nd|rd|th|ers?|re|es?|mes?|o)|(?<=[IVX])es?)\b')
# Numbers of notes: behind a mark that ends a word.
NOTE = re.compile(r'(?<=[a-z][.,;:!?”"])\d{1,2}(?!\w)')

# Numbers of verses: at the beginning or behind the end of a sentence, before a capital letter.
VERSE = re.compile(r'(?:^|(?<=[.,;:!?] ))\d{1,3} (?=[A-Z“‘]+[a-z ])')


def typeset(r, face, string, book):
    """Some lines with ligatures, other bullets and degrees, where the face has them; small capitals; in some
    books quotes of two marks, and part of a blank before marks and inside quotes; ends of abbreviations and
    numbers of notes raised; so are numbers of verses, most of them close to the word behind them; the figures of formulas lowered, exponents raised
    or in glyphs of their own; keys in frames."""
    if r.random() < .6 or not face.suits(string):
        string = ''.join(RAISED + EXPONENTS[c] if c in EXPONENTS else c for c in string)
    if face.small_capitals:
        return string.title() if r.random() < .6 else string.lower()
    if r.random() < .6:
        for glyph, plain in texts.GLYPHS.items():
            if glyph in face.characters and (not face.monospaced if len(plain) > 1 else r.random() < .3):
                string = string.replace(plain, glyph)
    if r.random() < (.3 if book else .02):
        string = string.replace('“', '‘‘').replace('”', '’’')
    if not face.monospaced and r.random() < (.7 if book else .4):
        string = ENDS.sub(lambda end: ''.join(RAISED + c for c in end.group()), string)
    if r.random() < .95:
        string = NOTE.sub(lambda number: ''.join(RAISED + c for c in number.group()), string)
    if not face.monospaced and r.random() < .8:
        gap = r.choice((' ', THIN, THIN))
        string = VERSE.sub(lambda number: ''.join(RAISED + c for c in number.group()[:-1]) + gap, string)
    if r.random() < .5:
        string = KEYS.sub(lambda key: FRAME + key.group() + FRAME, string)
    if re.search(' [-+=<>] ', string) and r.random() < .8:
        string = INDEX.sub(lambda index: LOWERED + index.group(), string)
    if r.random() < (.35 if book else .02):
        string = re.sub('(?<=[^ ])(?=[;:!?”])|(?<=“)', THIN, string)
    return string

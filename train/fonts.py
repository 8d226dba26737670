# SPDX-License-Identifier: BSD-2-Clause
"""The typefaces of the generator: free fonts of Debian packages and of faces.py, found on this machine."""
import collections
import functools
import hashlib
import io
import itertools
import logging
import math
import os
import re

from fontTools import ttLib
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import ImageFont

from text import CHARSET, GLYPHS

logging.getLogger('fontTools').setLevel(logging.ERROR)      # old fonts have odd dates

ROOTS = ('/usr/share/fonts/truetype', '/usr/share/fonts/opentype', '/usr/share/texmf/fonts/opentype', '/var/cache/platen-train/faces')
LEFT_OUT = re.compile(
    r'symbol|emoji|math|dingbat|d050000l|initials|keyboard|thin|extralight|hairline|adornedcaps|caps10|lmbtlc'
    r'|dunhill|dyslexic|ecolier|femkeklaver|evertop|dseg|unifont_|sample|isabella|linex|comfortaa|smallcaps|-sc\.'
    r'|condlight|alfa-beta|ellen|eleg|biolinum_k|outline|shadow|dotted|swash|alternate|z003|chancery|ocrb[efx]', re.I)
CACHE = os.path.join(os.environ.get('XDG_CACHE_HOME', os.path.expanduser('~/.cache')), 'platen-train')
SIZES = (28, 36, 44)         # pixels per em at which masks are drawn; scans are scaled from these

# How often a family is drawn, by part of the path: what offices and shops print comes first.
WEIGHTS = (('liberation', 4), ('termes', 5), ('heros', 5), ('cursor', 4), ('nimbus', 4), ('c059', 3), ('p052', 3),
           ('bookman', 2.5), ('gothic', 2.5), ('adventor', 1), ('schola', 3), ('pagella', 3), ('bonum', 2),
           ('lmroman', 1), ('lmmono', 1.2), ('/lm', .5), ('dejavu', 1.6), ('vera', 1.2), ('carlito', 5),
           ('caladea', 4), ('courier', 3), ('freefont', 2), ('libertine', 1.5), ('cmu', .4), ('junicode', .3),
           ('ocr', 1), ('tlwg', 1.3), ('tlwgtypewriter', 2), ('terminus', 4), ('spleen', 3), ('unifont', 3),
           ('glasstty', 2), ('3270', 1.2), ('firacode', .6), ('hack', .8), ('inconsolata', 1.5), ('lato', .8),
           ('open-sans', 1.5), ('roboto', 1.5), ('garamond', 1.2), ('didot', 1), ('neohell', .7), ('typewriter', 3),
           ('plex', 1), ('inter', 1), ('jetbrains', .8), ('oldstandard', 1.5), ('goudy', 1.5), ('stix', 1.5),
           ('essays', .4), ('adf', .4), ('arimo', 3), ('tinos', 3), ('cousine', 2), ('bodoni', 2), ('special-elite', 1.5),
           ('vt323', 1.5), ('abril', .4), ('league-gothic', .5))
SETS = {'ocr': r'ocr-?[ab]',
        'mono': r'courier|cursor|nimbusmono|lmmono|mono|vt323|ocr-?a|inconsol|typewr|lmtt|typo|typist|3270|anonym|cousine|hermit',
        'typewriter': r'courier|cursor|nimbusmono|lmmono(10|12|lt)|freemono|typewr|typist|tlwgtypo|#footless|special-elite|cutive-mono',
        'receipt': r'terminus|spleen|unifont|glasstty|dejavusansmono|hack|liberationmono|cousine|3270|inconsol|notosansmono'
                   r'|typist|anonym|arimo|liberationsans|heros-|nimbussans|verana|dejavusans\b|fantasque|b612mono'
                   r'|vt323|share-tech|space-mono|overpass-mono|azeret|dm-mono|nova-mono',
        'sans': r'liberationsans|heros|nimbussans|arimo|carlito|dejavusans-|verdana|roboto-|opensans|gillius|universalis|inter|lato',
        'book': r'oldstandard|goudy|cmu|lmroman|junicode|garamond|libertine|baskerv|schola|c059|pagella|p052|caladea|termes|didot'
                r'|essays|prociono|berenis|bonum|bookman|bodoni|playfair|prata-|rufina|libre-caslon|im-fell|bentham|besley|cardo|unna-|gelasio'
                r'|crimson|domine|gupter|arapey|ovo-|oranienbaum|old-?standard'}
# Variants of a face (Variant) and how often they are drawn, in parts of its weight: old-style figures;
# small capitals, for lines without small letters alone; an l with a flag and no foot, as typewriters
# of the Letter Gothic kind have it and no free font; typewriters without the key 1, or 1 and 0, on which
# l and O were typed; a 2 whose beginning curls inwards until it nearly closes, as modern faces of the
# nineteenth century have it and no free font.
VARIANTS = {'oldstyle': .3, 'smallcaps': .5, 'footless': .12, 'oneless': .25, 'zeroless': .08, 'curled': 8}
BORROWED = {'oneless': {'1': 'l'}, 'zeroless': {'1': 'l', '0': 'O'}}
FEATURES = {'oldstyle': ('onum', '0123456789'), 'smallcaps': ('smcp', 'abcdefghijklmnopqrstuvwxyz')}
SLANTED = re.compile(r'ital|obli|-it|slant|-i\.|bi\.|bdita', re.I)
# Faces of the nineteenth century, of which 'curled' is made unless they slant.
MODERN = r'didot|oldstandard|old-?standard|cmunrm|cmunbx|lmroman(7|8|9|10|12)-(regular|bold\.)|bodoni|c059|schola|bentham|besley|baskervald'
# Their 2, in heights of a figure: (x, y, thickness) along its curve, which is thick where the pen goes
# down; then the corners of its foot.
CURL = ((.33, .85, .05), (.36, .73, .06), (.34, .60, .08), (.25, .52, .12), (.14, .57, .13), (.09, .70, .08), (.14, .87, .06), (.30, .965, .07),
        (.46, .92, .11), (.555, .75, .16), (.50, .57, .13), (.36, .38, .07), (.20, .19, .05), (.10, .08, .06))
FOOT = (.0, .0), (.63, .0), (.645, .34), (.59, .34), (.565, .21), (.50, .145), (.16, .145), (.0, .06)


def curled_two(pen, height):
    """Draws a 2 of `height` font units with a pen of fontTools: its curve, a polygon around CURL, and its foot."""
    line = [tuple(height * v for v in point) for point in CURL]
    sides = []
    for (x0, y0, _), (x, y, thick), (x1, y1, _) in zip(line[:1] + line, line, line[1:] + line[-1:]):
        along = math.hypot(x1 - x0, y1 - y0)
        away = thick / 2 * (y0 - y1) / along, thick / 2 * (x1 - x0) / along
        sides.append(((x + away[0], y + away[1]), (x - away[0], y - away[1])))
    curve = [left for left, _ in sides] + [right for _, right in sides[::-1]]
    for corners in (curve, [(height * x, height * y) for x, y in FOOT[::-1]]):
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()


def put_curled_two(table):
    """Gives a font a 2 of 'curled', as high and as wide as its own."""
    name, glyphs = table.getBestCmap()[ord('2')], table.getGlyphSet()
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(bounds)
    left, bottom, right, top = bounds.bounds
    pen = T2CharStringPen(glyphs[name].width, glyphs) if 'CFF ' in table else TTGlyphPen(None)
    wide = (right - left) / (.645 * (top - bottom))
    curled_two(TransformPen(pen, (wide, 0, 0, 1, left, bottom)), top - bottom)
    if 'CFF ' in table:
        strings = table['CFF '].cff.topDictIndex[0].CharStrings
        strings[name] = pen.getCharString(strings[name].private, strings[name].globalSubrs)
    else:
        table['glyf'][name] = pen.glyph()


def substitutes(table, variant):
    """{glyph: glyph} of a variant's OpenType feature, or {} if it does not have all of them."""
    tag, needed = FEATURES[variant]
    if 'GSUB' not in table or not table['GSUB'].table.FeatureList:
        return {}
    gsub, found = table['GSUB'].table, {}
    for feature in gsub.FeatureList.FeatureRecord:
        if feature.FeatureTag == tag:
            for index in feature.Feature.LookupListIndex:
                for part in gsub.LookupList.Lookup[index].SubTable:
                    found.update(getattr(getattr(part, 'ExtSubTable', part), 'mapping', {}))
    names = table.getBestCmap()
    found = {names[ord(c)]: found[names[ord(c)]] for c in needed if names.get(ord(c)) in found}
    return found if len(found) == len(needed) else {}


def outline_of_l(table):
    """(TrueType outline of l, left and right of its stem), or None."""
    if 'glyf' not in table or not table['glyf'][table.getBestCmap()[ord('l')]].numberOfContours == 1:
        return None
    outline = table['glyf'][table.getBestCmap()[ord('l')]]
    points, middle, sides = list(outline.coordinates), outline.yMax / 2, []
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        if (y0 < middle) != (y1 < middle):
            sides.append(x0 + (x1 - x0) * (middle - y0) / (y1 - y0))
    return (outline, min(sides), max(sides)) if len(sides) == 2 else None


def variants_of(path, table, monospaced):
    found = [v for v in FEATURES if substitutes(table, v)]
    if monospaced and outline_of_l(table):
        found.append('footless')
    if monospaced and re.search(SETS['typewriter'], path, re.I):
        found.extend(BORROWED)
    if re.search(MODERN, path, re.I) and not SLANTED.search(os.path.basename(path)):
        found.append('curled')
    return found


class Face:
    """A font file: its path, the characters it has, the sizes it can be drawn at, its weight."""

    small_capitals = False

    def __init__(self, path):
        self.path = self.name = path
        table = ttLib.TTFont(path, lazy=True)
        codes = table.getBestCmap()
        self.characters = {c for c in CHARSET + ''.join(GLYPHS) if ord(c) in codes} | {' '}
        if not set(CHARSET[:95]) <= self.characters:
            raise ValueError('not all of ASCII')
        self.sizes = [s for s in self.candidates(path) if self.opens(s)]
        if not self.sizes:
            raise ValueError('cannot be drawn')
        font = self.font(self.sizes[0])
        self.monospaced = font.getlength('i') == font.getlength('M')
        self.family = os.path.basename(path)[:6]
        self.weight = self.frequency()
        self.variants = variants_of(path, table, self.monospaced) if self.sizes == list(SIZES) else []

    def suits(self, string):
        """Whether the face has the characters of the string."""
        return self.characters.issuperset(string)

    @staticmethod
    def candidates(path):
        """Sizes to try: pixel fonts only at their own."""
        name = path.lower()
        for part, sizes in (('terminus', (20, 24, 28, 32)), ('spleen-12x24', (24,)), ('spleen-8x16', (16,)),
                            ('spleen', (32,)), ('unifont', (16,))):
            if part in name:
                return sizes
        return SIZES

    def opens(self, size):
        try:
            return self.font(size).getlength('H') > 0
        except OSError:
            return False

    @functools.lru_cache(8)
    def font(self, size):
        return ImageFont.truetype(self.path, size, layout_engine=ImageFont.Layout.BASIC)

    def frequency(self):
        name = self.path.lower()
        weight = next((w for part, w in WEIGHTS[::-1] if part in name), 1)
        return weight * (.4 if SLANTED.search(os.path.basename(name)) else 1) * (.6 if re.search('bold|black|heavy', name) else 1)


class Variant(Face):
    """A face of which some glyphs are exchanged or changed."""

    def __init__(self, face, kind):
        self.__dict__.update(face.__dict__)
        self.kind, self.name, self.variants = kind, f'{face.path}#{kind}', []
        self.weight = face.weight * VARIANTS[kind]
        if kind == 'smallcaps':
            self.small_capitals = True
            self.characters = {c for c in face.characters if c.isascii() and not c.islower()}

    def suits(self, string):
        """Whether it has the characters of the string; of 'curled', which is drawn often, the 2 is to be among them."""
        return super().suits(string) and (self.kind != 'curled' or '2' in string)

    @functools.cached_property
    def content(self):
        """The changed font file; kept in CACHE, since making it takes as long as drawing twenty lines."""
        state = os.stat(self.path)
        key = f'{self.path} {self.kind} {state.st_size} {state.st_mtime_ns}'
        path = os.path.join(CACHE, hashlib.sha256(key.encode()).hexdigest())
        if not os.path.exists(path):
            os.makedirs(CACHE, exist_ok=True)
            with open(f'{path}.{os.getpid()}', 'wb') as f:
                f.write(self.changed())
            os.replace(f.name, path)
        with open(path, 'rb') as f:
            return f.read()

    def changed(self):
        table = ttLib.TTFont(self.path)
        if self.kind == 'footless':
            outline, left, right = outline_of_l(table)
            points = outline.coordinates
            for i, (x, y) in enumerate(points):
                if y < .3 * outline.yMax:
                    points[i] = min(max(x, left), right), max(y, 0)
            outline.recalcBounds(table['glyf'])
        elif self.kind == 'curled':
            put_curled_two(table)
        elif self.kind in BORROWED:
            for sub in table['cmap'].tables:
                if sub.isUnicode():
                    sub.cmap.update({ord(c): sub.cmap[ord(key)] for c, key in BORROWED[self.kind].items()})
        else:
            exchanged = substitutes(table, self.kind)
            for sub in table['cmap'].tables:
                if sub.isUnicode():
                    sub.cmap.update({ord(c): exchanged[sub.cmap[ord(c)]] for c in FEATURES[self.kind][1]
                                     if sub.cmap.get(ord(c)) in exchanged})
        content = io.BytesIO()
        table.save(content)
        return content.getvalue()

    @functools.lru_cache(8)
    def font(self, size):
        return ImageFont.truetype(io.BytesIO(self.content), size, layout_engine=ImageFont.Layout.BASIC)


def files():
    """Font files below ROOTS, one per file name, Noto and IBM only in their Latin faces."""
    found = {}
    for root in ROOTS:
        for folder, _, names in os.walk(root):
            for name in names:
                if not name.lower().endswith(('.ttf', '.otf', '.otb')) or LEFT_OUT.search(name):
                    continue
                if 'noto' in folder and not re.match(r'Noto(Sans|Serif|SansMono|SansDisplay|SerifDisplay|Mono)-', name):
                    continue
                found.setdefault(name, os.path.join(folder, name))
    return [found[n] for n in sorted(found)]


@functools.lru_cache(None)
def faces():
    """All usable faces."""
    usable = []
    for path in files():
        try:
            usable.append(Face(path))
        except (ValueError, OSError, KeyError, TypeError, AttributeError, ttLib.TTLibError):
            continue           # a font for another script, or a damaged one
    families = collections.Counter(f.family for f in usable)
    for face in usable:          # a family of many faces is not to crowd out the others
        face.weight /= families[face.family] ** .6
    return usable + [Variant(face, kind) for face in usable for kind in face.variants]


@functools.lru_cache(None)
def face_set(name):
    """(faces, cumulative weights) of one of SETS, or of all ('any')."""
    pattern = re.compile(SETS.get(name, ''), re.I)
    chosen = [f for f in faces() if pattern.search(f.name)]
    return chosen, list(itertools.accumulate(f.weight for f in chosen))


def pick(rng, name, string=''):
    """A random face of a set, one that suits the string."""
    chosen, cumulative = face_set(name)
    for face in rng.choices(chosen, cum_weights=cumulative, k=6):
        if face.suits(string):
            return face
    usable = [f for f in chosen if f.suits(string)]
    if usable:
        return rng.choices(usable, [f.weight for f in usable])[0]
    if name == 'any':
        raise ValueError(f'no face has all of {string!r}')
    return pick(rng, 'any', string)

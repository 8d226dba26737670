#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws samples/pages/ and tests/data/lines/: pages and lines of our own with exact texts.

    samples.py pages DIR      six pages: NAME.png or .jpg and NAME.gt.txt
    samples.py lines DIR      fourteen single lines, clean to degraded, two with accents: NAME.png and NAME.gt.txt
    samples.py scripts DIR    small pages in Cyrillic, in Greek, in both beside English: NAME.png and NAME.gt.txt
    samples.py boxes DIR      a page of twelve lines in several faces: words.png, and words.json with the ink of each word

Everything is drawn from free fonts with fixed seeds. The texts are written for this purpose.
"""
import glob
import json
import os
import random
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import fonts
import generate
import masks

FACES = {'serif': 'LiberationSerif-Regular', 'serif-bold': 'LiberationSerif-Bold', 'serif-italic': 'LiberationSerif-Italic',
         'sans': 'LiberationSans-Regular', 'sans-bold': 'LiberationSans-Bold', 'mono': 'LiberationMono-Regular',
         'pagella': 'texgyrepagella-regular', 'pagella-bold': 'texgyrepagella-bold', 'typewriter': 'texgyrecursor-regular',
         'office': 'Carlito-Regular', 'office-bold': 'Carlito-Bold', 'till': 'DejaVuSansMono', 'till-bold': 'DejaVuSansMono-Bold',
         'schola': 'texgyreschola-regular'}


class Page:
    """A white page to write on; remembers its lines of text in the order they were written."""

    def __init__(self, width, height):
        self.image = Image.new('L', (width, height), 255)
        self.pen = ImageDraw.Draw(self.image)
        self.texts = []

    @staticmethod
    def font(face, size):
        name = FACES[face]
        for root in fonts.ROOTS:
            for path in sorted(glob.glob(f'{root}/**/{name}.[ot]tf', recursive=True)):
                return ImageFont.truetype(path, size)
        raise FileNotFoundError(name)

    def write(self, x, y, text, face, size, align='left', ink=0, note=True):
        """One line with its baseline at y; returns its right end."""
        font = self.font(face, size)
        width = font.getlength(text)
        x -= {'left': 0, 'centre': width / 2, 'right': width}[align]
        self.pen.text((x, y), text, ink, font, anchor='ls')
        if note:
            self.texts.append(text)
        return x + width

    def paragraph(self, x, y, width, text, face, size, leading, justify=False):
        """Wrapped text from baseline y downwards; returns the baseline after it."""
        font, words = self.font(face, size), text.split()
        while words:
            count = len(words)
            while count > 1 and font.getlength(' '.join(words[:count])) > width:
                count -= 1
            row, words = words[:count], words[count:]
            self.row(x, y, width if justify and words else None, row, font)
            y += leading
        self.texts.append('')
        return y

    def row(self, x, y, width, words, font):
        """Words on a baseline, stretched to the width when there is one."""
        gap = font.getlength(' ')
        if width and len(words) > 1:
            gap = (width - sum(map(font.getlength, words))) / (len(words) - 1)
        for word in words:
            self.pen.text((x, y), word, 0, font, anchor='ls')
            x += font.getlength(word) + gap
        self.texts.append(' '.join(words))

    def rule(self, x0, y0, x1, y1, thick=2):
        self.pen.line((x0, y0, x1, y1), 0, thick)

    def box(self, x0, y0, x1, y1, thick=2):
        self.pen.rectangle((x0, y0, x1, y1), outline=0, width=thick)

    def pixels(self):
        return np.asarray(self.image)

    def truth(self):
        return '\n'.join(self.texts).strip() + '\n'


def blur(grey, sigma):
    return cv2.GaussianBlur(grey, (0, 0), sigma)


def noisy(grey, amount, seed):
    """Gaussian noise of a standard deviation in grey levels; float32."""
    noise = np.random.default_rng(seed).standard_normal(grey.shape).astype(np.float32)
    return grey.astype(np.float32) + amount * noise


def scanned(grey, paper=250, ink=25, noise=5, seed=0, step=8):
    """What an office scanner makes: slightly soft, paper clipped to white, few levels (small files)."""
    tone = ink + (paper - ink) * (blur(grey, .7).astype(np.float32) / 255)
    tone = np.clip(noisy(tone, noise, seed), 0, 255)
    tone[tone > 238] = 255
    return (np.round(tone / step) * step).clip(0, 255).astype(np.uint8)


def turned(grey, degrees):
    """Rotated about the middle, counter-clockwise positive, white outside."""
    height, width = grey.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(grey, matrix, (width, height), flags=cv2.INTER_CUBIC, borderValue=255)


LETTER = '''Thank you for sending us the drawings of the new bridge so promptly. Our engineers went through them last week
and have only three remarks, none of which should delay the work. First, the railing on the north side is shown 1,150 mm
high on sheet 4 but 1,100 mm on sheet 7; we take the larger figure to be the right one.
|Second, the drain pipes end 40 cm above the river bank. In a wet spring the water would wash out the path below, so
please carry them down to the stone apron. The extra cost, which you put at £2,380.00, is accepted.
|Third, we would rather have the lamps switched by a clock than by a light cell: the last ones were blinded by leaves
and burned through most of August. A quotation from “Harrow & Finch” (ref. HF-2093/B) is enclosed for comparison.
|If you agree, work on the foundations may begin on Monday, 12 October. I shall be at the site from 9:30 that morning and
can be reached at any time on 01632 960 417 or by e-mail at e.thorne@fernhill-council.example.'''.replace('\n', ' ')


def letter(page_seed=11):
    """A business letter, A4 at 200 dpi, grey."""
    page = Page(1654, 2339)
    page.write(1490, 200, 'Fernhill Town Council', 'pagella-bold', 52, 'right')
    for k, text in enumerate(('Works Department', '14 Quarry Lane, Fernhill FH3 8QT', 'Telephone 01632 960 400')):
        page.write(1490, 262 + 38 * k, text, 'pagella', 28, 'right')
    page.rule(165, 372, 1490, 372, 3)
    for k, text in enumerate(('Ms Ida Brandt', 'Brandt & Osei Structures Ltd', '7 Canal Street', 'Lower Wexcombe', 'LW1 4DP')):
        page.write(165, 470 + 42 * k, text, 'serif', 33)
    page.texts.append('')
    page.write(165, 740, '28 September 2026', 'serif', 33)
    page.write(165, 830, 'Footbridge over the Tarn: revised drawings of 21 September', 'serif-bold', 33)
    page.write(165, 920, 'Dear Ms Brandt,', 'serif', 33)
    y = 1000
    for text in LETTER.split('|'):
        y = page.paragraph(165, y, 1325, text, 'serif', 33, 46) + 26
    page.write(165, y + 30, 'Yours sincerely,', 'serif', 33)
    signature = [(190, y + 150), (225, y + 80), (250, y + 165), (300, y + 100), (330, y + 150), (380, y + 118), (520, y + 128)]
    page.pen.line(signature, 60, 4, 'curve')
    page.write(165, y + 235, 'Edmund Thorne', 'serif', 33)
    page.write(165, y + 277, 'Head of Works', 'serif', 33)
    page.write(165, y + 350, 'Enclosures: 2', 'serif-italic', 28)
    return scanned(page.pixels(), seed=page_seed), page.truth()


ARTICLE = '''Long before there were printed tables of the tides, the pilots of small harbours kept them by heart. A pilot knew
that high water fell some fifty minutes later each day, and that the moon, when she stood in the south, meant a full
basin in one port and bare mud in the next. What he could not know was why two ports a morning's sail apart should differ
by three hours.
|#Marks on a wall
|The oldest record we have is not a book at all. It is a row of 62 notches on the quay wall at Sandmouth, cut in the winter
of 1741 by a customs officer with time on his hands. Each notch marks one high water; beside every seventh he scratched a
small cross. When the wall was cleaned in 1902 the heights were measured again, and they agree with modern reckoning to
within a hand's breadth.
|The officer's name was lost, but his pay was not: the books of the port show that he received 18 shillings a quarter, and
was fined twice for sleeping.
|#The first machine
|To foretell a tide one must add up many waves of different length: the pull of the moon, of the sun, the slow swing of the
moon's path, and a dozen smaller ones. By hand this takes weeks. A machine with ten wheels and one long cord could do it
in an afternoon, the cord running over every wheel and drawing the sum on paper as it went.
|Such machines were built of brass and gave heights to about 5 cm. One of them ran without pause for 38 years, and was
oiled, so its keeper noted, "on Fridays, with goose fat, never with whale".
|#What remains
|Today the sums are done in less than a second, and nobody watches the wheel. Yet the notches are still there, under the
weed, at the foot of the steps; and on a quiet evening, twice a month, the water comes up to touch the same stones at
very nearly the same minute.'''.replace('\n', ' ')


def columns(page_seed=22):
    """A two-column article, A4 at 200 dpi, turned by 2 degrees, grey."""
    page = Page(1654, 2339)
    page.write(827, 250, 'The Keepers of the Tide', 'pagella-bold', 64, 'centre')
    page.write(827, 320, 'By Maren Holloway', 'serif-italic', 34, 'centre')
    page.rule(220, 365, 1434, 365, 2)
    page.texts.append('')
    x, y = 220, 440
    for text in map(str.strip, ARTICLE.split('|')):
        if text == '#The first machine':
            x, y = 857, 440
        if text.startswith('#'):
            page.write(x, y + 18, text[1:], 'pagella-bold', 40)
            y += 76
        else:
            y = page.paragraph(x, y, 577, text, 'pagella', 35, 50, justify=True) + 20
    page.write(827, 2180, '- 47 -', 'pagella', 28, 'centre')
    grey = turned(scanned(page.pixels(), 246, 35, 4, page_seed, 1), 2.0)
    return scanned(grey, 250, 0, 3, page_seed + 1), page.truth()


GOODS = (('2 x OAT BREAD 800G', '5.90'), ('1 x GREEN TEA 20 BAGS', '3.45'), ('6 x FREE RANGE EGGS', '2.99'), ('1 x CHEDDAR MATURE 350G', '6.20'),
         ('3 x TOMATO TIN', '2.67'), ('1 x WASHING POWDER', '11.49'), ('1 x BANANAS 1.204 KG', '1.93'), ('   DISCOUNT 10%', '-0.62'))


def receipt(page_seed=33):
    """A till receipt, narrow, thermal print growing faint, grey."""
    page = Page(620, 1500)
    page.write(310, 90, 'NORTHGATE', 'till-bold', 54, 'centre')
    for k, text in enumerate(('GROCERS & GENERAL STORE', '83 MILL ROAD, ASHBY', 'TEL: 01632 960 288', 'VAT NO: GB 000 4417 92')):
        page.write(310, 140 + 36 * k, text, 'till', 26, 'centre')
    page.write(30, 310, '17/11/2026', 'till', 26)
    page.texts[-1] += '  18:42  TILL 03'
    page.write(590, 310, '18:42  TILL 03', 'till', 26, 'right', note=False)
    page.write(30, 346, 'SERVED BY: JOANNE', 'till', 26)
    page.pen.line((30, 372, 590, 372), 0, 2)
    y = 420
    for name, price in GOODS:
        page.write(30, y, name, 'till', 26, note=False)
        page.write(590, y, price, 'till', 26, 'right', note=False)
        page.texts.append(f'{name.strip()} {price}')
        y += 42
    page.pen.line((30, y - 20, 590, y - 20), 0, 2)
    for name, price, size in (('SUBTOTAL', '34.01', 26), ('VAT 5% INCL.', '1.62', 26), ('TOTAL GBP', '34.01', 38),
                              ('CASH', '40.00', 26), ('CHANGE', '5.99', 26)):
        y += 48 if size > 30 else 40
        page.write(30, y, name, 'till-bold' if size > 30 else 'till', size, note=False)
        page.write(590, y, price, 'till-bold' if size > 30 else 'till', size, 'right', note=False)
        page.texts.append(f'{name} {price}')
    for text in ('ITEMS SOLD: 15', 'RECEIPT #004-118827', 'Goods can be returned within', '28 days with this receipt.', 'THANK YOU, COME AGAIN!'):
        y += 56 if text.startswith(('ITEMS', 'Goods', 'THANK')) else 38
        page.write(310, y, text, 'till', 26, 'centre')
    grey = np.ascontiguousarray(page.pixels()[:y + 70])
    return thermal(grey, page_seed), page.truth()


def thermal(grey, seed):
    """Thermal paper: soft dots, faint bands, a fold, a slight lean."""
    rng = np.random.default_rng(seed)
    ink = blur(255 - grey, 1.1).astype(np.float32) / 255
    rows = np.linspace(0, 1, grey.shape[0])
    strength = .75 - .28 * np.exp(-((rows - .68) / .12) ** 2) + .05 * np.sin(rows * 90)
    grain = 1 - .35 * np.abs(cv2.resize(rng.standard_normal((grey.shape[0] // 2, grey.shape[1] // 2)).astype(np.float32), grey.shape[::-1]))
    paper = 236 - 12 * np.exp(-((rows - .4) / .006) ** 2)
    tone = paper[:, None] - 190 * ink * strength[:, None] * np.clip(grain, 0, 1)
    tone = np.clip(noisy(tone, 3, seed), 0, 255).astype(np.uint8)
    lean = np.array([[1, .012, -8], [-.004, 1, 2]], np.float32)
    tone = cv2.warpAffine(tone, lean, tone.shape[::-1], borderValue=236)
    return (tone // 8 * 8 + 4).astype(np.uint8)


FIELDS = ((('LAST NAME', 'Okonjo-Bell', 0, 560), ('FIRST NAME', 'Theodora', 560, 1000)),
          (('STREET AND NUMBER', '219 Old Ferry Road', 0, 700), ('APARTMENT', '4C', 700, 1000)),
          (('TOWN', 'Port Avery', 0, 420), ('POST CODE', 'PA7 2XK', 420, 680), ('TELEPHONE', '555-0163', 680, 1000)),
          (('DATE OF BIRTH', '03/08/1979', 0, 330), ('OCCUPATION', 'boat builder', 330, 680), ('MEMBER NO.', 'K-48817', 680, 1000)))
TABLE = (('Title', 'Shelf mark', 'Due date'), ('A Short History of Rope', '623.88 HAR', '14 Dec 2026'),
         ('Knots for Small Craft', '623.86 LIN', '14 Dec 2026'), ('The Tin Lighthouse', 'F WEX', '28 Dec 2026'))


def form(page_seed=44):
    """A form with boxes, rules and typed entries, 150 dpi, grey."""
    page = Page(1240, 1480)
    page.write(620, 120, 'PORT AVERY PUBLIC LIBRARY', 'sans-bold', 40, 'centre')
    page.write(620, 165, 'Request for a reader\'s card and loans (form L-12)', 'sans', 24, 'centre')
    page.write(120, 235, '1. Your details', 'sans-bold', 24)
    y = 260
    for row in FIELDS:
        for caption, value, left, right in row:
            page.box(120 + left, y, 120 + right, y + 88)
            page.write(130 + left, y + 22, caption, 'sans', 15, note=False)
            page.write(140 + left, y + 68, value, 'typewriter', 29, note=False)
            page.texts += [caption, value]
        y += 88
    page.write(120, y + 60, '2. Kind of card', 'sans-bold', 24)
    y += 100
    for x, text, marked in ((120, 'Adult', True), (340, 'Child', False), (560, 'Family', False), (800, 'Short stay', False)):
        page.box(x, y - 20, x + 22, y + 2)
        if marked:
            page.rule(x + 4, y - 16, x + 18, y - 2, 3)
            page.rule(x + 18, y - 16, x + 4, y - 2, 3)
        page.write(x + 36, y, text, 'sans', 23, note=False)
    page.texts.append('Adult  Child  Family  Short stay')
    page.write(120, y + 65, '3. Books on loan', 'sans-bold', 24)
    y = table(page, y + 90)
    page.write(120, y + 65, '4. Declaration', 'sans-bold', 24)
    y = page.paragraph(120, y + 110, 1000, 'I have read the rules overleaf and will return all books on time, in the state in '
                       'which I received them. I know that a late book costs 20 cents per day.', 'sans', 22, 34)
    page.rule(120, y + 90, 520, y + 90, 2)
    page.rule(700, y + 90, 1120, y + 90, 2)
    page.write(720, y + 82, '17 November 2026', 'typewriter', 29)
    page.write(120, y + 116, 'Signature', 'sans', 17, note=False)
    page.write(700, y + 116, 'Date', 'sans', 17, note=False)
    page.texts.append('Signature  Date')
    tone = scanned(turned(page.pixels(), -.3), 248, 30, 6, page_seed)
    specks = np.random.default_rng(page_seed).random(tone.shape) < .0002
    tone[specks] = 40
    return tone, page.truth()


def table(page, y):
    """A ruled table of three columns; returns its lower edge."""
    edges = (120, 620, 860, 1120)
    for k, row in enumerate(TABLE):
        for left, right, cell in zip(edges, edges[1:], row):
            page.box(left, y, right, y + 46, 2)
            page.write(left + 14, y + 33, cell, 'sans-bold' if k == 0 else 'typewriter', 23 if k == 0 else 26, note=False)
        page.texts.append('  '.join(row))
        y += 46
    return y


RECIPE = '''Peel two large onions and cut them into rings. Fry them slowly in a spoonful of butter until they are golden; this
takes a good half hour and must not be hurried. Stir in a pinch of salt, a little sugar and one clove of garlic.
|Meanwhile mix 250 g of flour with 125 g of cold butter, one egg and 3 tablespoons of water. Knead it as briefly as you can,
wrap it in a cloth and let it rest in a cool place.
|Roll out the dough and line a round tin (28 cm across) with it. Prick the bottom with a fork. Spread the onions over it,
then pour on a cup of cream beaten with three eggs, pepper and some grated nutmeg.
|Bake at 190°C for 35 to 40 minutes. The tart is done when a knife comes out clean and the kitchen smells so good that the
neighbours ring the bell. Serve it warm, with a green salad; it keeps for two days, but it never has to.'''.replace('\n', ' ')


def photo(page_seed=55):
    """A dark, unevenly lit photograph of a page lying on a table."""
    page = Page(1500, 1700)
    page.write(150, 180, 'Onion tart', 'schola', 66)
    page.write(150, 250, 'Serves six. Time: 1 h 50 min, mostly waiting.', 'serif-italic', 38)
    page.texts.append('')
    y = 350
    for text in RECIPE.split('|'):
        y = page.paragraph(150, y, 1200, text, 'schola', 37, 55) + 30
    return photographed(page.pixels(), page_seed), page.truth()


def photographed(grey, seed):
    """Perspective on a brown table, light falling off to one corner, a shadow, blur and noise."""
    height, width = grey.shape
    paper = 40 + 205 * (grey.astype(np.float32) / 255)
    size = (1440, 1640)
    corners = np.float32([[95, 70], [1360, 105], [1400, 1585], [40, 1560]])
    matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [width, 0], [width, height], [0, height]]), corners)
    table_ = np.float32(62) + 8 * cv2.resize(np.random.default_rng(seed).standard_normal((60, 8)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    sheet = cv2.warpPerspective(paper, matrix, size, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.ones_like(paper), matrix, size)
    scene = table_ * (1 - inside) + sheet * inside
    y, x = np.mgrid[0:size[1], 0:size[0]].astype(np.float32)
    light = .30 + .55 * np.exp(-(((x - 350) / 1000) ** 2 + ((y - 450) / 1150) ** 2))
    shadow = 1 - .3 / (1 + np.exp(-(x + .45 * y - 1500) / 45))
    return np.clip(noisy(blur(scene, .8) * light * shadow, 4, seed), 0, 255).astype(np.uint8)


FAX = ('Rosa, the pumps left Hull this morning on the lorry of J. Strand & Sons and should reach you on Thursday before noon. '
       'Two of the four crates have been opened by customs and taped up again; please check the seals.',
       'We had no more 3/4" flanges, so crate 2 holds eight of the 20 mm kind. They will fit if the old gaskets are left out. '
       'The price stays as agreed: EUR 7,415.60 in all, carriage paid.',
       'Call me if anything is missing. After 6 p.m. I am at home (01632 960 739).')


def fax(page_seed=66):
    """A fax: 1 bit, 204 by 196 dots per inch."""
    page = Page(1728, 1560)
    page.write(60, 40, 'FROM: TOLLER MARINE SUPPLY   FAX 01632 960 731   19-NOV-26 16:07   P. 01/01', 'mono', 26)
    page.write(150, 190, 'FAX MESSAGE', 'sans-bold', 64)
    page.rule(150, 220, 1560, 220, 4)
    for k, (name, value) in enumerate((('To:', 'Rosa Lindqvist, Harbour Works'), ('Fax:', '+46 8 5550 0142'), ('From:', 'Ben Toller'),
                                       ('Date:', '19 November 2026'), ('Pages:', '1'), ('Subject:', 'Order 5521-C, bilge pumps'))):
        page.write(150, 285 + 52 * k, name, 'sans-bold', 34, note=False)
        page.write(380, 285 + 52 * k, value, 'mono', 34, note=False)
        page.texts.append(f'{name} {value}')
    page.rule(150, 575, 1560, 575, 4)
    page.texts.append('')
    y = 660
    for text in FAX:
        y = page.paragraph(150, y, 1410, text, 'mono', 35, 50) + 28
    page.write(150, y + 20, 'Regards, Ben', 'mono', 35)
    grey = page.pixels()
    grey = cv2.resize(grey, (1728, round(grey.shape[0] * 196 / 204)), interpolation=cv2.INTER_AREA)
    grey = turned(grey, .35)
    tone = noisy(blur(grey, 1.0), 22, page_seed)
    bits = np.where(tone > 138, 255, 0).astype(np.uint8)
    bits[np.random.default_rng(page_seed).random(bits.shape) < .0006] = 0
    return bits, page.truth()


PAGES = {'letter': (letter, 200, 200), 'columns': (columns, 200, 200), 'receipt': (receipt, 203, 203), 'form': (form, 150, 150),
         'photo': (photo, 0, 0), 'fax': (fax, 204, 196)}


def write_pages(folder):
    for name, (draw, *dpi) in PAGES.items():
        grey, truth = draw()
        picture = Image.fromarray(grey)
        if name == 'photo':
            picture.save(os.path.join(folder, name + '.jpg'), quality=82)
        else:
            picture = picture.convert('1') if name == 'fax' else picture
            picture.save(os.path.join(folder, name + '.png'), dpi=tuple(dpi), optimize=True)
        save_text(folder, name, truth)


def save_text(folder, name, text):
    with open(os.path.join(folder, name + '.gt.txt'), 'w', encoding='utf-8') as f:
        f.write(text)


# name, text, face, px per em, effects of generate.Scan: clean to degraded
LINES = (('01-clean-serif', 'The harbour lay quiet under a thin grey mist.', 'LiberationSerif-Regular', 42, dict(clean=1)),
         ('02-clean-sans', 'Invoice No. 20417 of 3 May 2026: £1,284.50', 'LiberationSans-Regular', 36, dict(clean=1)),
         ('03-screen', 'Save changes to "budget_v3.ods" before closing?', 'DejaVuSans', 15, dict(clean=1)),
         ('04-bold', 'Minutes of the Annual Meeting', 'Carlito-Bold', 34, dict()),
         ('05-typed', 'Please return both copies by Friday, signed.', 'texgyrecursor-regular', 30, dict(uneven=.3)),
         ('06-italic', 'as the old miller used to say', 'texgyrepagella-italic', 34, dict()),
         ('07-caps', 'DATE OF BIRTH', 'LiberationSans-Regular', 15, dict()),
         ('08-receipt', 'SUBTOTAL   34.01', 'DejaVuSansMono', 24, dict(faint=1, blur=1)),
         ('09-small', 'Terms: 30 days net, 2% for payment within 8 days', 'LiberationSerif-Regular', 14, dict()),
         ('10-bilevel', 'a dozen smaller waves, each of its own length', 'C059-Roman', 26, dict(bilevel=1)),
         ('11-fax', 'Two of the four crates have been opened', 'LiberationMono-Regular', 24, dict(bilevel=1, fax=1, spread=.4)),
         ('12-old-print', 'with goose fat, never with whale', 'OldStandard-Regular', 30, dict(bilevel=1, uneven=.8, spread=1)),
         ('13-accents', 'Grüße aus Łódź: ein Café, fünf Gläser, 12,50 €', 'LiberationSerif-Regular', 34, dict()),
         ('14-accents-caps', 'ÎLE-DE-FRANCE, ÅRHUS, SEVILLA, MÜNCHEN', 'LiberationSans-Regular', 26, dict(bilevel=1)))

SEEDS = {'05': 105, '07': 107, '08': 108, '09': 129}        # where the line's number gives an odd one


def write_lines(folder):
    for seed, (name, text, face, em, effects) in enumerate(LINES):
        rng = random.Random(SEEDS.get(name[:2], seed))
        path = next(f for f in fonts.files() if os.path.splitext(os.path.basename(f))[0] == face)
        mask, _ = generate.Renderer(rng).draw(fonts.Face(path), 44, text, dict(dots=1))
        x0, y0, x1, y1 = masks.ink_box(mask)
        mask = cv2.copyMakeBorder(mask[y0:y1, x0:x1], 12, 12, 14, 14, cv2.BORDER_CONSTANT, value=0)
        mask = cv2.resize(mask, None, fx=em / 44, fy=em / 44, interpolation=cv2.INTER_AREA)
        scan = generate.Scan(rng, np.random.default_rng(seed))
        grey = 255 - mask if effects.get('clean') else scan.digitise(mask, em, effects)
        cv2.imwrite(os.path.join(folder, name + '.png'), grey)
        save_text(folder, name, ' '.join(text.split()) + '\n')


# Written for these pages: name, face, px per em, lines.
SCRIPTS = (('russian', 'serif', 34, ('Утром над рекой стоял густой туман,', 'и паром отошёл только в девять часов.',
                                     'Капитан Сорокин записал в журнал:', '«Ветер слабый, груз 42 ящика, всё в порядке».')),
           ('ukrainian', 'sans', 30, ('Зранку їхній човен стояв біля причалу.', 'Ґанок будинку виходив на північ,',
                                      'а з вікна було видно двадцять щогл.')),
           ('serbian', 'till', 26, ('Њихова кућа је на обали језера,', 'а ђак је узео џеп пун љешника.')),
           ('greek', 'serif', 34, ('Το πλοίο έφυγε από το λιμάνι νωρίς,', 'πριν φυσήξει ο βοριάς από το βουνό.',
                                   'Ποιος έγραψε το γράμμα; Η Ελένη.')),
           ('german', 'serif', 34, ('Am frühen Morgen lag die Fähre noch am Ufer,', 'und über dem Fluß stand dichter Nebel.',
                                    'Der Kapitän schrieb in das Tagebuch:', 'Wind schwach, die Ladung ist in Ordnung.')),
           ('mixed', 'sans', 30, ('The ferry to Varna leaves at nine.', 'Паромът за Варна тръгва в девет.', 'Please bring your ticket and passport.',
                                  'Κρατήστε το εισιτήριο μαζί σας.', 'Doors close five minutes before departure.')),
           ('terms', 'serif', 32, ('Журнал ведёт программа учёта грузов.', 'Отчёт печатают командой',
                                   'Print Report, Monthly Summary, View в меню File', 'кнопкой на странице Monthly Summary.',
                                   'Готовый файл лежит в каталоге смены.')),
           ('station', 'sans-bold', 40, ('МЕТРО', 'НЕТ ВЫХОДА', 'СТОП')), ('motel', 'sans-bold', 40, ('MOTEL', 'TEMA', 'KOMETA')))


def write_scripts(folder):
    for name, face, size, lines in SCRIPTS:
        page = Page(28 * size, (2 * len(lines) + 2) * size)
        for i, text in enumerate(lines):
            page.write(2 * size, (2 * i + 2) * size, text, face, size)
        cv2.imwrite(os.path.join(folder, name + '.png'), scanned(page.pixels(), 250, 0, 2, 5))
        save_text(folder, name, '\n'.join(lines) + '\n')


BOXES = (('serif', 33, 'Thank you for sending us the drawings of the new bridge so promptly.'),
         ('serif-italic', 36, 'With reference to your letter of June, we agree (as before).'),
         ('sans', 22, 'Invoice No. 48-2093/B dated 17/11/2026 — total $1,380.00'),
         ('sans-bold', 40, 'ANNUAL REPORT OF THE WORKS COMMITTEE'),
         ('mono', 28, 'while (n < 12) { total += price[n]; n = n + 1; }'),
         ('pagella', 30, 'A pilot knew that high water fell some fifty minutes later'),
         ('typewriter', 29, '219 Old Ferry Road, Port Avery PA7 2XK'),
         ('office', 26, 'Name: Theodora Okonjo-Bell, boat builder; member no. K-48817'),
         ('till', 24, '2 x OAT BREAD 800G 5.90 TOTAL GBP 34.01'),
         ('schola', 44, 'The Keepers of the Tide, by M. Holloway'),
         ('sans', 15, 'I have read the rules overleaf and will return all books on time.'),
         ('serif', 18, 'Goods can be returned within 28 days with this receipt.'))


def ink_of(word, x, y, font, size):
    """[x0, y0, x1, y1] of the dark pixels of a word drawn alone."""
    alone = Image.new('L', size, 255)
    ImageDraw.Draw(alone).text((x, y), word, 0, font, anchor='ls')
    x0, y0, x1, y1 = masks.ink_box((np.asarray(alone) < 128).astype(np.uint8))
    return [x0, y0, x1, y1]


def write_boxes(folder):
    page, words, y = Page(1500, 1100), [], 80
    for face, size, text in BOXES:
        font, x = page.font(face, size), 60
        for word in text.split():
            page.pen.text((x, y), word, 0, font, anchor='ls')
            words.append(json.dumps(ink_of(word, x, y, font, (1500, 1100)) + [word], ensure_ascii=False))
            x += font.getlength(word + ' ')
        y += 84
    cv2.imwrite(os.path.join(folder, 'words.png'), scanned(page.pixels(), 250, 0, 2, 5))
    with open(os.path.join(folder, 'words.json'), 'w', encoding='utf-8') as f:
        f.write('{"words": [\n' + ',\n'.join(words) + '\n]}\n')


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ('pages', 'lines', 'scripts', 'boxes'):
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    {'pages': write_pages, 'lines': write_lines, 'scripts': write_scripts, 'boxes': write_boxes}[sys.argv[1]](sys.argv[2])


if __name__ == '__main__':
    main()

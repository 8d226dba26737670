# SPDX-License-Identifier: BSD-2-Clause
"""The kinds of pages that a sheet (sheets.py) is filled with."""
import cv2


class Layouts:
    """The kinds of pages; each method fills self.sheet."""

    KINDS = dict(prose=22, table=16, form=18, receipt=16, letter=8, labels=18, slide=6, blank=6)

    def __init__(self, sheet):
        self.sheet, self.r, self.texts = sheet, sheet.r, sheet.writer.texts
        self.height, self.width = sheet.canvas.shape

    def fill(self, kind):
        getattr(self, kind)()
        r, s = self.r, self.sheet
        if r.random() < .12:
            s.stamp(r.uniform(.2, .8) * self.width, r.uniform(.2, .8) * self.height)
        if r.random() < .15:
            s.signature(r.uniform(.1, .7) * self.width, r.uniform(.3, .95) * self.height, s.em * r.uniform(.5, 1.5))
        if r.random() < .12:                                   # dirt of the edges
            wide = round(s.em * r.uniform(.5, 3))
            s.picture(*r.choice(((0, 0, wide, self.height), (self.width - wide, 0, self.width, self.height), (0, 0, self.width, wide))))

    def prose(self):
        r, s = self.r, self.sheet
        columns = r.choice((1, 1, 2, 2, 3))
        gutter, left = s.em * r.uniform(1, 3), s.em * r.uniform(.3, 3)
        wide = (self.width - 2 * left - (columns - 1) * gutter) / columns
        top = s.em * r.uniform(.5, 3)
        if r.random() < .4:                                    # running head, page number
            kind = s.type(.85)
            s.blocks += 1
            s.row(left, top, self.texts.line(dict(words=1, shout=1)), kind)
            s.row(self.width - left, top, str(r.randint(1, 400)), kind, 'right')
            if r.random() < .5:
                s.rule((left, top + .6 * s.em), (self.width - left, top + .6 * s.em))
            top += 2 * s.em
        align = r.choice(('left', 'justify', 'justify'))
        for c in range(columns):
            x, y = left + c * (wide + gutter), top
            while y < self.height - s.em:
                q = r.random()
                if q < .12:
                    y = s.heading(x, y + .6 * s.em, wide)
                elif q < .2:
                    high = s.em * r.uniform(3, 10)
                    s.picture(x, y - .5 * s.em, x + wide, y + high)
                    y = s.paragraph(x, y + high + 1.5 * s.em, wide, s.type(.85), r.randint(1, 2)) + .5 * s.em
                else:
                    y = s.paragraph(x, y, wide, s.body, r.randint(1, 9), align) + r.choice((0, 0, .6)) * s.em
            if c and r.random() < .3:
                s.rule((x - gutter / 2, top), (x - gutter / 2, self.height))

    def letter(self):
        r, s = self.r, self.sheet
        left, y = s.em * r.uniform(1, 5), s.em * 2
        y = s.heading(left, y, self.width - left, r.choice((1.5, 2.2)))
        for _ in range(r.randint(2, 5)):
            s.row(r.choice((left, left, self.width * .6)), y, self.texts.address() if r.random() < .7 else self.texts.name(), s.body)
            y += 1.25 * s.em
        s.row(r.choice((left, self.width * .6)), y + s.em, self.texts.date(), s.body)
        y += 3.5 * s.em
        while y < self.height - 6 * s.em:
            y = s.paragraph(left, y, self.width - 2 * left, s.body, r.randint(2, 8), r.choice(('left', 'justify'))) + s.em
        s.signature(left, y + s.em, s.em)
        s.row(left, y + 3.5 * s.em, self.texts.name(), s.body)

    def cell(self):
        return self.r.choice((self.texts.number, self.texts.amount, self.texts.word, self.texts.date, self.texts.code,
                              self.texts.number, self.texts.label, self.sign))()

    def sign(self):
        """What stands in a cell and is no word: a mark, a length in seconds, the days of a week."""
        r = self.r
        days = r.choice(('MTWTFSS', '1111111', str(r.randint(2, 9)) * 7))
        return r.choice((r.choice('-xX01*/.ABN%#:'), f':{r.choice((15, 30, 60, 0)):02}',
                         ''.join(r.choice((d, d, '-')) for d in days), ''.join(r.choice((d, '-', '-', '-')) for d in days)))

    def table(self, x0=None, y0=None, x1=None, y1=None):
        r, s = self.r, self.sheet
        x0, x1 = x0 or s.em * r.uniform(.3, 2), x1 or self.width - s.em * r.uniform(.3, 2)
        y, y1 = y0 or s.em * r.uniform(1, 4), y1 or self.height
        if y0 is None and r.random() < .6:
            y = s.heading(x0, y, x1 - x0, 1.2)
        edges, x = [x0], x0
        while x < x1 - 3 * s.em:
            x += s.em * r.uniform(3, 11)
            edges.append(min(x, x1))
        first = s.em * r.uniform(6, 14) if r.random() < .5 else 0
        edges = [x0] + [e + first for e in edges[1:] if e + first < x1] + [x1]
        pitch, ruled, barred = s.em * r.uniform(1.15, 2.2), r.random() < .5, r.random() < .5
        aligned = [r.choice(('left', 'right', 'centre')) for _ in edges]
        pad, top = .4 * s.em, y - pitch
        kinds = [s.type(r.uniform(.45, .85)) if r.random() < .12 else s.body for _ in edges]
        if r.random() < .4:
            y = self.heads(edges, y, kinds[0] if r.random() < .3 else s.type(r.uniform(.45, 1.1)))
            if ruled or r.random() < .5:
                s.rule((x0, y - .7 * pitch), (x1, y - .7 * pitch))
        while y < y1 - .5 * s.em:
            s.blocks += 1
            for k, (a, b) in enumerate(zip(edges, edges[1:])):
                kind = kinds[k]
                if r.random() < .85:
                    string = self.texts.span(int((b - a) / (.6 * s.em)) + 2) if k == 0 and r.random() < .7 else self.cell()
                    room = max(2, int((b - a - 2 * pad) / (.58 * kind.em * kind.stretch)))
                    where = a + pad if k == 0 else dict(left=a + pad, right=b - pad, centre=(a + b) / 2)[aligned[k]]
                    s.row(where, y, string[:room].strip() or '0', kind, 'left' if k == 0 else aligned[k])
            if ruled or r.random() < .04:
                s.rule((x0, y + .3 * pitch), (x1, y + .3 * pitch), 1 if r.random() < .8 else None)
            y += pitch
        if barred:
            for e in edges:
                s.rule((e, top), (e, y), max(1, round(.05 * s.em)))

    def heads(self, edges, y, kind):
        """One or two rows that name the columns; returns the baseline of the first row of cells."""
        r, s, rows = self.r, self.sheet, self.r.choice((1, 2, 2))
        for a, b in zip(edges, edges[1:]):
            s.blocks += 1
            room = max(2, int((b - a) / (.62 * kind.em * kind.stretch)))
            for k in range(rows if r.random() < .7 else 1):
                string = self.texts.line(dict(label=3, shout=2, words=1))[:room].strip() or 'No.'
                s.row((a + b) / 2, y + 1.1 * k * kind.em, f'({string[:-2]})' if k and len(string) > 4 and r.random() < .4 else string, kind, 'centre')
        return y + 1.1 * (rows - 1) * kind.em + 1.6 * s.em

    def form(self):
        r, s = self.r, self.sheet
        y, left, right = s.em * 2, s.em * r.uniform(.2, 2), self.width - s.em * r.uniform(.2, 2)
        filled = s.type(r.uniform(.85, 1.25), dict(typewriter=2, any=1))
        small = s.type(r.uniform(.42, 1))
        if r.random() < .6:
            y = s.heading(left, y, right - left)
        while y < self.height - s.em:
            q = r.random()
            if q < .45:                                        # a row of boxes
                high, x = s.em * r.uniform(1.5, 3.6), left
                cells = sorted(r.uniform(left, right) for _ in range(r.randint(0, 3))) + [right]
                for e in cells:
                    s.box(x, y, e, y + high)
                    self.field(x, y, e, high, small, filled)
                    x = e
                y += high + r.choice((0, 0, s.em))
            elif q < .75:                                      # label, line to write on
                y += s.em * r.uniform(1.2, 1.8)
                x = left
                for _ in range(r.randint(1, 3)):
                    x = s.row(x, y, self.texts.line(dict(label=3, words=1)), s.body) + .4 * s.em
                    end = min(right, x + s.em * r.uniform(3, 14))
                    if r.random() < .6:
                        s.row(x + .3 * s.em, y - r.uniform(0, .15) * s.em, self.texts.value(), filled)
                    self.leader(x, end, y)
                    x = end + s.em
                    if x > right - 4 * s.em:
                        break
            elif q < .85:                                      # check boxes
                y += s.em * 1.4
                x = left
                while x < right - 6 * s.em:
                    side = .7 * s.em
                    s.box(x, y - side, x + side, y)
                    q = r.random()
                    if q < .15:
                        s.rule((x, y - side), (x + side, y), 1)
                    elif q < .4:
                        s.row(x + side / 2, y - .12 * side, r.choice('xXxXvV1*'), s.body, 'centre')
                    x = s.row(x + 1.2 * s.em, y, self.texts.line(dict(label=1, words=2)), s.body) + 1.5 * s.em
            elif q < .9:
                y = self.signed(left, right, y + 2.5 * s.em, small, filled)
            elif q < .95:
                y = s.paragraph(left, y + 1.4 * s.em, right - left, small, r.randint(1, 4))
            else:
                self.table(left, y + 2 * s.em, right, min(self.height, y + s.em * r.uniform(5, 12)))
                y += 12 * s.em
        if r.random() < .4:
            s.box(left, s.em, right, self.height - s.em)

    def signed(self, left, right, y, small, filled):
        """Lines to sign on with what they are for below; hands run into both. Returns where the next row may be."""
        r, s = self.r, self.sheet
        x = left + r.uniform(0, 5) * s.em
        while x < right - 5 * s.em:
            end = min(right, x + s.em * r.uniform(5, 14))
            s.rule((x, y), (end, y), max(1, round(.06 * s.em)))
            s.blocks += 1
            if r.random() < .65:
                s.signature(x + r.uniform(0, 2) * s.em, y - r.uniform(0, .6) * s.em, s.em * r.uniform(.5, 1.3))
            elif r.random() < .5:
                s.row(x + .5 * s.em, y - .15 * s.em, self.texts.value(), filled)
            where = y + small.up + r.uniform(.1, .4) * s.em
            room = max(2, int((end - x) / (.62 * small.em)))
            label = self.texts.line(dict(label=3, shout=2))[:room].strip() or 'Date'
            s.row(x if r.random() < .5 else (x + end) / 2, where, label, small, r.choice(('left', 'centre')))
            x = end + r.uniform(.5, 5) * s.em
        return y + small.up + s.em

    def field(self, x, y, end, high, small, filled):
        """A box of a form: a label at its top left or in its middle, mostly filled in."""
        r, s = self.r, self.sheet
        s.blocks += 1
        room = max(1, int((end - x - .6 * s.em) / (.55 * small.em)))
        label = self.texts.line(dict(label=4, words=1))[:room].strip() or 'No'
        where = y + small.up + .25 * s.em
        after = s.row(x + .3 * s.em, where, label, small)
        room = max(0, int((end - x - s.em) / (.6 * filled.em)))
        if room and r.random() < .7:
            value = self.texts.value()[:room].strip()
            if high > 2.2 * s.em:
                s.row(x + r.uniform(.3, 1.2) * s.em, y + high - .4 * s.em, value, filled)
            elif after + s.em < end:
                s.row(after + .8 * s.em, where, value[:max(1, int((end - after - s.em) / (.6 * filled.em)))], filled)

    def leader(self, x, end, y):
        r, s = self.r, self.sheet
        if r.random() < .6:
            s.rule((x, y + .15 * s.em), (end, y + .15 * s.em), 1)
        elif r.random() < .7:
            for k in range(int((end - x) / (.35 * s.em))):
                cv2.circle(s.canvas, (round(x + .35 * s.em * k), round(y)), max(1, round(.05 * s.em)), 255, -1)

    def receipt(self, x0=0, y0=0, x1=None, y1=None):
        r, s = self.r, self.sheet
        x1, y1 = x1 or self.width, y1 or self.height
        left, right, y = x0 + s.em * r.uniform(.3, 2.5), x1 - s.em * r.uniform(.3, 2.5), y0 + s.em * r.uniform(1.5, 3)
        middle, pitch = (left + right) / 2, s.em * r.uniform(1.0, 1.5)
        room = max(4, int((right - left) / (.55 * s.em)))
        s.blocks += 1
        if r.random() < .5:
            kind = s.type(r.uniform(1.2, 2.2))
            s.row(middle, y + kind.em * .5, self.texts.line(dict(words=1, shout=1))[:room // 2].strip() or 'SHOP', kind, 'centre')
            y += kind.em * 1.3 + pitch
        for _ in range(r.randint(2, 7)):
            s.row(middle, y, self.texts.address()[:room].strip(), s.body, 'centre')
            y += pitch
        while y < y1 - s.em:
            q = r.random()
            if q < .12:
                s.blocks += 1
                y += r.choice((.5, 1)) * pitch
            elif q < .24:
                if r.random() < .5:
                    s.row(left, y, r.choice('-=*_') * room, s.body)
                    s.lines.pop()                              # a rule of signs is no text
                else:
                    s.rule((left, y - .3 * s.em), (right, y - .3 * s.em))
            elif q < .7:
                price = f'{r.random() * 10 ** r.randint(1, 3):.2f}'
                s.row(left, y, self.texts.receipt_line()[:max(3, room - 10)].strip() or 'X', s.body)
                s.row(right, y, price, s.body, 'right')
            else:
                s.row(r.choice((left, left, middle)), y, self.texts.line(dict(receipt=2, labelled=2, shout=1))[:room].strip() or 'X', s.body, 'left')
            y += pitch

    def labels(self):
        """A sheet of a collection: pictures over all of it, paper labels with a few lines stuck on."""
        r, s = self.r, self.sheet
        for _ in range(r.randint(1, 4)):
            x, y = r.uniform(-.2, .7) * self.width, r.uniform(-.2, .7) * self.height
            s.picture(x, y, x + r.uniform(.3, 1) * self.width, y + r.uniform(.3, 1) * self.height)
        for _ in range(r.randint(1, 4)):
            wide, rows = s.em * r.uniform(8, 26), r.randint(2, 10)
            kind, high = s.type(r.choice((.8, 1, 1, 1.2))), 0
            high = (rows + 2) * kind.em * 1.4
            x, y = r.uniform(0, max(1, self.width - wide)), r.uniform(0, max(1, self.height - high))
            self.clear(x, y, x + wide, y + high)
            if r.random() < .5:
                s.box(x, y, x + wide, y + high)
            at, align = y + 1.8 * kind.em, r.choice(('left', 'centre'))
            room = max(3, int((wide - kind.em) / (.55 * kind.em * kind.stretch)))
            s.blocks += 1
            if r.random() < .4:
                big = s.type(r.uniform(1.2, 1.8))
                s.row(x + wide / 2, at, self.texts.line(dict(words=2, shout=1))[:room // 2].strip() or 'Herb.', big, 'centre')
                at += 1.4 * big.em
            while at < y + high - .4 * kind.em:
                string = self.texts.line(dict(prose=3, values=2, labelled=2, letter=1, foreign=3))[:room].strip() or 'x'
                if r.random() < .12:
                    s.signature(x + kind.em, at, kind.em * .6)
                else:
                    s.row(x + (wide / 2 if align == 'centre' else .6 * kind.em), at, string, kind, align)
                at += kind.em * r.uniform(1.1, 1.5)

    def clear(self, x0, y0, x1, y1):
        """Paper over what is there; lines that are covered go."""
        s, (x0, y0, x1, y1) = self.sheet, (max(0, round(v)) for v in (x0, y0, x1, y1))
        s.canvas[y0:y1, x0:x1] = self.r.choice((0, 0, 0, 25))
        keep = [l for l in s.lines if l.quad[:, 0].max() < x0 or l.quad[:, 0].min() > x1 or
                l.quad[:, 1].max() + l.xheight < y0 or l.quad[:, 1].min() - l.xheight > y1]
        gone = [l for l in s.lines if not any(l is k for k in keep)]
        s.unsure += [w.quad for l in gone for w in l.words]
        s.lines = keep

    def slide(self):
        r, s = self.r, self.sheet
        for _ in range(r.randint(4, 14)):
            x, y = r.uniform(0, .8) * self.width, r.uniform(.02, .98) * self.height
            kind = s.type(r.choice((.7, 1, 1, 1.4, 2, 3)))
            band = s.canvas[max(0, round(y - 1.6 * kind.em)):round(y + .8 * kind.em)]
            if band.size and not band[:, round(x):].any():
                s.blocks += 1
                s.row(x, y, self.texts.line(dict(prose=2, words=2, labelled=2, shout=1)), kind)
        for _ in range(r.randint(0, 3)):
            x, y = r.uniform(0, .8) * self.width, r.uniform(0, .8) * self.height
            high, wide = r.uniform(3, 8) * s.em, r.uniform(4, 15) * s.em
            if not s.canvas[round(y):round(y + high), round(x):round(x + wide)].any():
                s.picture(x, y, x + wide, y + high)

    def blank(self):
        """No text at all."""
        for _ in range(self.r.randint(0, 6)):
            x, y = self.r.uniform(-.2, .8) * self.width, self.r.uniform(-.2, .8) * self.height
            self.sheet.picture(x, y, x + self.r.uniform(.1, 1) * self.width, y + self.r.uniform(.1, 1) * self.height)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes JBIG2 streams (ITU-T T.88) and the bitmaps that they say, for
test_jbig2: NAME.jb2, as it stands in a PDF, and NAME.pbm. Python 3 standard library only; where there
is jbig2dec, its pictures must be the same, but for two: jbig2dec 0.19 takes another context for the
prediction of template 1 (refine-1-typical), and knows no regions that are kept (refine-kept).

    make_jbig2.py
"""
import os, random, re, shutil, struct, subprocess

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jbig2")
QE = [(0x5601, 1, 1, 1), (0x3401, 2, 6, 0), (0x1801, 3, 9, 0), (0x0AC1, 4, 12, 0), (0x0521, 5, 29, 0), (0x0221, 38, 33, 0),
      (0x5601, 7, 6, 1), (0x5401, 8, 14, 0), (0x4801, 9, 14, 0), (0x3801, 10, 14, 0), (0x3001, 11, 17, 0), (0x2401, 12, 18, 0),
      (0x1C01, 13, 20, 0), (0x1601, 29, 21, 0), (0x5601, 15, 14, 1), (0x5401, 16, 14, 0), (0x5101, 17, 15, 0), (0x4801, 18, 16, 0),
      (0x3801, 19, 17, 0), (0x3401, 20, 18, 0), (0x3001, 21, 19, 0), (0x2801, 22, 19, 0), (0x2401, 23, 20, 0), (0x2201, 24, 21, 0),
      (0x1C01, 25, 22, 0), (0x1801, 26, 23, 0), (0x1601, 27, 24, 0), (0x1401, 28, 25, 0), (0x1201, 29, 26, 0), (0x1101, 30, 27, 0),
      (0x0AC1, 31, 28, 0), (0x09C1, 32, 29, 0), (0x08A1, 33, 30, 0), (0x0521, 34, 31, 0), (0x0441, 35, 32, 0), (0x02A1, 36, 33, 0),
      (0x0221, 37, 34, 0), (0x0141, 38, 35, 0), (0x0111, 39, 36, 0), (0x0085, 40, 37, 0), (0x0049, 41, 38, 0), (0x0025, 42, 39, 0),
      (0x0015, 43, 40, 0), (0x0009, 44, 41, 0), (0x0005, 45, 42, 0), (0x0001, 45, 43, 0), (0x5601, 46, 46, 0)]


class Encoder:
    """The encoder of annex E.2; contexts are named by any key."""

    def __init__(self):
        self.a, self.c, self.ct, self.out, self.states = 0x8000, 0, 12, [0], {}

    def byte_out(self):
        def put(shift):
            self.out.append(self.c >> shift)
            self.c &= (1 << shift) - 1
            self.ct = 8 if shift == 19 else 7

        if self.out[-1] == 0xFF:
            return put(20)
        if self.c >= 0x8000000:
            self.out[-1] += 1
            if self.out[-1] == 0xFF:
                self.c &= 0x7FFFFFF
                return put(20)
            self.c &= 0x7FFFFFF
        put(19)

    def bit(self, context, bit):
        state, mps = self.states.get(context, (0, 0))
        qe, next_mps, next_lps, swap = QE[state]
        self.a -= qe
        likely = bit == mps
        if likely == (self.a < qe):
            self.a = qe
        else:
            self.c += qe
        if likely and self.a & 0x8000 and self.a != qe:
            return
        if likely:
            self.states[context] = next_mps, mps
        else:
            self.states[context] = next_lps, mps ^ swap
        while not self.a & 0x8000:
            self.a, self.c, self.ct = self.a << 1, self.c << 1, self.ct - 1
            if not self.ct:
                self.byte_out()

    def integer(self, name, v):
        before = 1

        def put(b):
            nonlocal before
            self.bit((name, before), b)
            before = before << 1 | b if before < 256 else (before << 1 | b) & 511 | 256

        if v is None:  # out of band
            for b in 1, 0, 0, 0:
                put(b)
            return
        put(int(v < 0))
        for i, (bits, base, end) in enumerate([(2, 0, 4), (4, 4, 20), (6, 20, 84), (8, 84, 340), (12, 340, 4436), (32, 4436, 1 << 33)]):
            if abs(v) < end:
                break
        for b in [1] * i + [0] * (i < 5):
            put(b)
        for k in reversed(range(bits)):
            put(abs(v) - base >> k & 1)

    def symbol(self, v, bits):
        before = 1
        for k in reversed(range(bits)):
            b = v >> k & 1
            self.bit(("IAID", before), b)
            before = before << 1 | b

    def flush(self):
        end = self.c + self.a
        self.c |= 0xFFFF
        if self.c >= end:
            self.c -= 0x8000
        for _ in range(2):
            self.c <<= self.ct
            self.byte_out()
        return bytes(self.out[1:]) + (b"\xac" if self.out[-1] == 0xFF else b"\xff\xac")


def standard_tables():
    """The lines (bits of the word, bits behind it or their kind, lowest number) of tables B.1 to B.15."""
    with open(os.path.join(HERE, "../../../src/codec/pdf/jbig2_huffman.c")) as f:
        text = f.read()
    text = text[text.index(" standard[] = {"):]
    tables = [[]]
    for length, bits, low in re.findall(r"\{(\d+), (\w+), (-?\d+)\}", text[:text.index("};")]):
        if length == "0":
            tables.append([])
        else:
            tables[-1].append((int(length), bits, int(low)))
    return [None] + tables[:15]


def words(lengths):
    """The words of things with words of these lengths (annex B.3)."""
    ret, first, before = {}, 0, 0
    for length in range(1, 33):
        first = (first + before) << 1
        of_length = [i for i, n in enumerate(lengths) if n == length]
        for k, i in enumerate(of_length):
            ret[i] = format(first + k, "0%db" % length)
        before = len(of_length)
    return ret


class Bits:
    """Numbers in the Huffman code; None is "out of band"."""

    def __init__(self):
        self.text = ""

    def put(self, v, n):
        self.text += format(v, "0%db" % n) if n else ""

    def integer(self, table, v):
        for i, (_, bits, low) in enumerate(table):
            n = 32 if bits in ("ABOVE", "BELOW") else int(bits) if bits.isdigit() else 0
            more = None if v is None or bits == "OUT_OF_BAND" else low - v if bits == "BELOW" else v - low
            if (v is None) == (bits == "OUT_OF_BAND") and (more is None or 0 <= more < 1 << n):
                self.text += words([t[0] for t in table])[i]
                self.put(more or 0, n)
                return
        raise ValueError(v)

    def bytes(self):
        self.text = self.text.ljust((len(self.text) + 7) // 8 * 8, "0")
        return bytes(int(self.text[i:i + 8], 2) for i in range(0, len(self.text), 8))


def get(b, x, y):
    return b[y][x] if 0 <= y < len(b) and 0 <= x < len(b[0]) else 0


TEMPLATES = [[(-1, 0), (-2, 0), (-3, 0), (-4, 0), 0, (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1), 1, 2, (1, -2), (0, -2), (-1, -2), 3],
             [(-1, 0), (-2, 0), (-3, 0), 0, (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1), (2, -2), (1, -2), (0, -2), (-1, -2)],
             [(-1, 0), (-2, 0), 0, (1, -1), (0, -1), (-1, -1), (-2, -1), (1, -2), (0, -2), (-1, -2)],
             [(-1, 0), (-2, 0), (-3, 0), (-4, 0), 0, (1, -1), (0, -1), (-1, -1), (-2, -1), (-3, -1)]]
TYPICAL = [0x9B25, 0x0795, 0x00E5, 0x0195]
NOMINAL = [[(3, -1), (-3, -1), (2, -2), (-2, -2)], [(3, -1)], [(2, -1)], [(2, -1)]]


def generic(e, b, template, at, typical=False):
    before = 0
    for y, row in enumerate(b):
        if typical:
            same = int(row == (b[y - 1] if y else [0] * len(row)))
            e.bit(("GB", TYPICAL[template]), same ^ before)
            before = same
            if same:
                continue
        for x, v in enumerate(row):
            places = [at[p] if isinstance(p, int) else p for p in TEMPLATES[template]]
            e.bit(("GB", sum(get(b, x + dx, y + dy) << i for i, (dx, dy) in enumerate(places))), v)


OLD_NEW = [([(-1, 0), (1, -1), (0, -1), (-1, -1)], [(1, 1), (0, 1), (-1, 1), (1, 0), (0, 0), (-1, 0), (1, -1), (0, -1), (-1, -1)]),
           ([(-1, 0), (1, -1), (0, -1), (-1, -1)], [(1, 1), (0, 1), (1, 0), (0, 0), (-1, 0), (0, -1)])]


def refine(e, new, old, dx, dy, template, typical=False):
    before = 0
    for y, row in enumerate(new):
        def even(x):
            around = {get(old, x - dx + i, y - dy + k) for i in (-1, 0, 1) for k in (-1, 0, 1)}
            return around.pop() if len(around) == 1 else None
        predict = typical and all(even(x) in (None, v) for x, v in enumerate(row))
        if typical:
            e.bit(("GR", [0x100, 0x080][template]), int(predict) ^ before)
            before = int(predict)
        for x, v in enumerate(row):
            if predict and even(x) is not None:
                continue
            a, b = OLD_NEW[template]
            bits = [get(new, x + i, y + k) for i, k in a] + [get(old, x - dx + i, y - dy + k) for i, k in b]
            e.bit(("GR", sum(v << i for i, v in enumerate(bits))), v)


def segment(number, kind, data, refs=()):
    return struct.pack(">IBB", number, kind, len(refs) << 5) + bytes(refs) + b"\1" + struct.pack(">I", len(data)) + data


def page(width, height, flags=0):
    return segment(0, 48, struct.pack(">IIIIBH", width, height, 0, 0, flags, 0))


def region(b, x=0, y=0, op=0):
    return struct.pack(">IIIIB", len(b[0]), len(b), x, y, op)


def at_bytes(at):
    return b"".join(struct.pack("bb", *p) for p in at)


def generic_segment(number, b, template=0, typical=False, at=None, kind=38, **place):
    at = at or NOMINAL[template]
    e = Encoder()
    generic(e, b, template, at, typical)
    return segment(number, kind, region(b, **place) + bytes([template << 1 | typical << 3]) + at_bytes(at) + e.flush())


def blank(width, height):
    return [[0] * width for _ in range(height)]


def draw(to, b, x, y, op=0):
    for j, row in enumerate(b):
        for i, v in enumerate(row):
            if 0 <= y + j < len(to) and 0 <= x + i < len(to[0]):
                old = to[y + j][x + i]
                to[y + j][x + i] = [old | v, old & v, old ^ v, 1 - (old ^ v), v][op]


def rings(width, height, step=5):
    return [[int(((x - width / 2) ** 2 + (y - height / 2) ** 2) ** .5 % step < step / 2) for x in range(width)] for y in range(height)]


def glyph(*rows):
    return [[int(c == "#") for c in r] for r in rows]


GLYPHS = [glyph("###", "#..", "##.", "#..", "###"), glyph("#...#", "##.##", "#.#.#", "#...#", "#...#"), glyph("##", "##"),
          glyph("####", "#..#", "#..#", "#..#", "####", "...#", "###.")]


def symbol_segment(number, symbols, template=1):
    """A dictionary of symbols, and these sorted by height."""
    e = Encoder()
    height = 0
    order = sorted(symbols, key=len)
    for h in sorted({len(b) for b in order}):
        e.integer("IADH", h - height)
        height, width = h, 0
        for b in (b for b in order if len(b) == h):
            e.integer("IADW", len(b[0]) - width)
            width = len(b[0])
            generic(e, b, template, NOMINAL[template])
        e.integer("IADW", None)
    e.integer("IAEX", 0)
    e.integer("IAEX", len(order))
    head = struct.pack(">H", template << 10) + at_bytes(NOMINAL[template])
    return segment(number, 0, head + struct.pack(">II", len(order), len(order)) + e.flush()), order


def text_segment(number, refs, symbols, strips, size, corner=1, transposed=False, log_strips=0, refined=None, op=0):
    """strips: lists of (s, t, symbol), each of rows t of one strip; refined: {index: (dw, dh, dx, dy, bitmap)}."""
    e, out = Encoder(), blank(*size)
    n, first, strip_t, height = 0, 0, 0, 1 << log_strips
    e.integer("IADT", 0)
    for strip in strips:
        base = min(t for _, t, _ in strip) // height
        e.integer("IADT", base - strip_t)
        strip_t = base
        for k, (s, t, i) in enumerate(strip):
            if k:
                e.integer("IADS", s - at)
            else:
                e.integer("IAFS", s - first)
                first = s
            at = s
            if log_strips:
                e.integer("IAIT", t - base * height)
            e.symbol(i, max(len(symbols) - 1, 0).bit_length())
            b = symbols[i]
            if refined is not None:
                e.integer("IARI", int(n in refined))
                if n in refined:
                    dw, dh, dx, dy, b = refined[n]
                    for name, v in zip(("IARDW", "IARDH", "IARDX", "IARDY"), (dw, dh, dx, dy)):
                        e.integer(name, v)
                    refine(e, b, symbols[i], (dw >> 1) + dx, (dh >> 1) + dy, 1)
            right, bottom = corner >= 2, corner in (0, 2)
            length = (len(b) if transposed else len(b[0])) - 1
            far = bottom if transposed else right
            at += length if far else 0
            x, y = (t, at) if transposed else (at, t)
            draw(out, b, x - (len(b[0]) - 1) * right, y - (len(b) - 1) * bottom, op)
            at += 0 if far else length
            n += 1
        e.integer("IADS", None)
    flags = (refined is not None) * (2 | 1 << 15) | log_strips << 2 | corner << 4 | transposed << 6 | op << 7
    return segment(number, 6, region(out) + struct.pack(">HI", flags, n) + e.flush(), refs), out


def halftone_segments(number, size, cell=4):
    """A ramp in a grid of cells, whose patterns have one pixel more each."""
    patterns = [[[int(y * cell + x < k) for x in range(cell)] for y in range(cell)] for k in range(cell * cell)]
    all_of_them = [sum((p[y] for p in patterns), []) for y in range(cell)]
    e = Encoder()
    generic(e, all_of_them, 0, [(-cell, 0), (-3, -1), (2, -2), (-2, -2)])
    first = segment(number, 16, struct.pack(">BBBI", 0, cell, cell, len(patterns) - 1) + e.flush())
    nx, ny = size[0] // cell, size[1] // cell
    gray = [[(x + 2 * y) % 16 for x in range(nx)] for y in range(ny)]
    e = Encoder()
    for bit in reversed(range(4)):
        generic(e, [[(v ^ v >> 1) >> bit & 1 for v in row] for row in gray], 0, [(3, -1), (-3, -1), (2, -2), (-2, -2)])
    out = blank(*size)
    for y in range(ny):
        for x in range(nx):
            draw(out, patterns[gray[y][x]], x * cell, y * cell)
    head = region(out) + struct.pack(">BIIiiHH", 0, nx, ny, 0, 0, cell << 8, 0)
    return first + segment(number + 1, 22, head + e.flush(), [number]), out


def huffman_symbols(number, symbols, height_choice, width_choice):
    """A dictionary of symbols as they are, and these sorted by height."""
    tables, e, order, height = standard_tables(), Bits(), sorted(symbols, key=len), 0
    for h in sorted({len(b) for b in order}):
        of_height, width = [b for b in order if len(b) == h], 0
        e.integer(tables[4 + height_choice], h - height)
        height = h
        for b in of_height:
            e.integer(tables[2 + width_choice], len(b[0]) - width)
            width = len(b[0])
        e.integer(tables[2 + width_choice], None)
        e.integer(tables[1], 0)
        e.bytes()
        for y in range(h):
            e.text += "".join(str(v) for b in of_height for v in b[y])
            e.bytes()
    e.integer(tables[1], 0)
    e.integer(tables[1], len(order))
    head = struct.pack(">HII", 1 | height_choice << 2 | width_choice << 4, len(order), len(order))
    return segment(number, 0, head + e.bytes()), order


def huffman_text(number, refs, symbols, size, choices):
    """A symbol from every line of the tables choices = (FS, DS, DT): far off the page, and back onto it."""
    tables, e, out = standard_tables(), Bits(), blank(*size)
    first, steps, rows = (tables[base + c] for base, c in zip((6, 8, 11), choices))
    numbers = [[low + (5 if bits == "ABOVE" else -5 if bits == "BELOW" else (1 << int(bits)) - 1) for _, bits, low in t
                if bits != "OUT_OF_BAND"] for t in (first, steps, rows)]
    lengths = [2, 2, 3, 3, 3] if len(symbols) == 5 else [2] * len(symbols)
    for v in range(35):  # words of 2 and 3 bits, and 0 for the others
        e.put(1 if v in (2, 3) else 0, 4)
    for v in lengths:
        e.put(v - 2, 1)
    e.bytes()
    start, n, s, at, t = sum(numbers[2]), 0, 0, 0, -sum(numbers[2])
    e.integer(rows, start)

    def place(i):
        nonlocal at, n
        e.text += words(lengths)[i]
        draw(out, symbols[i], at, t)
        at += len(symbols[i][0]) - 1
        n += 1

    for k, row in enumerate(numbers[2]):
        last = k + 1 == len(numbers[2])
        e.integer(rows, row)
        t += row
        step = 3 - s if last else numbers[0][k % len(numbers[0])]
        e.integer(first, step)
        s = at = s + step
        place(k % len(symbols))
        for i, step in enumerate(numbers[1] if last else []):
            e.integer(steps, step)
            at += step
            place(i % len(symbols))
        if last:
            for x in 12, 22, 31:
                e.integer(steps, x - at)
                at = x
                place(n % len(symbols))
        e.integer(steps, None)
    flags = choices[0] | choices[1] << 2 | choices[2] << 4
    return segment(number, 6, region(out) + struct.pack(">HHI", 1 | 1 << 4, flags, n) + e.bytes(), refs), out


def write(name, stream, b):
    path = os.path.join(HERE, name)
    with open(path + ".jb2", "wb") as f:
        f.write(stream)
    width = len(b[0])
    rows = b"".join(int("".join(map(str, r)).ljust((width + 7) // 8 * 8, "0"), 2).to_bytes((width + 7) // 8, "big") for r in b)
    with open(path + ".pbm", "wb") as f:
        f.write(b"P4\n%d %d\n" % (width, len(b)) + rows)
    if shutil.which("jbig2dec"):
        theirs = subprocess.run(["jbig2dec", "-q", "-e", "-t", "pbm", "-o", "-", path + ".jb2"], stdout=subprocess.PIPE).stdout
        print("%-20s %4d bytes, jbig2dec: %s" % (name, len(stream), "same" if theirs.endswith(rows) else "DIFFERENT"))


def main():
    size = 45, 33
    b = rings(*size)
    noise = [[random.Random(7 * x + 131 * y).getrandbits(1) for x in range(size[0])] for y in range(size[1])]
    flat = [list(b[y // 4 * 4]) for y in range(size[1])]
    for t in range(4):
        write("generic-%d" % t, page(*size) + generic_segment(1, b, t), b)
        write("typical-%d" % t, page(*size) + generic_segment(1, flat, t, True), flat)
    write("noise", page(*size) + generic_segment(1, noise), noise)
    far = [(-20, 0), (9, -3), (2, -12), (-2, -2)]
    write("adaptive", page(*size) + generic_segment(1, b, 0, at=far), b)
    for op, name in enumerate(["or", "and", "xor", "xnor", "replace"]):
        out = [list(r) for r in b]
        draw(out, rings(20, 10, 3), 30, 28, op)
        write("op-" + name, page(*size) + generic_segment(1, b) + generic_segment(2, rings(20, 10, 3), 1, x=30, y=28, op=op), out)
    for t in range(2):
        for typical in False, True:
            e = Encoder()
            new = [[v ^ int((x * 7 + y * 3) % 23 == 0) for x, v in enumerate(r)] for y, r in enumerate(b)]
            refine(e, new, b, 0, 0, t, typical)
            data = region(new, op=4) + bytes([t | typical << 1]) + (at_bytes([(-1, -1), (-1, -1)]) if not t else b"") + e.flush()
            write("refine-%d%s" % (t, "-typical" * typical), page(*size) + generic_segment(1, b) + segment(2, 42, data), new)
    for t in 0, 1, 2, 3:
        first, symbols = symbol_segment(1, GLYPHS, t)
        second, out = text_segment(2, [1], symbols, [[(2, 3, 1), (9, 3, 2), (20, 3, 3)], [(4, 14, 0), (15, 14, 1)]], size)
        write("text-%d" % t, page(*size) + first + second, out)
    first, symbols = symbol_segment(1, GLYPHS)
    for corner in range(4):
        for transposed in False, True:
            second, out = text_segment(2, [1], symbols, [[(6, 9, 1), (13, 11, 2)], [(9, 20, 0), (14, 22, 3)]], size, corner, transposed, 2)
            write("corner-%d%s" % (corner, "-transposed" * transposed), page(*size) + first + second, out)
    bigger = glyph("####", "#..#", "###.", "#...", "####", "#..#")
    second, out = text_segment(2, [1], symbols, [[(2, 3, 1), (12, 3, 1), (22, 3, 0)]], size, refined={1: (1, 1, 0, 0, bigger)})
    write("text-refined", page(*size) + first + second, out)
    write_aggregate(size)
    many = GLYPHS + [rings(90, 7, 3)]
    for choices in (0, 0, 0), (1, 1, 1), (0, 2, 2):
        first, symbols = huffman_symbols(1, many, choices[0], choices[0])
        second, out = huffman_text(2, [1], symbols, size, choices)
        write("huffman-%d%d%d" % choices, page(*size) + first + second, out)
    kept = generic_segment(1, b, kind=36)
    write("refine-kept", page(*size) + kept + segment(2, 42, data, [1]), new)
    first, out = halftone_segments(1, (48, 32))
    write("halftone", page(48, 32) + first, out)


def write_aggregate(size):
    """A dictionary whose symbol is another one's, refined: it refers to the first."""
    first, symbols = symbol_segment(1, GLYPHS, 1)
    new = glyph("####", "#...", "##..", "#..#", "####")
    e = Encoder()
    bits = len(symbols).bit_length()
    e.integer("IADH", len(new))
    e.integer("IADW", len(new[0]))
    e.integer("IAAI", 1)
    e.symbol(1, bits)
    e.integer("IARDX", 0)
    e.integer("IARDY", 0)
    refine(e, new, symbols[1], 0, 0, 1)
    e.integer("IADW", None)
    e.integer("IAEX", len(symbols))
    e.integer("IAEX", 1)
    second = segment(2, 0, struct.pack(">H", 2 | 1 << 10 | 1 << 12) + at_bytes(NOMINAL[1]) + struct.pack(">II", 1, 1) + e.flush(), [1])
    third, out = text_segment(3, [2, 1], [new] + symbols, [[(2, 3, 0), (10, 3, 2)]], size)
    write("aggregate", page(*size) + first + second + third, out)


if __name__ == "__main__":
    main()

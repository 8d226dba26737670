#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes more JBIG2 streams for test_jbig2, as make_jbig2.py does: Huffman tables of the file's own, refined
symbols and symbols made of others in the Huffman code, contexts that another dictionary goes on with, the
template of twelve adaptive pixels, halftones that leave places out, regions of unknown length. Python 3 standard
library only. jbig2dec 0.19 has no contexts that go on and no such template, and refined symbols of a Huffman code
begin elsewhere for it: streams named kept, extended, huffman-refined and huffman-aggregate are different there.

    make_jbig2_more.py
"""
import struct

from make_jbig2 import (GLYPHS, NOMINAL, Bits, Encoder, at_bytes, blank, draw, generic, generic_segment, get, glyph, page, refine, region,
                        rings, segment, standard_tables, symbol_segment, text_segment, words, write, TEMPLATES, TYPICAL)

SIZE = 45, 33
STANDARD = standard_tables()


def table_segment(number, low, high, lines, length_bits=3, range_bits=4):
    """lines: of the ranges from low to high, which follow each other, then BELOW, ABOVE, and OUT_OF_BAND or none."""
    e = Bits()
    for length, bits, _ in lines:
        e.put(length, length_bits)
        if bits.isdigit():
            e.put(int(bits), range_bits)
    flags = (lines[-1][1] == "OUT_OF_BAND") | length_bits - 1 << 1 | range_bits - 1 << 4
    return segment(number, 53, struct.pack(">Bii", flags, low, high) + e.bytes())


# Tables of the file's own, with words of other lengths than those of the standard. The last range of SMALL goes one over
# its highest number.
SMALL = [(3, "2", -4), (2, "3", 0), (3, "3", 8), (3, "3", 16), (4, "2", 24), (5, "BELOW", -5), (5, "ABOVE", 27)]
SMALL_OOB = [(3, "2", -4), (2, "3", 0), (3, "3", 8), (4, "3", 16), (4, "2", 24), (5, "BELOW", -5), (5, "ABOVE", 28), (2, "OUT_OF_BAND", 0)]
ONES = [(1, "0", 0), (2, "0", 1), (0, "BELOW", -1), (2, "ABOVE", 2)]


def own_tables(first):
    """Three segments: SMALL, SMALL_OOB and ONES."""
    return (table_segment(first, -4, 27, SMALL) + table_segment(first + 1, -4, 28, SMALL_OOB) +
            table_segment(first + 2, 0, 2, ONES, 2, 1))


def symbol_bits(e, lengths):
    """The code of symbols: words of one length for the lengths of words."""
    for v in range(35):
        e.put(4 if v < 16 else 0, 4)
    for v in lengths:
        e.put(v, 4)
    e.bytes()


class Refiner:
    """Refined symbols in a Huffman code: contexts go on, the arithmetic code begins anew."""

    def __init__(self, template):
        self.states, self.template = {}, template

    def put(self, e, table, new, old, dx, dy):
        a = Encoder()
        a.states = self.states
        refine(a, new, old, dx, dy, self.template)
        data = a.flush()
        e.integer(table, len(data))
        e.bytes()
        e.text += "".join(format(b, "08b") for b in data)


def put_strips(e, tables, out, strips, symbols, put_id, refined=None, refiner=None):
    """The symbols of a text region in the Huffman code, all on their strips' rows; tables: FS, DS, DT, RDW, RDH, RDX, RDY, RSIZE."""
    first, strip_t, n, at = 0, -1, 0, 0
    e.integer(tables[2], 1)  # negative, since the table of the standard begins with 1
    for strip in strips:
        e.integer(tables[2], strip[0][1] - strip_t)
        strip_t = strip[0][1]
        for k, (s, t, i) in enumerate(strip):
            if k:
                e.integer(tables[1], s - at)
            else:
                e.integer(tables[0], s - first)
                first = s
            put_id(i)
            b = symbols[i]
            if refined is not None:
                e.put(int(n in refined), 1)
            if n in (refined or {}):
                dw, dh, dx, dy, b = refined[n]
                for table, v in zip(tables[3:], (dw, dh, dx, dy)):
                    e.integer(table, v)
                refiner.put(e, tables[7], b, symbols[i], (dw >> 1) + dx, (dh >> 1) + dy)
            draw(out, b, s, t)
            at = s + len(b[0]) - 1
            n += 1
        e.integer(tables[1], None)
    return n


def huffman_text_segment(number, refs, symbols, strips, tables, choices, refined=None, template=1):
    e, out = Bits(), blank(*SIZE)
    lengths = [1 + i for i in range(len(symbols) - 1)] + [len(symbols) - 1]
    symbol_bits(e, lengths)

    def put_id(i):
        e.text += words(lengths)[i]

    n = put_strips(e, tables, out, strips, symbols, put_id, refined, Refiner(template))
    flags = 1 | (refined is not None) * (2 | template << 15) | 1 << 4
    at = at_bytes([(-1, -1), (-1, -1)]) if refined is not None and not template else b""
    return segment(number, 6, region(out) + struct.pack(">HH", flags, choices) + at + struct.pack(">I", n) + e.bytes(), refs), out


def plain_symbols(number, refs, symbols, tables, choices):
    """A dictionary in the Huffman code; tables: DH, DW, BMSIZE."""
    e, order, height = Bits(), sorted(symbols, key=len), 0
    for h in sorted({len(b) for b in order}):
        of_height, width = [b for b in order if len(b) == h], 0
        e.integer(tables[0], h - height)
        height = h
        for b in of_height:
            e.integer(tables[1], len(b[0]) - width)
            width = len(b[0])
        e.integer(tables[1], None)
        e.integer(tables[2], 0)
        e.bytes()
        for y in range(h):
            e.text += "".join(str(v) for b in of_height for v in b[y])
            e.bytes()
    e.integer(STANDARD[1], 0)
    e.integer(STANDARD[1], len(order))
    return segment(number, 0, struct.pack(">HII", 1 | choices, len(order), len(order)) + e.bytes(), refs), order


OF_OTHERS = [STANDARD[i] for i in (6, 8, 11, 15, 15, 15, 15, 1)]
BIGGER = glyph("####", "#..#", "###.", "#...", "####", "#..#")
BOX = glyph("####", "#..#", "#..#", "####")
ACCENT = glyph("####", "#...", "##..", "#..#", "####")
STRIPS = [[(2, 3, 1), (12, 3, 1), (22, 3, 0)], [(4, 16, 2), (20, 16, 3)]]


def huffman_dictionary_of_others(number, refs, old, template, tables=(STANDARD[4], STANDARD[2], STANDARD[1]), choices=0):
    """Two symbols: one refined from another, and one of that and of another, of which one is refined; tables: DH, DW, AGGINST."""
    e, r = Bits(), Refiner(template)
    bits = (len(old) + 1).bit_length()
    pair = blank(9, 6)
    e.integer(tables[0], 5)
    e.integer(tables[1], 4)
    e.integer(tables[2], 1)
    e.put(1, bits)
    for v in 1, -1:
        e.integer(STANDARD[15], v)
    r.put(e, STANDARD[1], ACCENT, old[1], 1, -1)
    e.integer(tables[1], None)
    e.integer(tables[0], 1)
    e.integer(tables[1], 9)
    e.integer(tables[2], 2)
    of = old + [ACCENT]
    put_strips(e, OF_OTHERS, pair, [[(0, 0, len(old)), (5, 0, 1)]], of, lambda i: e.put(i, bits), {1: (1, 1, 0, 0, BIGGER)}, r)
    e.integer(tables[1], None)
    e.integer(STANDARD[1], len(old))
    e.integer(STANDARD[1], 2)
    at = at_bytes([(-1, -1), (-1, -1)]) if not template else b""
    head = struct.pack(">H", 3 | template << 12 | choices) + at + struct.pack(">II", 2, 2)
    return segment(number, 0, head + e.bytes(), refs), [ACCENT, pair]


def write_huffman():
    own = own_tables(10)
    first, symbols = plain_symbols(1, [10, 11, 12], GLYPHS, [SMALL, SMALL_OOB, ONES], 3 << 2 | 3 << 4 | 1 << 6)
    far = [[(30, 3, 1), (12, 3, 1), (22, 3, 0)], [(4, 16, 2), (20, 16, 3)]]  # numbers below and above the ranges
    second, out = huffman_text_segment(2, [10, 1, 11, 10], symbols, far, [SMALL, SMALL_OOB, SMALL], 3 | 3 << 2 | 3 << 4)
    write("tables-own", page(*SIZE) + own + first + second, out)
    for template in 0, 1:
        first, symbols = plain_symbols(1, [], GLYPHS, [STANDARD[4], STANDARD[2], STANDARD[1]], 0)
        refined = {1: (1, 1, 0, 0, BIGGER), 2: (2, 2, 1, -1, BOX), 4: (1, -2, 0, 1, symbols[2])}
        tables = [STANDARD[i] for i in (6, 8, 11, 15, 14, 15, 14, 1)]
        choices = 1 << 6 | 0 << 8 | 1 << 10 | 0 << 12
        second, out = huffman_text_segment(2, [1], symbols, STRIPS, tables, choices, refined, template)
        write("huffman-refined-%d" % template, page(*SIZE) + first + second, out)
        third, made = huffman_dictionary_of_others(3, [1], symbols, template)
        second, out = text_segment(2, [3, 1], made + symbols, STRIPS, SIZE)
        write("huffman-aggregate-%d" % template, page(*SIZE) + first + third + second, out)
    sizes = [(3, "4", 0), (1, "5", 16), (3, "6", 48), (0, "BELOW", -1), (2, "ABOVE", 112)]
    tables = [STANDARD[6], STANDARD[8], STANDARD[11], SMALL, SMALL, SMALL, SMALL, sizes]
    second, out = huffman_text_segment(2, [1, 10, 10, 10, 10, 13], symbols, STRIPS, tables, 0x7fc0, refined, 1)
    write("huffman-refined-own", page(*SIZE) + own + table_segment(13, 0, 112, sizes) + first + second, out)
    third, made = huffman_dictionary_of_others(3, [1, 10, 11, 10], symbols, 1, [SMALL, SMALL_OOB, SMALL], 3 << 2 | 3 << 4 | 1 << 7)
    second, out = text_segment(2, [3, 1], made + symbols, STRIPS, SIZE)
    write("huffman-aggregate-own", page(*SIZE) + own + first + third + second, out)


def dictionary(number, refs, flags, e, n_in, b):
    """One symbol in the arithmetic code; n_in: the symbols of those dictionaries to which it refers."""
    e.integer("IADH", len(b))
    e.integer("IADW", len(b[0]))
    generic(e, b, 2, NOMINAL[2])
    return segment(number, 0, struct.pack(">H", 2 << 10 | flags) + at_bytes(NOMINAL[2]) + end_of_dictionary(e, n_in), refs)


def refined_dictionary(number, refs, flags, e, old, i, new):
    """One symbol that is symbol i of those of the dictionaries to which it refers, refined."""
    e.integer("IADH", len(new))
    e.integer("IADW", len(new[0]))
    e.integer("IAAI", 1)
    e.symbol(i, len(old).bit_length())
    e.integer("IARDX", 0)
    e.integer("IARDY", 0)
    refine(e, new, old[i], 0, 0, 1)
    return segment(number, 0, struct.pack(">H", 2 | 2 << 10 | 1 << 12 | flags) + at_bytes(NOMINAL[2]) + end_of_dictionary(e, len(old)), refs)


def end_of_dictionary(e, n_in):
    e.integer("IADW", None)
    e.integer("IAEX", n_in)
    e.integer("IAEX", 1)
    return struct.pack(">II", 1, 1) + e.flush()


def going_on(e):
    """An encoder with the contexts of bitmaps that another one had at its end."""
    ret = Encoder()
    ret.states = {k: v for k, v in e.states.items() if k[0] in ("GB", "GR")}
    return ret


def write_kept():
    uses, keeps, e = 1 << 8, 1 << 9, Encoder()
    symbols = [rings(15, 12, 4), rings(17, 12, 4), rings(16, 12, 5)]
    stream = dictionary(1, [], keeps, e, 0, symbols[0])
    e = going_on(e)
    stream += dictionary(2, [1], uses | keeps, e, 1, symbols[1])
    stream += dictionary(3, [1, 2], uses, going_on(e), 2, symbols[2])
    text, out = text_segment(4, [1, 2, 3], symbols, [[(2, 3, 0), (18, 3, 1)], [(4, 18, 2), (25, 18, 0)]], SIZE)
    write("kept-generic", page(*SIZE) + stream + text, out)
    first, old = symbol_segment(1, GLYPHS)
    e = Encoder()
    second = refined_dictionary(2, [1], keeps, e, old, 1, ACCENT)
    third = refined_dictionary(3, [1, 2], uses, going_on(e), old + [ACCENT], 1, BIGGER)
    text, out = text_segment(4, [2, 3, 1], [ACCENT, BIGGER] + old, STRIPS, SIZE)
    write("kept-refinement", page(*SIZE) + first + second + third + text, out)


def write_several():
    """A symbol of two others, of which one is refined, in the arithmetic code; and symbols of three dictionaries."""
    first, old = symbol_segment(1, GLYPHS)
    e, pair = Encoder(), blank(9, 6)
    bits = len(old).bit_length()
    e.integer("IADH", 6)
    e.integer("IADW", 9)
    e.integer("IAAI", 2)
    e.integer("IADT", 0)
    e.integer("IADT", 0)
    e.integer("IAFS", 0)
    e.symbol(3, bits)
    e.integer("IARI", 0)
    draw(pair, old[3], 0, 0)
    e.integer("IADS", 5 - (len(old[3][0]) - 1))
    e.symbol(1, bits)
    e.integer("IARI", 1)
    for name, v in zip(("IARDW", "IARDH", "IARDX", "IARDY"), (1, 1, 0, 0)):
        e.integer(name, v)
    refine(e, BIGGER, old[1], 0, 0, 1)
    draw(pair, BIGGER, 5, 0)
    e.integer("IADS", None)
    second = segment(2, 0, struct.pack(">H", 2 | 1 << 10 | 1 << 12) + at_bytes(NOMINAL[1]) + end_of_dictionary(e, len(old)), [1])
    third = dictionary(3, [], 0, Encoder(), 0, rings(9, 7, 3))
    symbols = [rings(9, 7, 3), pair] + old
    text, out = text_segment(4, [3, 2, 1], symbols, [[(2, 3, 1), (14, 3, 0), (28, 3, 4)], [(4, 16, 2), (20, 16, 3)]], SIZE)
    write("aggregate-several", page(*SIZE) + first + second + third + text, out)


# The places of the twelve adaptive pixels where nothing is said, which are those of template 0.
TWELVE = [(-2, 0), (0, -2), (-2, -1), (-1, -2), (1, -2), (2, -1), (-3, 0), (-4, 0), (2, -2), (3, -1), (-2, -2), (-3, -1)]


def extended(b, at, typical=False):
    """A generic region with a template of twelve adaptive pixels."""
    e, before = Encoder(), 0
    places = [NOMINAL[0][p] if isinstance(p, int) else p for p in TEMPLATES[0]]
    places = [at[TWELVE.index(p)] if p in TWELVE else p for p in places]
    for y, row in enumerate(b):
        same = int(typical and row == (b[y - 1] if y else [0] * len(row)))
        if typical:
            e.bit(("GB", TYPICAL[0]), same ^ before)
            before = same
        for x, v in enumerate([] if same else row):
            e.bit(("GB", sum(get(b, x + dx, y + dy) << i for i, (dx, dy) in enumerate(places))), v)
    return segment(1, 38, region(b) + bytes([1 << 4 | typical << 3]) + at_bytes(at) + e.flush())


def write_extended():
    b = rings(*SIZE)
    # Columns 4, 13, ... of the third row have the context with which rows like those above are told.
    tile = [[int(c) for c in (row * 5)[:SIZE[0]]] for row in ("001001100", "001100100", "010110000", "010110000")]
    flat = [list(tile[y % 4]) for y in range(SIZE[1])]
    write("extended", page(*SIZE) + extended(b, TWELVE), b)
    write("extended-typical", page(*SIZE) + extended(flat, TWELVE, True), flat)
    moved = [(-5, 0), (0, -3), (-2, -1), (-1, -4), (6, -2), (2, -1), (-3, 0), (-9, 0), (2, -2), (3, -7), (-12, -2), (-3, -1)]
    write("extended-moved", page(*SIZE) + extended(b, moved), b)


def write_skipping():
    """Halftones on a slanted grid, of which many places lie outside of the region."""
    cell, (nx, ny), (x0, y0), (step_x, step_y) = 4, (13, 12), (-2100, 1500), (900, 420)
    patterns = [[[int(y * cell + x < k) for x in range(cell)] for y in range(cell)] for k in range(cell * cell)]
    e = Encoder()
    generic(e, [sum((p[y] for p in patterns), []) for y in range(cell)], 0, [(-cell, 0), (-3, -1), (2, -2), (-2, -2)])
    first = segment(1, 16, struct.pack(">BBBI", 0, cell, cell, len(patterns) - 1) + e.flush())
    place = lambda m, n: ((x0 + m * step_y + n * step_x) >> 8, (y0 + m * step_x - n * step_y) >> 8)
    for template in range(4):
        out, gray, skip = blank(*SIZE), blank(nx, ny), blank(nx, ny)
        for m in range(ny):
            for n in range(nx):
                x, y = place(m, n)
                skip[m][n] = int(x + cell <= 0 or x >= SIZE[0] or y + cell <= 0 or y >= SIZE[1])
                gray[m][n] = 0 if skip[m][n] else (n + 2 * m) % 16
                draw(out, patterns[gray[m][n]], x, y)
        assert sum(map(sum, skip)) > 20
        e, at = Encoder(), [(3 if template <= 1 else 2, -1), (-3, -1), (2, -2), (-2, -2)]
        for bit in reversed(range(4)):
            plane = [[(v ^ v >> 1) >> bit & 1 for v in row] for row in gray]
            places = [at[p] if isinstance(p, int) else p for p in TEMPLATES[template]]
            for y, row in enumerate(plane):
                for x, v in enumerate(row):
                    if not skip[y][x]:
                        e.bit(("GB", sum(get(plane, x + dx, y + dy) << i for i, (dx, dy) in enumerate(places))), v)
        head = region(out) + struct.pack(">BIIiiHH", 1 << 3 | template << 1, nx, ny, x0, y0, step_x, step_y)
        write("halftone-skip-%d" % template, page(*SIZE) + first + segment(2, 22, head + e.flush(), [1]), out)


def write_unknown_length():
    """A region that was begun with a larger height than it came to have, and another one behind it; a remark, and marks of ends."""
    b, small = rings(*SIZE), rings(20, 10, 3)
    out = [list(r) for r in b]
    draw(out, small, 20, 20)
    first = generic_segment(1, b)
    head, data = first[:7], bytearray(first[11:])
    data[4:8] = struct.pack(">I", 1000)  # rows
    remark = segment(3, 62, struct.pack(">I", 0x20000000) + b"key\0value\0\0")
    ends = segment(4, 50, struct.pack(">I", 32)) + segment(5, 49, b"")
    write("unknown-length", page(*SIZE) + head + b"\xff\xff\xff\xff" + bytes(data) + struct.pack(">I", SIZE[1]) + remark +
          generic_segment(2, small, x=20, y=20) + ends, out)
    # A white box in MMR: a bit for each row, the mark of its end, and that of the region.
    out, box = [list(r) for r in b], blank(8, 8)
    draw(out, box, 12, 9, 4)
    data = struct.pack(">IIIIB", 8, 1000, 12, 9, 4) + b"\1\xff\0\x10\1" + b"\0\0" + struct.pack(">I", 8)
    second = struct.pack(">IBBB", 2, 38, 0, 1) + b"\xff\xff\xff\xff" + data
    draw(out, small, 20, 20)
    write("unknown-length-mmr", page(*SIZE) + first + second + generic_segment(3, small, x=20, y=20), out)


def main():
    write_huffman()
    write_kept()
    write_several()
    write_extended()
    write_skipping()
    write_unknown_length()


if __name__ == "__main__":
    main()

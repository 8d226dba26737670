#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The text of PDFs beside that of their pictures, which poppler takes out of them.

    bench/pdf/pictures.py PLATEN FILE.pdf...

Of a page that is one picture, `pdfimages -all` takes that out (as PNG where it is fax or JBIG2 data), it is turned as the page says, and
what is read in it must be the same bytes. All other pages are rendered by pdftoppm, 300 dpi, and the share of equal text is told.
Exits with 1 where bytes differ that must not.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

from PIL import Image

TURNS = {0: None, 90: Image.ROTATE_270, 180: Image.ROTATE_180, 270: Image.ROTATE_90}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rotations(path):
    info = output_of("pdfinfo", "-f", "1", "-l", "9999", path)
    return {int(n): int(turn) for n, turn in re.findall(r"Page +(\d+) rot: +(\d+)", info)}


def pictures(path):
    """Returns the kind, encoding and resolution of the pictures of each page."""
    found = {}
    for line in output_of("pdfimages", "-list", path).splitlines()[2:]:
        v = line.split()
        found.setdefault(int(v[0]), []).append((v[2], v[8], int(v[12])))
    return found


def take_out(path, page, encoding, dpi, turn, to):
    form = "-png" if encoding in ("ccitt", "jbig2") else "-all"
    with tempfile.TemporaryDirectory() as d:
        subprocess.run(["pdfimages", form, "-f", str(page), "-l", str(page), path, d + "/p"], check=True)
        with Image.open(os.path.join(d, os.listdir(d)[0])) as im:
            turned = im.transpose(TURNS[turn]) if turn else im.copy()
    turned.save(to, dpi=(dpi, dpi))


def text_of(platen, path, d):
    subprocess.run([platen, "-q", "-f", "txt", "-o", d + "/", path], check=True)
    return [open(os.path.join(d, n), encoding="utf-8").read() for n in sorted(os.listdir(d)) if n.endswith(".txt")]


def is_picture(found, page):
    """Returns whether the page is one picture of a scan's resolution: a letterhead's logo is coarser."""
    return len(found.get(page, ())) == 1 and found[page][0][2] >= 144


def beside(platen, path, page, found, turn, d):
    to = os.path.join(d, "p.png")
    if is_picture(found, page):
        take_out(path, page, *found[page][0][1:], turn, to)
        return text_of(platen, to, d + "/text")[0]
    subprocess.run(["pdftoppm", "-r", "300", "-gray", "-png", "-singlefile", "-f", str(page), "-l", str(page), path, to[:-4]], check=True)
    return text_of(platen, to, d + "/text")[0]


def main():
    platen, failed = sys.argv[1], 0
    for path in sys.argv[2:]:
        found, turns, said = pictures(path), rotations(path), []
        with tempfile.TemporaryDirectory() as d:
            own = text_of(platen, path, d)
        assert len(own) == len(turns), f"{path}: {len(own)} pages of {len(turns)}"
        for page, text in enumerate(own, 1):
            with tempfile.TemporaryDirectory() as d:
                other = beside(platen, path, page, found, turns[page], d)
            if text == other:
                said.append("equal")
            else:
                failed += is_picture(found, page)
                ratio = difflib.SequenceMatcher(None, text.split(), other.split(), False).ratio()
                said.append(f"{'DIFFERS' if is_picture(found, page) else 'drawn'} {ratio:.3f}")
        print(os.path.basename(path), ", ".join(said), flush=True)
    return failed > 0


sys.exit(main())

# SPDX-License-Identifier: BSD-2-Clause
"""Memory is what was promised for pages of a PDF: peak_pdf.py PLATEN

Pages whose pictures are far larger than what comes out of them, packed in every way that is undone here: a
process that decodes them itself takes no more beyond what it takes for a picture of 8 x 8 pixels than the
gate let the page in with. A cell, whose limit is that promise, reads one that takes more than cells have to spare.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import zlib

from hostile_pdf import CATALOG, PAGES, pdf, stream

SLACK_BYTES = 3_000_000  # arenas that stay
WIDTH, HEIGHT = 3000, 2000
CORNER = b"/CropBox [0 0 60 40]"
GRAY, RGB, INKS = b"/ColorSpace /DeviceGray", b"/ColorSpace /DeviceRGB", b"/ColorSpace /DeviceCMYK"


def deflated(rows):
    return zlib.compress(b"".join(rows), 1)


def runs(rows):
    data = b"".join(rows)
    return b"".join(bytes([len(data[i:i + 128]) - 1]) + data[i:i + 128] for i in range(0, len(data), 128)) + b"\x80"


def noise(rows):
    return zlib.compress(random.Random(1).randbytes(sum(map(len, rows))), 1)


def picture(width, height, samples, bits, entries, filters=b"/FlateDecode", pack=deflated):
    """A picture object of equal rows, unless `pack` makes others; none is white."""
    row = (bytes(range(256)) * (width * samples * bits // 2048 + 1))[:(width * samples * bits + 7) // 8]
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent %d /Filter %s %s"
    return stream(head % (width, height, bits, filters, entries), pack([row] * height))


def page(*pictures, entries=b"", second=None):
    """A page of 600 x 400 points that the first picture fills, with the second one in the box that is given."""
    names = b" ".join(b"/I%d %d 0 R" % (i, 5 + i) for i in range(len(pictures)))
    content = b"q 600 0 0 400 0 0 cm /I0 Do Q"
    if second:
        content += b" q %d 0 0 %d 0 0 cm /I1 Do Q" % second
    head = (b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 400] %s /Contents 4 0 R /Resources << /XObject << %s >> >> >>"
            % (entries, names))
    return pdf([CATALOG, PAGES, head, stream(b"", content), *pictures])


def pages():
    size = WIDTH, HEIGHT
    half, tenth = (WIDTH // 2, HEIGHT // 2), (WIDTH // 10, HEIGHT // 10)
    tiff = b"/DecodeParms << /Predictor 2 /Colors 4 /Columns %d >>" % WIDTH
    png = b"/DecodeParms << /Predictor 15 /Colors 4 /Columns %d >>" % WIDTH
    for name, entries in ("whole", b""), ("corner", CORNER), ("turned", CORNER + b"/Rotate 90"):
        for kind, samples, bits, space in ("gray", 1, 8, GRAY), ("inks", 4, 8, INKS), ("deep", 3, 16, RGB):
            yield f"{name} {kind}", page(picture(*size, samples, bits, space), entries=entries)
        mask = picture(*size, 1, 8, GRAY)
        yield f"{name} masked", page(picture(*size, 1, 8, GRAY + b"/SMask 6 0 R"), mask, entries=entries)
        yield f"{name} large mask", page(picture(*tenth, 1, 8, GRAY + b"/SMask 6 0 R"), mask, entries=entries)
        yield f"{name} PNG predictor", page(picture(*size, 4, 8, INKS + png, pack=lambda rows: deflated(b"\2" + r for r in rows)),
                                            entries=entries)
        yield f"{name} TIFF predictor", page(picture(*size, 4, 8, INKS + tiff), entries=entries)
        yield f"{name} run lengths", page(picture(*size, 4, 8, INKS, b"/RunLengthDecode", runs), entries=entries)
        yield f"{name} two filters", page(picture(*size, 3, 16, RGB, b"[/ASCIIHexDecode /FlateDecode]",
                                                  lambda rows: deflated(rows).hex().encode() + b">"), entries=entries)
    yield "noise", page(picture(*size, 4, 16, INKS, pack=noise), entries=CORNER)
    yield "two", page(picture(*size, 1, 8, GRAY), picture(*half, 4, 8, INKS), second=(300, 200))
    yield "enlarged", page(picture(*tenth, 1, 8, GRAY), picture(*half, 4, 8, INKS), second=(300, 200))
    yield "reduced", page(picture(*tenth, 1, 8, GRAY), picture(*size, 4, 8, INKS), second=(30, 20))
    yield "large", page(picture(2 * WIDTH, 2 * HEIGHT, 4, 8, INKS), entries=CORNER)
    yield "stencils", page(picture(*half, 1, 1, b"/ImageMask true"), picture(*size, 1, 1, b"/ImageMask true"), second=(300, 200))


def run(platen, path, *options):
    """(exit status, figures, messages) of one page."""
    done = subprocess.run([platen, "--no-config", "-j1", "--stats=json", "-p", "gray", "-f", "ndjson", *options, path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    lines = done.stderr.splitlines()
    return done.returncode, json.loads(lines[-1]), "\n".join(lines[:-1])


def main():
    platen = sys.argv[1]
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's; it writes to memory that platen would not touch
    broken = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "page.pdf")

        def put(data):
            with open(path, "wb") as f:
                f.write(data)

        put(page(picture(8, 8, 1, 8, GRAY)))
        least = run(platen, path, "--isolate=off")[1]["peak_rss_bytes"]
        for name, data in pages():
            put(data)
            alone, stats, message = run(platen, path, "--isolate=off")
            in_cell, _, cell_message = run(platen, path) if name == "large" else (0, {}, "")
            took, promised = stats["peak_rss_bytes"] - least, stats["admission"]["promised_bytes"]
            bad = alone or in_cell or took > promised + SLACK_BYTES
            broken += bool(bad)
            print(f"{'FAILED' if bad else 'ok'} {name}: {took / 1e6:.1f} MB, promised {promised / 1e6:.1f} {message} {cell_message}",
                  flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

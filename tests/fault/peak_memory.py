# SPDX-License-Identifier: BSD-2-Clause
"""What reading pages of A4 at 300 dpi takes, two at once: peak_memory.py PLATEN TO_JPEG SOURCE

A sample of the tree, enlarged, turned askew and made noisy, as PNG and as JPEG in grey and in colour, six
pages of each by the default pipeline on two threads: less than 88 MB of the machine's memory in all, models
and program included. (With `lines` it was 80: a worker takes about 4 MB more for the network of `regions` and the picture that
this sees, and both are at their peak at once in few runs: 68 to 82 MB were measured.) Then plain pages of mixed size up to that one: they take a little more, since
buffers of several sizes are kept.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH, HEIGHT = 2480, 3508
MOST_BYTES = 88_000_000
MOST_MIXED_BYTES = 90_000_000
PAGES = 6
STEPS = "gray,invert:auto,deskew | lines"  # of the pages of mixed size


def noisy_page(platen, sample):
    """The sample as rows of grey, without their gaps: 0 to 254."""
    steps = f"gray,resize:width={WIDTH}:height={HEIGHT},rotate:angle=0.8:expand=no"
    pgm = subprocess.run([platen, "-p", steps, "-f", "pnm", sample], check=True, stdout=subprocess.PIPE).stdout
    head = b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT)
    assert pgm.startswith(head), pgm[:20]
    n = WIDTH * HEIGHT
    page = int.from_bytes(pgm[len(head):].translate(bytes(v * 240 // 256 for v in range(256))), "big")
    noise = int.from_bytes(random.Random(1).randbytes(n).translate(bytes(v % 16 for v in range(256))), "big")
    return (page + noise).to_bytes(n, "big")


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(rows, channels):
    step = WIDTH * channels
    packed = zlib.compress(b"".join(b"\0" + rows[y * step:(y + 1) * step] for y in range(HEIGHT)), 1)
    data = b"".join(chunk(b"IDAT", packed[i:i + 8192]) for i in range(0, len(packed), 8192))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + data + chunk(b"IEND", b"")


def in_color(gray):
    """Slightly yellow paper."""
    rgb = bytearray(3 * len(gray))
    rgb[0::3] = rgb[1::3] = gray
    rgb[2::3] = gray.translate(bytes(v * 15 // 16 for v in range(256)))
    return bytes(rgb)


def write_pages(directory, name, extension, pages):
    """A directory of the pages, as bytes."""
    path = os.path.join(directory, name)
    os.mkdir(path)
    for i, data in enumerate(pages):
        with open(os.path.join(path, f"{i}.{extension}"), "wb") as f:
            f.write(data)
    return path


def run(platen, *args):
    """The figures of a run on two threads."""
    done = subprocess.run([platen, "-j2", "-q", "--stats=json", *args], check=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    return json.loads(done.stderr)


def check(platen, directory, name, data):
    pages = write_pages(directory, name, name.split("-")[-1], [data] * PAGES)
    stats = run(platen, "-o", pages + "-out/", pages)
    with open(os.path.join(pages + "-out", "0.txt"), encoding="utf-8") as f:
        lines = len(f.read().split("\n"))
    peak, at_once = stats["peak_rss_bytes"], stats["admission"]["at_once"]
    print(f"{name}: {len(data) / 1e6:.1f} MB, {lines} lines, {at_once} at once, {peak / 1e6:.1f} MB", flush=True)
    return stats["done"] == PAGES and at_once == 2 and lines > 10 and peak < MOST_BYTES


def ruled_page(pixels):
    """Rows of black marks, as PGM."""
    width = int((pixels / 1.4) ** 0.5)
    marks = (b"\xff" * 60 + (b"\0" * 6 + b"\xff" * 6) * 8) * (width // 156 + 1)
    rows = b"\xff" * (24 * width) + marks[:width] * 16
    height = int(width * 1.4) // 40 * 40
    return b"P5\n%d %d\n255\n" % (width, height) + rows * (height // 40)


def check_mixed(platen, directory):
    rng = random.Random(3)
    mixed = [2 ** rng.uniform(17, 23.1) for _ in range(80)]
    pages = write_pages(directory, "mixed", "pgm", map(ruled_page, mixed))
    peak = run(platen, "-p", STEPS, "-f", "ndjson", pages)["peak_rss_bytes"]
    print(f"mixed sizes: {peak / 1e6:.1f} MB", flush=True)
    return peak < MOST_MIXED_BYTES


def main():
    platen, to_jpeg, source = sys.argv[1:]
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's; it writes to memory that platen would not touch
    os.environ["PLATEN_MODELS"] = os.path.join(source, "models")
    with tempfile.TemporaryDirectory() as directory:
        gray = noisy_page(platen, os.path.join(source, "samples", "pages", "letter.png"))
        color = in_color(gray)

        def jpeg(rows, channels):
            command = [to_jpeg, str(WIDTH), str(HEIGHT), str(channels)]
            return subprocess.run(command, input=rows, check=True, stdout=subprocess.PIPE).stdout

        files = {"gray-png": png(gray, 1), "color-png": png(color, 3), "gray-jpg": jpeg(gray, 1),
                 "color-jpg": jpeg(color, 3)}
        results = [check(platen, directory, name, data) for name, data in files.items()]
        results.append(check_mixed(platen, directory))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

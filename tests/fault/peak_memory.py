"""What reading pages of A4 at 300 dpi takes, two at once: peak_memory.py PLATEN TO_JPEG SOURCE

A sample of the tree, enlarged, turned askew and made noisy, as PNG in grey and in colour and as JPEG, six
pages of each by the default pipeline on two threads: less than 80 MB of the machine's memory in all, model
and program included.
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
MOST_BYTES = 80_000_000
PAGES = 6


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


def check(platen, directory, name, data):
    pages = os.path.join(directory, name)
    os.mkdir(pages)
    for i in range(PAGES):
        with open(os.path.join(pages, f"{i}.{name.split('-')[-1]}"), "wb") as f:
            f.write(data)
    run = subprocess.run([platen, "-j2", "-q", "--stats=json", "-o", pages + "-out/", pages], check=True,
                         stderr=subprocess.PIPE)
    stats = json.loads(run.stderr)
    with open(os.path.join(pages + "-out", "0.txt"), encoding="utf-8") as f:
        lines = len(f.read().split("\n"))
    peak, at_once = stats["peak_rss_bytes"], stats["admission"]["at_once"]
    print(f"{name}: {len(data) / 1e6:.1f} MB, {lines} lines, {at_once} at once, {peak / 1e6:.1f} MB", flush=True)
    return stats["done"] == PAGES and at_once == 2 and lines > 10 and peak < MOST_BYTES


def main():
    platen, to_jpeg, source = sys.argv[1:]
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's; it writes to memory that platen would not touch
    os.environ["PLATEN_MODELS"] = os.path.join(source, "models")
    with tempfile.TemporaryDirectory() as directory:
        gray = noisy_page(platen, os.path.join(source, "samples", "pages", "letter.png"))
        jpeg = subprocess.run([to_jpeg, str(WIDTH), str(HEIGHT)], input=gray, check=True, stdout=subprocess.PIPE)
        files = {"gray-png": png(gray, 1), "color-png": png(in_color(gray), 3), "gray-jpg": jpeg.stdout}
        results = [check(platen, directory, name, data) for name, data in files.items()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

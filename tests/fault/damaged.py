#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Damaged pictures and damaged models, by a seed: none ends the program, and none passes for sound.

    damaged.py pictures PLATEN [N [SEED]]
    damaged.py models PLATEN [N [SEED]]

pictures: N files made from the seeds of the fuzz targets (bits, bytes, pieces moved, cut or doubled),
in one run: its exit status is 0 or 1, every file has an output or a message, and a message names it.
models: N damaged copies of the models, each used to read a line: refused with a message, or the text
is that of the sound model. The program should have been built with -Db_sanitize=address,undefined.
Python 3 standard library only.
"""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(SOURCE, "tests", "fuzz", "corpus")
FORMATS = "bmp gif hdr jp2 jpeg png pnm psd tga tiff webp".split()
EDGES = [b"\0", b"\xff", b"\x7f", b"\x80", b"\xff\xff", b"\xff" * 4, b"\x7f" + b"\xff" * 3, bytes(4), b"\x80\0\0\0",
         b"\xff\xff\xff\x7f", b"\1\0\0\0", b"\0\0\0\1", b"\xff" * 8]
SANITIZED = dict(os.environ, ASAN_OPTIONS="allocator_may_return_null=1:exitcode=99:detect_leaks=0",
                 UBSAN_OPTIONS="halt_on_error=1:exitcode=99", PLATEN_MODELS=os.path.join(SOURCE, "models"))


def fix_png(d):
    """With its checksums put right."""
    out, at = d[:8], 8
    while at + 12 <= len(d):
        n = struct.unpack(">I", d[at:at + 4])[0]
        if at + 12 + n > len(d):
            break
        out += d[at:at + 8 + n] + struct.pack(">I", zlib.crc32(d[at + 4:at + 8 + n]))
        at += 12 + n
    return out + d[at:]


def damage_once(r, d):
    at, n, way = r.randrange(min(len(d), 400) if r.random() < 0.6 else len(d)), r.randrange(1, 65), r.randrange(9)
    if way < 3:
        d[at] ^= 1 << r.randrange(8)
    elif way == 3:
        d[at] = r.randrange(256)
    elif way == 4:
        edge = r.choice(EDGES)
        d[at:at + len(edge)] = edge
    elif way == 5:
        del d[at:at + n]
    elif way == 6:
        d[at:at] = d[at:at + n]
    elif way == 7:
        d[at:at + n] = d[r.randrange(len(d)):][:n]
    elif r.random() < 0.3:
        del d[at:]


def damage(r, data):
    d = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 4, 16))):
        if d:
            damage_once(r, d)
    return fix_png(bytes(d)) if d[:4] == b"\x89PNG" and r.random() < 0.7 else bytes(d)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def sanitizer_says(err):
    return [line for line in err.splitlines() if "ERROR: AddressSanitizer" in line or "runtime error:" in line]


def pictures(platen, r, n, work):
    seeds = [os.path.join(CORPUS, f, name) for f in FORMATS for name in sorted(os.listdir(os.path.join(CORPUS, f)))]
    folder, out = os.path.join(work, "in"), os.path.join(work, "out")
    os.mkdir(folder)
    for i in range(n):
        # by the name alone they would be passed over: the ending is one that is always read
        write(os.path.join(folder, "%06d.png" % i), damage(r, read(r.choice(seeds))))
    p = subprocess.run([platen, "-p", "gray", "-f", "pnm", "--max-pixels", "1000000", "-o", out, folder], env=SANITIZED,
                       stdin=subprocess.DEVNULL, capture_output=True)
    err = p.stderr.decode("utf-8", "replace")
    made = {f.split(".")[0].split("#")[0].split("-")[0] for f in os.listdir(out)} if os.path.isdir(out) else set()
    silent = [i for i in range(n) if "%06d" % i not in made and "%06d.png" % i not in err]
    print("%d pictures: status %d, %d with outputs, %d without a word" % (n, p.returncode, len(made), len(silent)))
    for line in sanitizer_says(err) + (err.splitlines()[:5] if p.returncode not in (0, 1) else []):
        print(line)
    return p.returncode not in (0, 1) or bool(silent) or not made  # none read: nothing was tried


def read_line(platen, models):
    p = subprocess.run([platen, "-q", "-p", "@line", "-f", "json", os.path.join(SOURCE, "tests", "data", "lines", "03-screen.png")],
                       env=dict(SANITIZED, PLATEN_MODELS=models), stdin=subprocess.DEVNULL, capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def damage_model(r, data):
    d = bytearray(data)
    way, at = r.randrange(10), r.randrange(4096) if r.random() < 0.5 else r.randrange(len(d))
    if way < 7:
        d[at] ^= 1 << r.randrange(8)
    elif way == 7:
        d[at:at + 8] = r.choice([b"\xff" * 8, bytes(8), b"\xff\xff\xff\x7f" * 2, bytes(7) + b"\x80"])[:len(d) - at]
    elif way == 8:
        del d[at:]
    else:
        d[at:at + 32] = d[r.randrange(len(d) - 64):][:32][:len(d) - at]
    return bytes(d)


def models(platen, r, n, work):
    sound, kept = SANITIZED["PLATEN_MODELS"], [f for f in os.listdir(os.path.join(SOURCE, "models")) if f.endswith(".platen")]
    folder, bad = os.path.join(work, "models"), 0
    os.mkdir(folder)
    for f in kept:
        shutil.copy(os.path.join(sound, f), folder)
    wanted, refused = read_line(platen, folder), 0
    if wanted[0]:
        sys.exit("the sound models: status %d: %s" % (wanted[0], wanted[2]))
    used = [f for f in ("eng.platen", "eng.quick.platen", "eng.lm.platen") if f in kept]
    for i in range(n):
        name = r.choice(used)
        write(os.path.join(folder, name), damage_model(r, read(os.path.join(sound, name))))
        status, text, err = read_line(platen, folder)
        refused += status in (1, 2)
        if status not in (0, 1, 2) or (status and not err.strip()) or (not status and text != wanted[1]):
            bad += 1
            print("FAILED %d: %s, status %d: %s" % (i, name, status, err[:200]), *sanitizer_says(err))
        shutil.copy(os.path.join(sound, name), folder)
    print("%d models: %d refused, %d to look at" % (n, refused, bad))
    return bool(bad) or not refused


def main():
    what, platen = sys.argv[1], os.path.abspath(sys.argv[2])
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    r = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    with tempfile.TemporaryDirectory() as work:
        return {"pictures": pictures, "models": models}[what](platen, r, n, work)


if __name__ == "__main__":
    sys.exit(main())

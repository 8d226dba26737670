#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Jobs in which every wait for a condition returns without a reason (wakes.c) end as they do without:
the same status, the same bytes, no hang.

    wakes.py PLATEN WAKES.SO
"""
import os
import subprocess
import sys
import tempfile

PLATEN, LAYER = (os.path.abspath(a) for a in sys.argv[1:3])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINES = os.path.join(SOURCE, "tests", "data", "lines")
PAGES, LARGE_EVERY = 400, 100
# Pages wait for a large one before them; for memory; for others of their batch; and decode in cells.
JOBS = {"in order": ["-j4"], "little memory": ["-j4", "--max-mem=16M"], "batches": ["-j3", "--batch-max=8", "-p", "@line"],
        "cells": ["-j3", "--isolate"]}


def write_pages(folder):
    """Small pages, and large ones among them that take their time."""
    names = []
    for i in range(PAGES):
        side = 2000 if i % LARGE_EVERY == 0 else 40
        names.append(os.path.join(folder, f"{i:03}.pgm"))
        with open(names[-1], "wb") as f:
            f.write(b"P5\n%d %d\n255\n" % (side, side) + bytes([90 + i % 100]) * side * side)
    return names


def run(options, pages, **more):
    options = options if "-p" in options else options + ["-p", "gray,deskew | lines"]
    p = subprocess.run([PLATEN, "-q", *options, "-f", "ndjson", *pages], capture_output=True, timeout=120,
                       env=dict(os.environ, PLATEN_MODELS=os.path.join(SOURCE, "models"), **more))
    return p.returncode, p.stdout, p.stderr


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        told = os.path.join(work, "told")
        small = write_pages(work)
        read = sorted(os.path.join(LINES, f) for f in os.listdir(LINES) if f.endswith(".png"))
        for title, options in JOBS.items():
            pages = read if "-p" in options else small
            wanted = run(options, pages)
            if wanted[0]:
                sys.exit(f"{title}: the job alone ends with {wanted[0]}: {wanted[2].decode()}")
            try:
                same = run(options, pages, LD_PRELOAD=LAYER, WAKES=told) == wanted
            except subprocess.TimeoutExpired:
                same = False
            wakes = os.path.getsize(told)
            os.remove(told)
            bad += not same or not wakes
            print(f"{title}: {wakes} waits returned, {'the same bytes' if same else 'NOT THE SAME'}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

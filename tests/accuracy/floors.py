#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Accuracy floor on the project's own line pictures (tests/data/lines), sample pages and pages in other scripts.

    floors.py PLATEN SOURCE_ROOT

Prints the character error rate of each group and fails when one is above its bound. The bounds stand
a little above what the shipped model reaches, so that a change that costs accuracy is seen; they are
moved down when the model gets better, never up. Python 3 standard library only.
"""
import os, subprocess, sys, tempfile

BOUNDS = {"lines": 0.012, "pages": 0.006, "scripts": 0.02}  # share of characters


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def read(path):
    with open(path, encoding="utf-8") as f:
        return " ".join(f.read().split())


def check(platen, folder, options, bound):
    names = sorted(n[:-7] for n in os.listdir(folder) if n.endswith(".gt.txt"))
    errors = chars = 0
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([platen, "-q", *options, "-f", "txt", "-o", out, folder], check=True)
        for n in names:
            want, have = read(os.path.join(folder, n + ".gt.txt")), read(os.path.join(out, n + ".txt"))
            d = distance(want, have)
            errors, chars = errors + d, chars + len(want)
            print(f"  {n}: {d} errors in {len(want)} characters")
    rate = errors / chars
    print(f"{folder}: {100 * rate:.2f} % (bound {100 * bound:.2f} %)")
    return rate <= bound


def main():
    platen, root = sys.argv[1:3]
    ok = check(platen, os.path.join(root, "tests/data/lines"), ["-p", "@line"], BOUNDS["lines"])
    ok &= check(platen, os.path.join(root, "samples/pages"), [], BOUNDS["pages"])
    ok &= check(platen, os.path.join(root, "tests/data/scripts"), [], BOUNDS["scripts"])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Time to read PDFs, beside pdftoppm and platen one after the other, in pairs.

    bench/pdf/pairs.py [--pairs N] PLATEN FILE.pdf...

One thread each. A line for each file: medians of core and wall seconds, and of the quotients of the pairs. The core time of a
program that renders drawn pages is not among that of the first: it belongs to a helper; its wall time is.
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time


def run(*commands):
    before, began = os.times(), time.monotonic()
    for command in commands:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    core = after.children_user + after.children_system - before.children_user - before.children_system
    return core, time.monotonic() - began


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pairs", type=int, default=5)
    p.add_argument("platen")
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    read = [a.platen, "-j1", "-q", "-f", "txt"]
    for path in a.files:
        pairs = []
        for _ in range(a.pairs):
            own = run(read + [path])
            with tempfile.TemporaryDirectory() as d:
                pairs.append((own, run(["pdftoppm", "-r", "300", "-gray", path, d + "/p"], read + [d])))
        line = [os.path.basename(path)]
        for i, what in enumerate(("core", "wall")):
            own, other = (statistics.median(p[k][i] for p in pairs) for k in (0, 1))
            line.append(f"{what} {own:.2f} s beside {other:.2f}, pairs {statistics.median(p[0][i] / p[1][i] for p in pairs):.2f}")
        print("; ".join(line), flush=True)


main()

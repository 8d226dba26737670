#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""One process with two threads beside two processes with one thread each, on the same pages.

    bench/halves.py [-r ROUNDS] [-o OPTION]... PLATEN PICTURE...

Each round runs `platen -j2` on all pictures, and two `platen -j1` at the same time on every second one each, one
after the other in turns, and compares the wall time until all is done and the processor time. Models as
platen finds them (PLATEN_MODELS).
"""
import argparse
import os
import shutil
import statistics
import tempfile
import time


def run(commands):
    """Starts all; seconds until the last has ended, and processor seconds of all."""
    start, cpu = time.monotonic(), 0.0
    pids = [os.posix_spawn(c[0], c, os.environ) for c in commands]
    for pid in pids:
        _, status, usage = os.wait4(pid, 0)
        if status:
            raise SystemExit(f"{' '.join(commands[0][:8])} ...: exit {os.waitstatus_to_exitcode(status)}")
        cpu += usage.ru_utime + usage.ru_stime
    return time.monotonic() - start, cpu


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("-r", dest="rounds", type=int, default=7)
    p.add_argument("-o", dest="options", action="append", default=[])
    p.add_argument("platen")
    p.add_argument("pictures", nargs="+")
    a = p.parse_args()
    scratch = tempfile.mkdtemp(prefix="platen-halves-")

    def command(threads, name, pictures):
        out = os.path.join(scratch, name)
        return [a.platen, threads, "-q", "-f", "txt", "-o", out + "/", *a.options, *pictures]

    kinds = {"one -j2": [command("-j2", "whole", a.pictures)],
             "two -j1": [command("-j1", "odd", a.pictures[::2]), command("-j1", "even", a.pictures[1::2])]}
    found = {kind: [] for kind in kinds}
    for i in range(a.rounds + 1):
        for kind in sorted(kinds, reverse=i % 2 == 0):
            took = run(kinds[kind])
            if i:  # the first round reads the files into memory
                found[kind].append(took)
    shutil.rmtree(scratch)
    for kind, times in found.items():
        wall, cpu = (statistics.median(t[k] for t in times) for k in (0, 1))
        print(f"{kind}: {len(a.pictures) / wall:.2f} pages a second, {cpu:.2f} core-seconds")
    for k, name in enumerate(("throughput", "core time")):
        ratios = sorted(two[k] / one[k] for one, two in zip(found["one -j2"], found["two -j1"]))
        print(f"{name}, two -j1 by one -j2: median {statistics.median(ratios):.3f}, {ratios[0]:.3f} to {ratios[-1]:.3f}"
              + (" (above 1: one -j2 is faster)" if k == 0 else ""))


if __name__ == "__main__":
    main()

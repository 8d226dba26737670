#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Accuracy floor on real line pictures, where the evaluation data is at hand.

    real.py PLATEN DATA

Runs bench/accuracy on the line sets and fails when a character error rate or the calibration error of
the confidence is above its bound, or blanks are below theirs. Exits with 77 (skipped) where there is no
data. Python 3 standard library only.
"""
import os, subprocess, sys

# (set, measure): (lowest, highest), per cent
BOUNDS = {("lines_uw3", "cer"): (0, 0.4), ("lines_modern", "cer"): (0, 0.7), ("lines_sroie", "cer_ci"): (0, 2.9),
          ("lines_funsd", "cer_ns"): (0, 1.4),
          **{(s, b): (98, 100) for s in ("lines_uw3", "lines_modern") for b in ("blanks p", "blanks r")},
          **{(f"lines_{s}", "ece"): (0, 3) for s in ("uw3", "modern", "sroie", "funsd")}}


def main():
    platen, data = sys.argv[1:3]
    if not os.path.exists(os.path.join(data, "score.py")):
        print("skipped: no evaluation data beside the project")
        return 77
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    table = subprocess.run(
        [sys.executable, os.path.join(root, "bench/accuracy"), "--platen", os.path.abspath(platen),
         "--data", data, "--sets", ",".join(dict.fromkeys(name for name, _ in BOUNDS))],
        check=True, capture_output=True, text=True).stdout
    print(table)
    found = {}
    for row in table.splitlines():
        cells = [c.strip() for c in row.strip("|").split("|")]
        if len(cells) > 3 and cells[2].endswith(" %"):
            found[cells[0], cells[2][:-2]] = float(cells[3])
    failed = [f"{name}: {measure} {found[name, measure]} % is not within {low} to {high} %"
              for (name, measure), (low, high) in BOUNDS.items() if not low <= found[name, measure] <= high]
    print("\n".join(failed))
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main())

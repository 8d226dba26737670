#!/usr/bin/env python3
"""Accuracy floor on real line pictures, where the evaluation data is at hand.

    real.py PLATEN DATA

Runs bench/accuracy on the line sets and fails when a character error rate is above its bound. Exits
with 77 (skipped) where there is no data. Python 3 standard library only.
"""
import os, subprocess, sys

BOUNDS = {"lines_uw3": 0.5, "lines_modern": 1.0, "lines_sroie": 4.2, "lines_funsd": 2.0}  # per cent


def main():
    platen, data = sys.argv[1:3]
    if not os.path.exists(os.path.join(data, "score.py")):
        print("skipped: no evaluation data beside the project")
        return 77
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    table = subprocess.run(
        [sys.executable, os.path.join(root, "bench/accuracy"), "--platen", os.path.abspath(platen),
         "--data", data, "--sets", ",".join(BOUNDS)], check=True, capture_output=True, text=True).stdout
    print(table)
    failed = 0
    for row in table.splitlines():
        cells = [c.strip() for c in row.strip("|").split("|")]
        if cells[0] in BOUNDS and cells[2].startswith("cer") and float(cells[3]) > BOUNDS[cells[0]]:
            print(f"{cells[0]}: {cells[3]} % is above the bound of {BOUNDS[cells[0]]} %")
            failed += 1
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

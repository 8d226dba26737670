#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Boxes of words against those of the ink they were drawn with (tests/data/boxes, by train/samples.py).

    boxes.py PLATEN SOURCE_ROOT

Every word that is read as it was drawn has all four sides within 2 px of its ink; at most 3 of 100 words are
misread. Python 3 standard library only.
"""
import json, os, subprocess, sys


def main():
    platen, root = sys.argv[1:3]
    folder = os.path.join(root, "tests/data/boxes")
    with open(os.path.join(folder, "words.json"), encoding="utf-8") as f:
        drawn = json.load(f)["words"]
    page = json.loads(subprocess.run([platen, "-q", "-f", "json", os.path.join(folder, "words.png")], check=True,
                                     capture_output=True, text=True).stdout)
    read = [(w["text"], w["box"]) for b in page["blocks"] for l in b["lines"] for w in l["words"]]
    missing = wrong = 0
    for *box, text in drawn:
        near = [b for t, b in read if t == text and abs(b[0] - box[0]) < 40 and abs(b[1] - box[1]) < 30]
        if not near:
            missing += 1
            continue
        off = min(max(abs(p - q) for p, q in zip(b, box)) for b in near)
        if off > 2:
            wrong += 1
            print(f"'{text}' at {box}: off by {off} px")
    print(f"{len(drawn)} words, {missing} misread, {wrong} boxes wrong")
    return wrong > 0 or missing > 0.03 * len(drawn)


if __name__ == "__main__":
    sys.exit(main())

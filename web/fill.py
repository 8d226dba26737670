#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a page with the files in it that it names: fill.py PAGE OUT. A line {{words.js}} gives way to that file of this folder,
less its first line, the licence, which the page has itself."""
import os
import re
import sys


def text_of(name):
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as f:
        return f.read().split("\n", 1)[1].rstrip("\n")


with open(sys.argv[1], encoding="utf-8") as page, open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write(re.sub(r"^\{\{(.+)\}\}$", lambda m: text_of(m[1]), page.read(), flags=re.M))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes files as arrays of a C header: embed.py HEADER FILE... An array has the name of its file, without the ending."""
import os
import sys

with open(sys.argv[1], "w", encoding="ascii") as out:
    for path in sys.argv[2:]:
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, "rb") as f:
            data = f.read()
        out.write(f"static const unsigned char {name}[] = {{\n")
        for at in range(0, len(data), 20):
            out.write("".join(f"{b}," for b in data[at:at + 20]) + "\n")
        out.write("};\n")

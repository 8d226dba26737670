#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Usage: hardening.py OPTIMISED PROGRAM...

Looks at built or installed programs, and at shared libraries (.so), as checksec does: position-independent, full RELRO with all
symbols bound at start, no executable stack, no segment that is both writable and executable, stack
canaries, and on x86-64 a landing pad at indirect calls. OPTIMISED is 1 where the checked functions
of the C library are wanted as well (a build that is optimised, without sanitizers).
"""
import os
import re
import shutil
import subprocess
import sys

failed = 0


def read(program, *options):
    return subprocess.run(["readelf", "-W", *options, program], check=True, capture_output=True,
                          text=True, env={**os.environ, "LC_ALL": "C"}).stdout


def check(program, what, good):
    global failed
    failed += not good
    print(f"{'ok' if good else 'MISSING'}: {os.path.basename(program)}: {what}")


def segments(program):
    """(name, flags) of each line of the program headers."""
    return re.findall(r"^ +([A-Z_]+) +0x\S+ 0x\S+ 0x\S+ 0x\S+ 0x\S+ ([R ][W ][E ])",
                      read(program, "-l"), re.M)


def landing_pads(program):
    with open(program, "rb") as f:
        return f.read().count(b"\xf3\x0f\x1e\xfa")


def look_at(program, optimised):
    header, dynamic, symbols = (read(program, o) for o in ("-h", "-d", "-s"))
    parts = segments(program)
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\) +(.*)", dynamic))
    check(program, "PIE", "DYN" in header and ("PIE" in flags or ".so" in program))
    check(program, "RELRO", any(name == "GNU_RELRO" for name, _ in parts))
    check(program, "BIND_NOW", "NOW" in flags)
    check(program, "no executable stack",
          any(name == "GNU_STACK" and "E" not in f for name, f in parts))
    check(program, "no segment writable and executable",
          not any("W" in f and "E" in f for _, f in parts))
    check(program, "stack protector", "__stack_chk_fail" in symbols)
    if optimised:
        check(program, "_FORTIFY_SOURCE", re.search(r"__(read|memcpy|snprintf|vsnprintf|printf|fprintf"
                                                    r"|vfprintf)_chk", symbols))
    if "X86-64" in header:
        check(program, "landing pads", landing_pads(program) > 10)


def main():
    if not shutil.which("readelf"):
        print("hardening: skipped, there is no readelf")
        return 77
    for program in sys.argv[2:]:
        look_at(program, sys.argv[1] == "1")
    return bool(failed)


sys.exit(main())

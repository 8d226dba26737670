#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the command-line tests: tests/cli/cases/X.sh, with what is expected in X.exit (default 0),
X.stdout and X.stderr (default empty) beside it.

In an expected file with `.glob` at the end of its name (X.stderr.glob) each line is a shell pattern,
and a line of three dots stands for any lines. A test runs in a clean scratch directory with the
program as $PLATEN, the source tree as $SOURCE and models from there; it exits with 77 to be skipped.
Slow programs (a sanitizer's) get all time limits times $TIMES.

    run.py --platen BUILD/cli/platen [--update] [--times N] [NAME...]
    run.py --list               prints the names of the tests
    run.py --listed NAME...     fails unless these are all of them
"""
import argparse
import fnmatch
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "cases")
TIMEOUT_S = 600
SOURCE = os.path.dirname(os.path.dirname(HERE))


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def globs_match(patterns, lines):
    """Whether the lines fit the patterns, `...` standing for any number of lines."""
    if not patterns:
        return not lines
    if patterns[0] == "...":
        return any(globs_match(patterns[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and fnmatch.fnmatchcase(lines[0], patterns[0]) and globs_match(patterns[1:], lines[1:])


def check(base, what, got):
    """None when `got` is what the test expects, else a list of words."""
    globs = read(f"{base}.{what}.glob")
    if globs is not None:
        text = got.decode("utf-8", "replace")
        if globs_match(globs.decode().splitlines(), text.splitlines()):
            return None
        return [f"{what} does not match its patterns; it is:"] + text.splitlines()
    want = read(f"{base}.{what}") or b""
    if got == want:
        return None
    return ([f"{what} is:"] + got.decode("utf-8", "replace").splitlines()
            + [f"{what} should be:"] + want.decode("utf-8", "replace").splitlines())


def update(base, what, got, default):
    if os.path.exists(f"{base}.{what}.glob"):
        return
    path = f"{base}.{what}"
    if got == default:
        if os.path.exists(path):
            os.remove(path)
        return
    with open(path, "wb") as f:
        f.write(got)


def run_case(name, platen, times):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PLATEN": platen, "SOURCE": SOURCE,
           "PLATEN_MODELS": os.path.join(SOURCE, "models"), "CASES": CASES,
           "TIMES": str(times)}
    for key in os.environ:
        if key.endswith("SAN_OPTIONS"):
            env[key] = os.environ[key]
    scratch = tempfile.mkdtemp(prefix="platen-cli-")
    try:
        return subprocess.run(["sh", "-eu", os.path.join(CASES, name + ".sh")], cwd=scratch, env=env,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S * times)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(e.cmd, 124, e.stdout or b"", e.stderr or b"")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the cases would ignore it
    p = argparse.ArgumentParser()
    p.add_argument("--platen")
    p.add_argument("--list", action="store_true", help="print the names of all tests")
    p.add_argument("--listed", action="store_true", help="fail unless NAME... are all tests")
    p.add_argument("--update", action="store_true", help="write what came out as what is expected")
    p.add_argument("--times", type=int, default=int(os.environ.get("TIMES", "1")), metavar="N",
                   help="time limits are N times as long (default: $TIMES, or 1)")
    p.add_argument("names", nargs="*")
    args = p.parse_args()
    cases = sorted(f[:-3] for f in os.listdir(CASES) if f.endswith(".sh") and not f.startswith("_"))
    if args.list:
        print("\n".join(cases))
        return 0
    if args.listed:
        changed = set(cases) ^ set(args.names)
        if changed:
            print(f"meson does not know yet of {', '.join(sorted(changed))}: run `meson setup --reconfigure`")
        return 1 if changed else 0
    if not args.platen:
        p.error("--platen is required")
    names = args.names or cases
    failed = 0
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        r = run_case(name, os.path.abspath(args.platen), args.times)
        base = os.path.join(CASES, name)
        if r.returncode == 77:
            print(f"ok {number} - {name} # SKIP {r.stdout.decode().strip()}")
            continue
        if args.update:
            update(base, "exit", b"%d\n" % r.returncode, b"0\n")
            update(base, "stdout", r.stdout, b"")
            update(base, "stderr", r.stderr, b"")
        problems = []
        want = int(read(base + ".exit") or b"0")
        if r.returncode != want:
            problems.append(f"exit status is {r.returncode}, not {want}")
        for what, got in (("stdout", r.stdout), ("stderr", r.stderr)):
            problems += check(base, what, got) or []
        print(f"{'not ok' if problems else 'ok'} {number} - {name}", flush=True)
        for line in problems[:60]:
            print("#   " + line)
        failed += bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

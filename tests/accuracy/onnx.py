#!/usr/bin/env python3
"""The ONNX backend tests, where the evaluation data is at hand.

    onnx.py PLATEN DATA

Every graph of DATA/onnx-node must pass or be refused by name, and at least 95 in 100 pass: behind all
passes, behind none, and behind all but one. Exits with 77 (skipped) where there is no data. Python 3 standard library only.
"""
import os, re, subprocess, sys

PASSES = "fold identity cse transpose activation pad norm rnn matmul residual fuse dead".split()


def main():
    platen, data = sys.argv[1:3]
    tests = os.path.join(data, "onnx-node")
    if not os.path.isdir(tests):
        print("skipped: no evaluation data beside the project")
        return 77
    return sum(suite(platen, tests, passes) for passes in ["all", "none"] + ["-" + p for p in PASSES])


def suite(platen, tests, passes):
    run = subprocess.run([platen, "model", "verify", "--onnx-test", "--passes=" + passes, tests],
                         capture_output=True, text=True)
    print("passes", passes, *(l for l in run.stdout.splitlines() if not l.startswith("passed")), run.stderr)
    passed, failed, unsupported = map(int, re.fullmatch(
        r"(\d+) passed, (\d+) failed, (\d+) unsupported", run.stdout.splitlines()[-1]).groups())
    nameless = [l for l in run.stdout.splitlines() if l.startswith("unsupported") and "'" not in l]
    return bool(failed or nameless or run.returncode or passed < 0.95 * (passed + unsupported))


if __name__ == "__main__":
    sys.exit(1 if (code := main()) and code != 77 else code)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Networks beside onnxruntime: one thread each, the same input, taking turns.

    run.py PLATEN ENGINE [--rounds N] [--isa NAME] [--keep DIR] [--calibrate X.npy...] -- MODEL.onnx:1x3x48x320...

Installs onnxruntime-node into a temporary folder (or DIR), with scripts off. Each round runs ORT in fp32,
platen in fp32 and platen in int8 once each, in turn; printed are medians of processor time and the medians of the
ratios within each round. The input is the pattern of tests/accuracy/networks.py, on which the ranges of int8 are
measured, too, unless arrays are given. Python 3 standard library only, and npm.
"""
import argparse, os, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "accuracy"))
from networks import picture, write_npy

VERSION = "1.30.0"


class Peer:
    """A program that answers each line with its milliseconds."""

    def __init__(self, command, env=None):
        self.p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.opened, before, after = map(float, self.p.stdout.readline().split())
        self.memory = (after - before) / 1024

    def run(self):
        self.p.stdin.write("\n")
        self.p.stdin.flush()
        return float(self.p.stdout.readline())

    def close(self):
        self.p.stdin.close()
        self.p.wait()


def install(folder):
    if not os.path.isdir(os.path.join(folder, "node_modules", "onnxruntime-node")):
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder,
                        "onnxruntime-node@" + VERSION], check=True, stdout=subprocess.DEVNULL)


def measure(args, folder, tmp, model):
    path, sizes = model.rsplit(":", 1)
    dims = [int(d) for d in sizes.split("x")]
    x, raw, f32, int8 = (os.path.join(tmp, n) for n in ("x.npy", "x.f32", "f32.platen", "int8.platen"))
    data = picture(dims, 1)
    write_npy(x, dims, data)
    with open(raw, "wb") as f:
        f.write(data.tobytes())
    subprocess.run([args.platen, "model", "import", path, "-o", f32], check=True)
    subprocess.run([args.platen, "model", "import", path, "-o", int8, "--quantize", "int8", "--calibrate"] + (args.calibrate or [x]), check=True)
    isa = [args.isa] if args.isa else []
    peers = [Peer(["node", os.path.join(HERE, "ort.js"), path, raw, sizes], dict(os.environ, ORT_HOME=folder)),
             Peer([args.engine, f32, x] + isa), Peer([args.engine, int8, x] + isa)]
    for p in peers:
        p.run()
    rounds = [[p.run() for p in peers] for _ in range(args.rounds)]
    for p in peers:
        p.close()
    ms = [statistics.median(r[i] for r in rounds) for i in range(3)]
    ratio = [statistics.median(r[0] / r[i] for r in rounds) for i in (1, 2)]
    print("| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f / %.1f / %.1f | %.0f / %.0f / %.0f | %.1f / %.1f |" % (
        os.path.basename(path)[:-5], sizes, *ms, *ratio, *(p.opened for p in peers), *(p.memory for p in peers),
        *(os.path.getsize(p) / 1e6 for p in (path, int8))), flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("platen")
    p.add_argument("engine")
    p.add_argument("models", nargs="+")
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--isa")
    p.add_argument("--keep")
    p.add_argument("--calibrate", nargs="+", metavar="X.npy")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        install(folder)
        print("| network | input | ORT fp32 ms | platen fp32 ms | platen int8 ms | fp32 x ORT | int8 x ORT | "
              "open ms (ORT / fp32 / int8) | memory MB (the same) | file MB (ONNX / int8) |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for model in args.models:
            measure(args, folder, tmp, model)


if __name__ == "__main__":
    main()

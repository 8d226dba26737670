#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Networks beside onnxruntime: one thread each, the same input, taking turns.

    run.py PLATEN ENGINE [--rounds N] [--isa NAME] [--keep DIR] [--narrow] [--calibrate X.npy...] -- MODEL.onnx:1x3x48x320...

Installs onnxruntime-node into a temporary folder (or DIR), with scripts off. Each round runs ORT in fp32 and in int8
(as qdq.py quantises), platen in fp32 and in int8 once each, in turn; printed are medians of processor time and the
medians of the ratios within each round, and the error that the import told. The input is the pattern of
tests/accuracy/networks.py, on which the ranges of int8 are measured, too, unless arrays are given. What one of them
refuses is a dash. With --narrow int8 has the weights that are meant for processors without VNNI. Python 3, npm, and for int8 of ORT Debian's python3-onnx.
"""
import argparse, os, re, statistics, subprocess, sys, tempfile

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


def quantise_ort(model, out, folder):
    """Returns whether there is a network in bytes for ORT."""
    plain = out + ".plain"
    tool = [["node", os.path.join(HERE, "ort.js"), model, "--write", plain], [sys.executable, os.path.join(HERE, "qdq.py"), plain, out]]
    return all(not subprocess.run(t, env=dict(os.environ, ORT_HOME=folder), stdout=subprocess.DEVNULL).returncode for t in tool)


def make(platen, model, out, *quantise):
    """Returns the error in dB that the import told, or None where it refused."""
    p = subprocess.run([platen, "model", "import", model, "-o", out, *quantise], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True)
    print(p.stdout, end="", file=sys.stderr)
    told = re.search(r"sqnr ([\d.]+|inf) dB", p.stdout)
    return None if p.returncode else float(told.group(1)) if told else float("nan")


def text(form, v):
    return "-" if v is None else form % v


def column(rounds, of):
    """The median over rounds; None where a peer is missing."""
    v = [of(r) for r in rounds]
    return None if None in v else statistics.median(v)


def measure(args, folder, tmp, model):
    path, sizes = model.rsplit(":", 1)
    dims = [int(d) for d in sizes.split("x")]
    x, raw, q, f32, int8 = (os.path.join(tmp, n) for n in ("x.npy", "x.f32", "q.onnx", "f32.platen", "int8.platen"))
    data = picture(dims, 1)
    write_npy(x, dims, data)
    with open(raw, "wb") as f:
        f.write(data.tobytes())
    isa = [args.isa] if args.isa else []
    error = [make(args.platen, path, f32), make(args.platen, path, int8, "--quantize", "int8", "--calibrate", *(args.calibrate or [x]), *args.narrow)]
    ort = dict(os.environ, ORT_HOME=folder)
    node = ["node", os.path.join(HERE, "ort.js")]
    peers = [Peer([*node, path, raw, sizes], ort),
             Peer([*node, q, raw, sizes], ort) if quantise_ort(path, q, folder) else None,
             *(Peer([args.engine, f, x] + isa) if e is not None else None for f, e in zip((f32, int8), error))]
    rounds = [[p and p.run() for p in peers] for _ in range(args.rounds + 1)][1:]
    for p in peers:
        if p:
            p.close()
    ms = [column(rounds, lambda r: r[i]) for i in range(4)]
    ratio = [column(rounds, lambda r: r[a] and r[b] and r[a] / r[b]) for a, b in ((0, 2), (0, 3), (1, 3))]
    row = [os.path.basename(path)[:-5], sizes, *(text("%.2f", v) for v in ms + ratio),
           " / ".join(text("%.1f", e) for e in error), " / ".join(text("%.0f", p and p.opened) for p in peers),
           " / ".join(text("%.0f", p and p.memory) for p in peers),
           " / ".join(text("%.1f", os.path.getsize(p) / 1e6 if os.path.exists(p) else None) for p in (path, int8))]
    print("| " + " | ".join(row) + " |", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("platen")
    p.add_argument("engine")
    p.add_argument("models", nargs="+")
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--isa")
    p.add_argument("--keep")
    p.add_argument("--narrow", action="store_const", const=["--narrow"], default=[])
    p.add_argument("--calibrate", nargs="+", metavar="X.npy")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        install(folder)
        print("| network | input | ORT fp32 ms | ORT int8 ms | platen fp32 ms | platen int8 ms | fp32 x ORT | int8 x ORT fp32 | "
              "int8 x ORT int8 | sqnr dB (fp32 / int8) | open ms (the four) | memory MB (the four) | file MB (ONNX / int8) |")
        print("|---" * 13 + "|")
        for model in args.models:
            with tempfile.TemporaryDirectory(dir=tmp) as own:
                measure(args, folder, own, model)


if __name__ == "__main__":
    main()

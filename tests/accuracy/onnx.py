#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""ONNX operators: our own vectors, and ONNX's backend tests where the evaluation data is at hand.

    onnx.py PLATEN DATA

Every test of vectors.tar.xz (make_vectors.py) must pass, and so must 95 in 100 graphs of DATA/onnx-node,
whose others must be refused by name: behind all passes, behind none, and behind all but one, the vectors on
every instruction set. The vectors must have each ONNX operator of ops.def, and a graph that each pass of
passes.def changes. Python 3 standard library only.
"""
import glob, json, os, re, subprocess, sys, tarfile, tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def listed(macro, *path):
    """What the lines of a .def file name, and the rest of each."""
    with open(os.path.join(SOURCE, *path)) as f:
        return re.findall(r"^PL_%s\((\w+),(.*)$" % macro, f.read(), re.M)


PASSES = [name for name, _ in listed("PASS", "src", "compile", "passes.def")]


def main():
    platen, data = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as vectors:
        with tarfile.open(os.path.join(SOURCE, "tests", "accuracy", "vectors.tar.xz")) as t:
            t.extractall(vectors)
        bad = operators_without_a_vector(vectors) + passes_without_a_vector(platen, vectors)
        bad += sum(suite(platen, vectors, 1, "--isa=" + isa) for isa in instruction_sets(platen))
        bad += sum(suite(platen, vectors, 1, "--passes=" + p) for p in sets_of_passes())
    backend = os.path.join(data, "onnx-node")
    if os.path.isdir(backend):
        bad += sum(suite(platen, backend, 0.95, "--passes=" + p) for p in sets_of_passes())
    return bad


def sets_of_passes():
    return ["all", "none"] + ["-" + p for p in PASSES]


def instruction_sets(platen):
    features = json.loads(subprocess.run([platen, "detect-features", "--json"], capture_output=True).stdout)
    return [name for name, state in features["isa"].items() if state == "available"]


def operators_without_a_vector(vectors):
    internal = {name for name, rest in listed("OP(?:_REFERENCE)?", "src", "nn", "ops.def") if "PL_INTERNAL" in rest}
    offered = {name for name, _ in listed("OP(?:_REFERENCE)?", "src", "nn", "ops.def")} - internal
    used = set()
    for path in glob.glob(os.path.join(vectors, "*", "model.onnx")):
        with open(path, "rb") as f:
            # op_type, field 4 of NodeProto: its length, and so many letters
            used |= {m[2][:m[1][0]].decode() for m in re.finditer(rb'"(.)(\w+)', f.read(), re.S)}
    print("operators without a vector:", len(offered - used), *sorted(offered - used))
    return len(offered - used) + (len(offered) < 100)


def passes_without_a_vector(platen, vectors):
    changed = set()
    for path in glob.glob(os.path.join(vectors, "*", "model.onnx")):
        log = subprocess.run([platen, "model", "import", "-v", "--quantize=none", path, "-o", path + ".platen"],
                             capture_output=True, text=True).stderr
        changed |= {name for n, name in re.findall(r"^ *(\d+)  (\w+): ", log, re.M) if n != "0"}
    missing = set(PASSES) - changed
    print("passes without a vector:", len(missing), *sorted(missing))
    return len(missing)


def suite(platen, tests, share, option):
    """Whether less than that share passes, or some fail, or are refused without a name."""
    run = subprocess.run([platen, "model", "verify", "--onnx-test", option, tests], capture_output=True, text=True)
    print(option, *(l for l in run.stdout.splitlines() if not l.startswith("passed")), run.stderr)
    passed, failed, unsupported = map(int, re.fullmatch(
        r"(\d+) passed, (\d+) failed, (\d+) unsupported", run.stdout.splitlines()[-1]).groups())
    nameless = [l for l in run.stdout.splitlines() if l.startswith("unsupported") and "'" not in l]
    return bool(failed or nameless or run.returncode or passed < share * (passed + unsupported))


if __name__ == "__main__":
    sys.exit(1 if main() else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Whole models in ONNX form, where the evaluation data is at hand.

    networks.py PLATEN DATA

Imports every model of DATA/onnx/EXPECTED.tsv and runs it on the input that README.md there tells; the
output must lie within 1e-4 of the reference, relative to its largest value, with every pass and with each
of them left out. In bytes, measured on that one input, its signal stands 14 dB above its error at
least, and is the same on every instruction set. Exits with 77 (skipped) where there is no data. Python 3 standard library only.
"""
import array, csv, math, os, subprocess, sys, tempfile

from onnx import PASSES


def mix(a):
    a ^= a >> 16
    a = a * 0x7FEB352D & 0xFFFFFFFF
    a ^= a >> 15
    a = a * 0x846CA68B & 0xFFFFFFFF
    return a ^ a >> 16


def picture(dims, amplitude):
    n, channels, height, width = dims
    out, i = array.array("f"), 0
    for b in range(n):
        for _ in range(channels):
            for h in range(height):
                cy = h % 24
                for w in range(width):
                    g, cx = mix((h // 24 * 131 + w // 12 + b * 7919) & 0xFFFFFFFF), w % 12
                    dark = (g & 15 and 4 <= cy < 20 and 1 <= cx < 10
                            and g >> (4 + (cy - 4) // 4 * 3 + (cx - 1) // 3) & 1)
                    i += 1
                    out.append(amplitude * ((-1 if dark else 1) + ((mix(i) >> 8) / 16777216.0 - 0.5) * 0.125))
    return out


def write_npy(path, dims, data):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % "".join("%d, " % d for d in dims)
    head += " " * (117 - len(head)) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + data.tobytes())


def read_floats(path, offset=0):
    with open(path, "rb") as f:
        return array.array("f", f.read()[offset:])


def read_npy(path):
    with open(path, "rb") as f:
        return read_floats(path, 10 + int.from_bytes(f.read(10)[8:], "little"))


def distance(got, want):
    """The largest difference, beside the largest value."""
    assert len(got) == len(want), "%d elements, not %d" % (len(got), len(want))
    return max(abs(a - b) for a, b in zip(got, want)) / max(map(abs, want))


def check(platen, data, row, tmp):
    name, dims = row["model"], [int(d) for d in row["dims"].split("x")]
    onnx, model, x = (os.path.join(*p) for p in ((data, name), (tmp, "m.platen"), (tmp, "x.npy")))
    write_npy(x, dims, picture(dims, 2 if "det" in name or "dbnet" in name else 1))

    def run(what, *options):
        y = os.path.join(tmp, "y.npy")
        subprocess.run([platen, "model", "run", *options, what, x, "-o", y], check=True)
        return read_npy(y)

    subprocess.run([platen, "model", "import", onnx, "-o", model], check=True)
    want = read_floats(os.path.join(data, row["file"]))
    off = {"": distance(run(model), want)}
    off.update({"-" + p: distance(run(onnx, "--passes=-" + p), want) for p in PASSES})
    print(name, *("%s %.1e" % o for o in off.items()), flush=True)
    subprocess.run([platen, "model", "import", onnx, "-o", model, "--quantize", "int8", "--calibrate", x], check=True)
    got = run(model)
    sqnr = 10 * math.log10(sum(v * v for v in want) / sum((a - b) ** 2 for a, b in zip(got, want)))
    print(name, "int8 %.1f dB" % sqnr, flush=True)
    equal = all(run(model, "--isa=" + isa) == got for isa in ("scalar", "sse42", "avx2"))
    return max(off.values()) > 1e-4 or sqnr < 14 or not equal


def main():
    platen, data = sys.argv[1], os.path.join(sys.argv[2], "onnx")
    if not os.path.isdir(data):
        print("skipped: no evaluation data beside the project")
        return 77
    with open(os.path.join(data, "EXPECTED.tsv")) as f, tempfile.TemporaryDirectory() as tmp:
        return sum(check(platen, data, row, tmp) for row in csv.DictReader(f, delimiter="\t"))


if __name__ == "__main__":
    sys.exit(1 if (code := main()) and code != 77 else code)

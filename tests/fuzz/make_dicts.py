#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the dictionaries whose words stand in the source: dict/argv.dict from cli/options.def,
dict/tesseract.dict from cli/tesseract/request.c,
dict/onnx.dict and dict/network.dict from src/nn/ops.def, and, with the program's path as argument,
dict/pipeline.dict from `platen ops --json`. Standard library only."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


def quoted(data):
    return '"%s"' % "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else "\\x%02x" % b for b in data)


def write(name, words):
    with open(os.path.join(HERE, "dict", name + ".dict"), "w") as f:
        f.write("# written by make_dicts.py\n")
        for w in dict.fromkeys(words):
            if w:
                f.write(quoted(w if isinstance(w, bytes) else w.encode()) + "\n")


def read(*path):
    with open(os.path.join(ROOT, *path)) as f:
        return f.read()


def argv_words():
    words = ["--", "-", "=", b"\0", b"\0--", b"\0-", "0", "1", "64", "1024", "500M", "1T", "18446744073709551616", "-1", "1/4"]
    for long_name, letter in re.findall(r'PL_OPTION\(\w+, "([^"]+)", ([^,]+),', read("cli", "options.def")):
        words.append("--" + long_name)
        if letter != "0":
            words.append("-" + letter.strip("'"))
    return words + "none simd parallel full auto off always never json scalar avx2 eng".split()


def tesseract_words():
    words = re.findall(r'"([^"\s%]{2,})"', read("cli", "tesseract", "request.c"))
    return sorted({w for w in words if "\\" not in w and not w.endswith(".h")}) + [b"\0", "=", " ", "\n", "1", "eng+", b"\xff"]


def config_words():
    names = re.findall(r'PL_OPTION\(\w+, "([^"]+)"', read("cli", "options.def"))
    return names + ["=", " = ", "#", b"\n", b"\t", b"\r\n"] + "none simd full auto off always 1 64 500M txt,json".split()


def operator_words():
    words, attributes = [], []
    for name, listed in re.findall(r'PL_OP(?:_REFERENCE)?\((\w+), [^"]*"([^"]*)"', read("src", "nn", "ops.def")):
        words.append(name)
        attributes += [a.split(":")[0] for a in listed.split()]
    return words + attributes


def protobuf_words():
    """Fields of ModelProto, GraphProto, NodeProto, TensorProto and ValueInfoProto with a length behind
    them, and lengths that lie."""
    fields = [bytes((n << 3 | 2, 2)) for n in (1, 2, 3, 4, 5, 7, 8, 9, 11, 12)]
    return fields + [bytes((n << 3,)) for n in (1, 2, 3, 20)] + [b"\xff" * 9 + b"\1", b"\x80\x01", b"\xff\xff\xff\xff\x0f"]


def sections():
    return [b"PLATENM\n"] + "META STRS VALS NODE EDGE ATTR DATA".split() + [
        b"\0" * 8, b"\xff" * 4, b"\xff" * 8, b"\0\0\0\x80", b"\xff\xff\xff\x7f", b"\1\0\0\0", b"\x40\0\0\0\0\0\0\0"]


def pipeline_words(platen):
    words = ["|", ",", ":", "=", "@", "\\", "{", "}", "[", "]", '"', '"op"', '"preprocess"', '"detect"', '"recognize"',
             "\\u0000", "true", "null", "-", "1e308", "1e-9", "0x1p3", "nan", "inf"]
    words += ["@document", "@receipt", "@photo", "@line", "@clean", "@none"]

    def collect(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("name", "choices") or isinstance(value, (dict, list)):
                    collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)
        elif isinstance(node, str):
            words.append(node)

    collect(json.loads(subprocess.check_output([platen, "ops", "--json"])))
    return words


def main():
    write("argv", argv_words())
    write("tesseract", tesseract_words())
    write("config", config_words())
    write("onnx", operator_words() + protobuf_words())
    write("network", sections() + operator_words())
    if len(sys.argv) > 1:
        write("pipeline", pipeline_words(sys.argv[1]))


if __name__ == "__main__":
    main()

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Reads the samples by two builds of platen, of which one may run by an emulator, and compares all that they write.
#   tests/samples.sh PLATEN COMMAND...    COMMAND is the other one, with its emulator before it
set -eu
cd "$(dirname "$0")/.."
PLATEN_MODELS=$PWD/models
export PLATEN_MODELS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() # NAME COMMAND...
{
    name=$1
    shift
    "$@" -q -f txt,json,hocr,pdf,png -o "$work/$name" samples/pages
}
run one "$1"
shift
run other "$@"
diff -r "$work/one" "$work/other"
echo "samples: $(find "$work/one" -type f | wc -l) files have the same bytes"

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The shaders in the library are what compiling their sources makes: the hash of the sources always, and
# every byte where the compiler is the one that was used.
set -eu
shaders=${1:-.}/src/gpu/shaders
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$shaders"/compile --head >"$made"
if ! grep -qxF "$(grep '^/\* sources: ' "$made")" "$shaders/blobs.h"; then
    echo "shaders: the sources have changed; see $shaders/compile"
    exit 1
fi
if ! grep -qxF "$(grep '^/\* compiler: ' "$made")" "$shaders/blobs.h"; then
    echo "shaders: ok by their sources; another glslc than theirs, or none, is installed"
    exit 0
fi
"$shaders"/compile >"$made"
cmp "$made" "$shaders/blobs.h"
echo "shaders: ok"

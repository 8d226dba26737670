#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The layer rule: a file includes headers of its own room, or of a room to its left, and no other.
# A room is a folder of src/, with the folders in it; cli includes platen.h alone.
set -eu
cd "${1:-.}"
find src simd cli \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sort | xargs awk '
BEGIN {
    n = split("base simd image codec page op preprocess nn gpu detect recognize layout output spec stages compile onnx models host files job bench",
              names, " ")
    for (i = 1; i <= n; i++) level[names[i]] = i
}
function room(path) { sub(/^src\//, "", path); return substr(path, 1, index(path, "/") - 1) }
function bad(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0; failed = 1 }
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, q, "\""); target = q[2]; own = room(FILENAME); other = room(target)
    if (target ~ /\.\.\//) { bad("include by relative path"); next }
    if (own == "cli") {
        if (target != "platen.h" && other != "cli" && other != "") bad("cli may include only platen.h")
        next
    }
    if (other == "") next                       # platen.h and generated headers
    if (!(other in level)) { bad("unknown room"); next }
    if (level[other] > level[own]) bad("includes a room above its own")
}
END { exit failed }' && echo "layers: ok"

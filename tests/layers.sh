#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The layer rule: a file includes headers of its own folder, or of one above it in the table of
# docs/ARCHITECTURE.md, and no other. Folders inside a folder belong to it; cli includes platen.h
# alone. The table has each folder of src/, and each of them holds sources.
set -eu
cd "${1:-.}"
table=$(sed -nE 's/^\| `(src\/)?([a-z]+)` \|.*/\2/p' docs/ARCHITECTURE.md)
for folder in src/*/; do
    folder=${folder%/}
    echo "$table" | grep -qxF "${folder#src/}" || { echo "$folder: the table lacks it"; exit 1; }
    [ -n "$(find "$folder" -name '*.c')" ] || { echo "$folder: holds no sources"; exit 1; }
done
find src simd cli \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sort | xargs awk -v table="$table" '
BEGIN { n = split(table, names, "\n"); for (i = 1; i <= n; i++) level[names[i]] = i }
function folder(path) { sub(/^src\//, "", path); return substr(path, 1, index(path, "/") - 1) }
function bad(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0; failed = 1 }
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, q, "\""); target = q[2]; own = folder(FILENAME); other = folder(target)
    if (target ~ /\.\.\//) { bad("include by relative path"); next }
    if (own == "cli") {
        if (target != "platen.h" && other != "cli" && other != "") bad("cli may include only platen.h")
        next
    }
    if (other == "") next                       # platen.h and generated headers
    if (!(own in level) || !(other in level)) { bad("a folder that the table lacks"); next }
    if (level[other] > level[own]) bad("includes a folder below its own in the table")
}
END { exit failed }' && echo "layers: ok"

#!/bin/sh
# The layer rule: a file includes headers of its own folder or of one to its left only.
#   base < simd < image < preprocess < nn < detect < recognize < pipeline = output < cli
# cli includes platen.h alone; recognize may use detect's region.h but nothing else of detect.
set -eu
cd "${1:-.}"
find src simd cli \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sort | xargs awk '
BEGIN {
    n = split("base simd image preprocess nn detect recognize pipeline", names, " ")
    for (i = 1; i <= n; i++) level[names[i]] = i
    level["output"] = level["pipeline"]
}
function layer(path) { sub(/^src\//, "", path); return substr(path, 1, index(path, "/") - 1) }
function bad(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0; failed = 1 }
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, q, "\""); target = q[2]; own = layer(FILENAME); other = layer(target)
    if (target ~ /\.\.\//) { bad("include by relative path"); next }
    if (own == "cli") {
        if (target != "platen.h" && other != "cli" && other != "") bad("cli may include only platen.h")
        next
    }
    if (other == "") next                       # platen.h and generated headers
    if (!(other in level)) { bad("unknown layer"); next }
    if (level[other] > level[own]) bad("includes a layer above its own")
    if (own == "recognize" && other == "detect" && target != "detect/region.h")
        bad("recognize may include only detect/region.h of detect")
}
END { exit failed }' && echo "layers: ok"

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: symbols.sh LIBRARY.a platen.h platen.map [LIBRARY.so]
# Every global symbol of the library is platen_* or pl_*, and only platen_* is visible outside of it. The map
# lists the functions of platen.h, no more and no fewer, and the shared library exports these.
set -eu
readelf -sW "$1" | awk '
$5 == "GLOBAL" && $7 != "UND" {
    n++
    if ($8 !~ /^(platen|pl)_/) bad("is neither platen_* nor pl_*")
    if ($8 !~ /^platen_/ && $6 != "HIDDEN") bad("is not hidden")
    if ($8 ~ /^platen_/ && $6 != "DEFAULT") bad("is hidden")
}
function bad(why) { print $8 " " why; failed = 1 }
END { if (n < 100) { print "only " n " symbols seen"; failed = 1 } exit failed }'

listed=$(sed -n 's/^ *\(platen_[a-z_]*\);$/\1/p' "$3" | sort)
declared=$(grep -v '^#' "$2" | tr '\n' ' ' | grep -o 'PLATEN_API [^;(]*(' | sed 's/.*[ *]\(platen_[a-z_]*\)($/\1/' | sort)
exported=$listed
if [ $# -gt 3 ]; then
    exported=$(readelf --dyn-syms -W "$4" | awk '$5 == "GLOBAL" && $7 != "UND" && $4 == "FUNC" {
        sub(/@.*/, "", $8); print $8 }' | sort)
fi
for names in "$declared" "$exported"; do
    if [ "$names" != "$listed" ]; then
        echo "platen.map lists:" "$listed"
        echo "and there are:" "$names"
        exit 1
    fi
done
echo "symbols: ok"

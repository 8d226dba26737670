#!/bin/sh
# Every global symbol of the library is platen_* or pl_*, and only platen_* is visible outside of it.
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
echo "symbols: ok"

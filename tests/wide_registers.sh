#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: wide_registers.sh LIBRARY
# Wide instructions stay in the kernels of their level: no function of the static library outside
# <family>_avx2.c and <family>_avxvnni.c uses a ymm register, none outside <family>_avx512*.c and <family>_amx.c a zmm or mask register.
set -eu
if ! command -v objdump >/dev/null 2>&1; then
    echo "wide_registers: skipped, there is no objdump"
    exit 77
fi
case $1 in
*.a) ;;
*)
    echo "wide_registers: skipped, '$1' is no static library"
    exit 77
    ;;
esac
objdump -d --no-show-raw-insn "$1" | awk '
/file format/ { object = $1; sub(/:$/, "", object); objects++ }
/%[yz]mm[0-9]|\{%k[0-7]\}/ {
    allowed = object ~ /_(avx512(vnni)?|amx)\.c\.o$/ || (object ~ /_avx(2|vnni)\.c\.o$/ && !/%zmm|\{%k/)
    if (!allowed) { if (!seen[object]++) print object ": " $0; failed = 1 }
    else wide++
}
END {
    if (objects < 20) { print "only " objects + 0 " objects seen"; failed = 1 }
    if (!wide) { print "no wide instruction at all: are the kernels in there?"; failed = 1 }
    exit failed
}'
echo "wide_registers: ok"

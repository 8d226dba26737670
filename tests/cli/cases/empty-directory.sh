# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir -p in/x
: >in/readme.txt
exits 1 "$PLATEN" in -o out
exits 1 "$PLATEN" -q in -o out
ls out 2>/dev/null || echo nothing written

# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
pgm a.pgm 40 30
"$PLATEN" -v -j1 --isa scalar -p 'gray,sauvola:k=0.25' -f pnm -o a.pnm a.pgm

# SPDX-License-Identifier: BSD-2-Clause
# Every wrong option ends with 2 before any input is opened.
. "$CASES/_lib.sh"
exits 2 "$PLATEN" --verbos a.png
exits 2 "$PLATEN" --xyzzy a.png
exits 2 "$PLATEN" -X a.png
exits 2 "$PLATEN" a.png --format
exits 2 "$PLATEN" a.png -o
exits 2 "$PLATEN" --quiet=yes a.png
exits 2 "$PLATEN" -j 0 a.png
exits 2 "$PLATEN" -j4x a.png
exits 2 "$PLATEN" --opt-level fast a.png
exits 2 "$PLATEN" --progress=maybe a.png
exits 2 "$PLATEN" --stats=xml a.png
exits 2 "$PLATEN" --max-pixels 1e6 a.png
exits 2 "$PLATEN" --shard 3/2 a.png
exits 2 "$PLATEN" --shard 1 a.png
exits 2 "$PLATEN" -0 a.png
exits 2 "$PLATEN" -f text a.png
exits 2 "$PLATEN" -f txt,json a.png
exits 2 "$PLATEN" -f txt -f json a.png
exits 2 "$PLATEN" --lang=deu --lang eng a.png
exits 2 "$PLATEN" -p gray -f txt a.png
exits 2 "$PLATEN" -p gray --pipeline-file p.json a.png
exits 2 "$PLATEN" --pipeline-file nosuch.json a.png
exits 2 "$PLATEN" - -
exits 2 "$PLATEN" ops --isa scalar
exits 2 "$PLATEN" ops gray deskew
exits 2 "$PLATEN" ops nosuch
exits 2 "$PLATEN" help nosuch
exits 2 "$PLATEN" model
exits 2 "$PLATEN" model info
exits 2 "$PLATEN" model melt x

# SPDX-License-Identifier: BSD-2-Clause
# Pages begin when they fit into memory; one that never fits is read alone. The outputs are the same.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3 4 5 6 7 8; do blank in/$i.pgm 3000 20$i; done
at_once() { "$PLATEN" -j4 --stats=json -p 'gray | lines' -f ndjson "$@" in 2>&1 >out.ndjson |
    python3 -c 'import json, sys; s = json.load(sys.stdin); print(s["done"], s["admission"]["at_once"])'; }
at_once --max-mem 1
at_once --max-mem 28K
cp out.ndjson alone.ndjson
# three pages of 2.4 MB beside the process itself and its threads
at_once --max-mem 36M | awk '{ print $1, $2 <= 3 }'
at_once --max-mem 2G | sed 's/ [1-4]$/ ok/'
cmp out.ndjson alone.ndjson
for bad in 0 x 5X 5MM 99999999999T; do exits 2 "$PLATEN" --max-mem $bad in; done

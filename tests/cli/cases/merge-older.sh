# SPDX-License-Identifier: BSD-2-Clause
# What a merge left is older than the journals of shards that went on since: their lines count, whichever
# file was made first. A page that two runs died with keeps its count, so that a third one gives it up.
. "$CASES/_lib.sh"
line() { echo '{"output":"x","input":"x.pgm","size":"1","mtime_ns":"1","key":"k","status":"begun","begun":"'$1'"}'; }
mkdir whole-first shard-first
line 1 >whole-first/.platen-journal
line 2 >whole-first/.platen-journal-2-of-2
line 2 >shard-first/.platen-journal-2-of-2
line 1 >shard-first/.platen-journal
for d in whole-first shard-first; do
    exits 1 "$PLATEN" merge $d 2>&1
    sed 's/.*"begun":/begun /' $d/.platen-journal
done

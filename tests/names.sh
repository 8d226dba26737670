#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rule of names: a name in a backtrace, in a search or in a list of files says which thing it is.
# Base names of files and tags of structs are unique, and no static function is called run, emit, find,
# open or close. What does not keep the rule yet is listed here; the lists only shrink.
set -eu
cd "${1:-.}"
files_left=''
tags_left='axis band cell counts grid kind layer letters look notes pl_line product reader reduction run search sizes span state strip sums table taps tile tiles turn window writer'
statics_left='src/compile src/detect src/detect/net src/image src/recognize'
failed=0
bad() { echo "$*"; failed=1; }

for name in $(find src simd cli -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d); do
    case " $files_left " in *" $name "*) ;; *) bad "two files are called $name" ;; esac
done
find src simd cli -name '*.[ch]' -exec sed -nE 's/^(struct|union|enum) ([a-z_0-9]+) \{.*/\2/p' {} + |
    sort | uniq -d >"${TMPDIR:-/tmp}/names.$$"
trap 'rm -f "${TMPDIR:-/tmp}/names.$$"' EXIT
while read -r tag; do
    case " $tags_left " in *" $tag "*) ;; *) bad "two structs are called $tag" ;; esac
done <"${TMPDIR:-/tmp}/names.$$"
for tag in $tags_left; do
    grep -qx "$tag" "${TMPDIR:-/tmp}/names.$$" || bad "$tag is unique now: take it off the list"
done
for file in $(grep -rlE '^static .*[ *](run|emit|find|open|close)\(' src simd cli --include='*.[ch]'); do
    room=$(dirname "$file")
    case " $statics_left " in *" $room "*) ;; *) bad "$file: a static is called run, emit, find, open or close" ;; esac
done
[ $failed = 0 ] && echo "names: ok"

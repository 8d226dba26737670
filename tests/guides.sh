#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rule of guides: a file that a document names is there. Checked are links in Markdown to files,
# paths in backquotes that begin with a folder of the project, and names of sources in backquotes.
set -eu
cd "${1:-.}"
failed=0
bad() { echo "$*"; failed=1; }

sources=$(find src cli simd tests train bench scripts web python models man examples -type f | sed 's|.*/||' | sort -u)
guides=$(find . -name '*.md' -not -path './build*' -not -path './.*' -not -path './bench/runs/*' -not -path './subprojects/*')
for guide in $guides; do
    folder=$(dirname "$guide")
    for link in $(grep -oE '\]\([^)#: ]+[)#]' "$guide" | sed 's/^](//; s/[)#]$//'); do
        [ -e "$folder/$link" ] || bad "$guide: there is no $link"
    done
    quoted=$(grep -oE '`[A-Za-z0-9_./-]+`' "$guide" | tr -d '`' | sort -u)
    for path in $(echo "$quoted" | grep -E '^(src|cli|simd|tests|train|bench|scripts|web|python|docs|models|man|samples|examples)/' | grep -v '[A-Z]\{3\}' || true); do
        [ -e "$path" ] || [ -e "$folder/$path" ] || bad "$guide: there is no $path"
    done
    for name in $(echo "$quoted" | grep -E '^[a-z0-9_]+\.(c|h|def|sh)$' || true); do
        echo "$sources" | grep -qxF "$name" || bad "$guide: there is no $name"
    done
done
[ $failed = 0 ] && echo "guides: ok"

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rule of guides: a file that a document names is there. Checked are links in Markdown to files,
# paths in backquotes that begin with a folder of the project, and names of sources in backquotes. And
# README has the shares of words that MODELS.md has, with a digit less.
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
awk '
{ is_row = /^\|/; gsub(/[|*]/, " ") }
FILENAME ~ /MODELS/ && / f1(_ci)? % / { platen[$1] = sprintf("%.1f", $5); other[$1] = sprintf("%.1f", $6) }
FILENAME ~ /README/ && is_row && match($0, /[a-z]+( layouts)? \(/) {
    split(substr($0, RSTART), word, " ")
    for (set in platen) {
        if (!index(set, word[1]))
            continue
        rows++
        if ($(NF - 3) == platen[set] && $(NF - 2) == other[set])
            continue
        print "README.md: " word[1] " " $(NF - 3) ", " $(NF - 2) "; models/MODELS.md: " platen[set] ", " other[set]
        failed = 1
    }
}
END {
    if (rows != 7)
        print "README.md: " rows + 0 " sets of pages, not 7"
    exit failed || rows != 7
}' models/MODELS.md README.md || failed=1
[ $failed = 0 ] && echo "guides: ok"

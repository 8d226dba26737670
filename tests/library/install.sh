#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: install.sh BUILD SOURCE PREFIX LIBDIR BINDIR
# Installs below the build folder, compiles examples/ with what pkg-config says, against the shared library
# and against the static one, runs them on samples/ and compares what they say with the command line.
set -eu
build=$1 source=$2 prefix=$3 libdir=$4 bindir=$5
installed=$build/tests/library/dest
rm -rf "$installed"
DESTDIR=$installed meson install -C "$build" --no-rebuild --quiet
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
dest=$work/dest # without the blanks that the path of a build may have: pkg-config splits there
ln -s "$installed" "$dest"
root=$dest$prefix
bin=$root/$bindir # a program there finds the models beside it
export PKG_CONFIG_SYSROOT_DIR="$dest" PKG_CONFIG_PATH="$root/$libdir/pkgconfig"
export LC_ALL=C.UTF-8

pages=$source/samples/pages
"$bin/platen" -q --sandbox off -f tsv "$pages/columns.png" |
    awk -F '\t' '$1 == 5 { printf "%d\t%d\t%d\t%d\t%s\n", $7, $8, $7 + $9, $8 + $10, $12 }' >"$work/words"
"$bin/platen" -q --sandbox off -f txt "$pages/columns.png" >"$work/text"
"$bin/platen" -q --sandbox off -f txt -o "$work/wanted/" "$pages"
[ "$(wc -l <"$work/words")" -gt 50 ]

ask() {
    python3 - "$1" "$2" <<'END'
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(open(sys.argv[2], "rb").read())
s.shutdown(socket.SHUT_WR)
sys.stdout.buffer.write(b"".join(iter(lambda: s.recv(65536), b"")))
END
}

try() { # shared|static FLAGS...: FLAGS are those of pkg-config
    kind=$1
    shift
    for example in page directory server; do
        # shellcheck disable=SC2046,SC2086  # the flags, and a CC of several words, are meant to be split
        ${CC:-cc} -Wall -Wextra -Werror "$root/share/doc/platen/examples/$example.c" -o "$bin/$kind-$example" -pthread \
            $(pkg-config "$@" --cflags --libs platen)
    done
    cp "$bin/$kind-page" "$work/elsewhere" # where no models are beside it
    PLATEN_MODELS=$root/share/platen/models "$work/elsewhere" <"$pages/columns.png" >"$work/$kind.words"
    cmp "$work/words" "$work/$kind.words"
    "$bin/$kind-page" <"$pages/columns.png" >"$work/$kind.words"
    cmp "$work/words" "$work/$kind.words"
    "$bin/$kind-directory" "$pages" "$work/$kind" 2>/dev/null
    for page in "$work"/wanted/*.txt; do
        cmp "$page" "$work/$kind/${page##*/}"
    done
    "$bin/$kind-server" "$work/socket" &
    server=$!
    until [ -S "$work/socket" ]; do
        kill -0 "$server"
        sleep 0.1
    done
    ask "$work/socket" "$pages/columns.png" >"$work/$kind.text"
    cmp "$work/text" "$work/$kind.text"
    kill "$server"
    server=
    rm "$work/socket"
    echo "$kind: ok"
}

export LD_LIBRARY_PATH="$root/$libdir"
try shared
readelf -d "$bin/shared-page" | grep -q 'NEEDED.*libplaten\.so\.0'
rm "$root/$libdir"/libplaten.so*
try static --static

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the tarball of the commit at hand (meson dist), builds what it holds away from the repository, without git,
# without what a build leaves out of it, in a path with a blank and in another language, and runs the tests there.
#   tests/tarball.sh FOLDER    a folder that meson has set up; the tarball goes to its meson-dist
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT

rm -rf "$build/meson-dist"
meson dist -C "$build" --no-tests --allow-dirty --formats gztar >/dev/null
tarball=$(ls "$build"/meson-dist/*.tar.gz)
mkdir "$away/a folder"
tar -xzf "$tarball" -C "$away/a folder"
cd "$away/a folder"/*
rm -rf .ci debian .gitignore # which packagers leave out
unset PLATEN_MODELS
export LC_ALL=C.UTF-8 LANGUAGE=fr # a stranger's, whose tools speak it
umask 077
meson setup build --werror >/dev/null
meson compile -C build >compile.log || {
    tail -n 50 compile.log
    exit 1
}
meson test -C build --no-rebuild --print-errorlogs --suite unit --suite source --suite layers --suite manual --suite cli --suite library
scripts/formula "$tarball" https://example.org/platen.tar.gz | ruby -c >/dev/null
echo "tarball: $(basename "$tarball"), $(du -h "$tarball" | cut -f1): built, tested"

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rule of style: sources tell their licence first and are as clang-format would have them, and the
# scripts are without a warning of shellcheck. A program that is not installed, or of another version, is not asked.
set -eu
cd "${1:-.}"
failed=0
bad() { echo "$*"; failed=1; }

# _ffi.py is made where the Python package is built
mute=$(find src simd cli web tests bench examples train python ! -name _ffi.py \( -name '*.[ch]' -o -name '*.def' -o -name '*.py' -o -name '*.sh' \) \
    -exec grep -L 'SPDX-License-Identifier: BSD-2-Clause' {} +)
[ -z "$mute" ] || bad "no licence: $mute"
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then # others lay some lines out otherwise
    find src simd cli web tests bench examples train -name '*.[ch]' -print0 |
        xargs -0 clang-format --dry-run --Werror >"${TMPDIR:-/tmp}/style.$$" 2>&1 || bad "clang-format: $(grep -c error: "${TMPDIR:-/tmp}/style.$$") places, $(grep -m1 error: "${TMPDIR:-/tmp}/style.$$")"
    rm -f "${TMPDIR:-/tmp}/style.$$"
fi
if command -v shellcheck >/dev/null; then
    set -- # what a tarball may come without
    [ ! -e .ci/run ] || set -- .ci/run
    shellcheck --severity=warning scripts/* web/build tests/*.sh "$@" || bad "shellcheck"
fi
[ $failed = 0 ] && echo "style: ok"

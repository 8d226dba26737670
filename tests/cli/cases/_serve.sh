# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of `platen serve`. scenario NAME [FILE]: runs one of tests/cli/FILE.py (default serve).
. "$CASES/_lib.sh"
[ -x "$(dirname "$PLATEN")/platen-serve" ] || skip "no libmicrohttpd"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
[ -d "$SOURCE/samples/pages" ] || skip "no samples"
scenario()
{
    python3 "$SOURCE/tests/cli/${2:-serve}.py" "$1"
}

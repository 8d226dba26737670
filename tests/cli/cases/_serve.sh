# Sourced by tests of `platen serve`: runs a scenario of tests/cli/serve.py.
. "$CASES/_lib.sh"
[ -x "$(dirname "$PLATEN")/platen-serve" ] || skip "no libmicrohttpd"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
[ -d "$SOURCE/samples/pages" ] || skip "no samples"
scenario()
{
    python3 "$SOURCE/tests/cli/serve.py" "$1"
}

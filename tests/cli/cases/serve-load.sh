# SPDX-License-Identifier: BSD-2-Clause
# Eight clients with pictures, with what is none, and some that leave; then with a short queue and a short time.
. "$CASES/_serve.sh"
load()
{
    python3 "$SOURCE/tests/cli/serve_load.py" --requests 15 "$@" "$SOURCE/samples/pages"
}
load -o=-j2
load -o=-j1 -o=--queue -o=2 -o=--deadline-ms -o=200

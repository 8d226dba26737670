# SPDX-License-Identifier: BSD-2-Clause
# Eight clients with pictures, with what is none, and some that leave; then with a short queue and a short time.
# Lines of text keep the first server busy for less; pages that take longer than the time are for the second.
. "$CASES/_serve.sh"
load()
{
    python3 "$SOURCE/tests/cli/serve_load.py" --requests 15 "$@"
}
pages=$SOURCE/samples/pages
load -o=-j2 "$SOURCE/tests/data/lines" "$pages/receipt.png" "$pages/photo.jpg"
load -o=-j1 -o=--queue -o=2 -o=--deadline-ms -o=200 "$pages"

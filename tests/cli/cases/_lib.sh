# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests: pictures.

# pgm FILE WIDTH HEIGHT: white paper with a black bar of a third of the width and height.
pgm()
{
    printf 'P5\n%d %d\n255\n' "$2" "$3" >"$1"
    awk -v w="$2" -v h="$3" 'BEGIN {
        for (y = 0; y < h; y++) {
            for (x = 0; x < w; x++)
                printf "%s", (3 * x >= w && 3 * x < 2 * w && 3 * y >= h && 3 * y < 2 * h) ? "b" : "w"
        }
    }' | tr wb '\377\000' >>"$1"
}

# blank FILE WIDTH HEIGHT: nothing but paper.
blank()
{
    printf 'P5\n%d %d\n255\n' "$2" "$3" >"$1"
    head -c $(($2 * $3)) /dev/zero | tr '\000' '\377' >>"$1"
}

# Ends a test of pages that the project made itself, where the tree has none.
needs_samples()
{
    [ -d "$SOURCE/samples/pages" ] || skip "no samples"
}

# sample_pages FOLDER: copies of these pages in a new folder.
sample_pages()
{
    needs_samples
    mkdir "$1"
    cp "$SOURCE"/samples/pages/*.png "$SOURCE"/samples/pages/*.jpg "$1"
}

# Ends a test of what a build without model tools does not have.
needs_model_tools()
{
    "$PLATEN" detect-features | grep -q "model_tools *yes" || skip "no model tools"
}

skip()
{
    echo "$1"
    exit 77
}

# exits STATUS COMMAND...: the command must end with that status.
exits()
{
    wanted=$1
    shift
    got=0
    "$@" || got=$?
    [ "$got" = "$wanted" ] || echo "exit status $got, not $wanted: $*" >&2
}

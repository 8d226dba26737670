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

# top ROWS PAGE FILE: the upper rows of a sample page, for tests that read pages often whatever stands there.
top()
{
    needs_samples
    python3 - "$1" "$SOURCE/samples/pages/$2.png" "$3" <<'PY'
import struct, sys, zlib
rows, png = int(sys.argv[1]), open(sys.argv[2], "rb").read()
width, height, bits = struct.unpack(">IIB", png[16:25]) # of grey pixels
chunks, at = [], 8
while at < len(png):
    n = struct.unpack(">I", png[at:at + 4])[0]
    chunks.append((png[at + 4:at + 8], png[at + 8:at + 8 + n]))
    at += n + 12
data = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
cut = {b"IHDR": struct.pack(">II", width, rows) + png[24:29], b"IDAT": zlib.compress(data[:rows * ((width * bits + 7) // 8 + 1)])}
with open(sys.argv[3], "wb") as out:
    out.write(png[:8])
    for kind, body in dict(chunks).items():
        body = cut.get(kind, body)
        out.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))
PY
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

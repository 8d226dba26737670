# SPDX-License-Identifier: BSD-2-Clause
# Streams of frames: those that show something new are read, with their numbers and times, of all
# kinds of streams alike, while the stream goes on, and by any number of threads.
. "$CASES/_lib.sh"
cat >make.py <<'PY'
import random, struct, sys, zlib
W, H = 96, 64

def gray(mark, seed):
    """Paper with a bar, a mark of that height, and noise."""
    r = random.Random(seed)
    def level(x, y):
        return 40 if (8 <= x < 40 and 8 <= y < 16) or (60 <= x < 66 and 20 <= y < 20 + mark) else 220
    return bytes(level(x, y) + r.randint(-5, 5) for y in range(H) for x in range(W))

def png(px):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + px[y * W:(y + 1) * W] for y in range(H))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

frames = [gray(mark, i) for i, mark in enumerate([0, 0, 16, 16, 16, 30, 0, 0])]
kind, out = sys.argv[1], sys.stdout.buffer
if kind == "y4m":
    out.write(b"YUV4MPEG2 W%d H%d F25:1 Ip C420jpeg XCOLORRANGE=FULL\n" % (W, H))
for i, px in enumerate(frames):
    if kind == "y4m":
        out.write(b"FRAME\n" + px + b"\x80" * (W * H // 2))
    if kind == "gray":
        out.write(px)
    if kind == "rgb24":
        out.write(bytes(v for p in px for v in (p, p, p)))
    if kind == "pnm":
        out.write(b"P5\n%d %d\n255\n" % (W, H) + px)
    if kind == "png":
        out.write(png(px) + b"\n")
    if kind == "parts":
        length = b"Content-Length: %d\r\n" % len(png(px)) if i % 2 else b""
        out.write(b"--frame x\r\nContent-Type: image/png\r\n" + length + b"\r\n" + png(px) + b"\r\n")
if kind == "parts":
    out.write(b"--frame x--\r\n")
PY
run()
{
    "$PLATEN" -q -p gray -f ndjson "$@"
}
for kind in y4m gray rgb24 pnm png parts; do python3 make.py $kind >$kind; done
run --frames y4m | tee want | sed 's/,"width.*//'
for kind in gray rgb24; do run --frames=$kind:96x64@25 $kind | sed "s/\"$kind\"/\"y4m\"/" | cmp - want; done
for kind in pnm png parts; do run --frames=auto@25 $kind | sed "s/\"$kind\"/\"y4m\"/" | cmp - want; done
for jobs in 1 2 7; do cat y4m | run -j $jobs --frames - | sed 's/"-"/"y4m"/' | cmp - want; done
# what counts as new may be chosen
run --frames --frame-change 0 y4m | wc -l
run --frames --frame-change 5 y4m | sed 's/,"time.*//'
run --frames --stats y4m 2>&1 >/dev/null | grep ^frames
# files are named by their frames; the pictures are those of the stream
"$PLATEN" -q -p gray -f pnm -o out/ --frames pnm
ls out
head -c 6157 pnm | cmp - out/pnm-000001.pnm
# a result goes out while the stream goes on, however long that is; the end by a signal is whole (one
# thread, which waits for the stream: ThreadSanitizer keeps a signal back from one that waits for another)
mkfifo pipe
: >live # which is looked into as soon as the pipe is open
env --default-signal=INT "$PLATEN" -q -j 1 -p gray -f ndjson --frames=auto@25 - <pipe >live 2>err &
pid=$!
exec 3>pipe
cat pnm >&3
while [ "$(wc -l <live)" -lt 4 ]; do sleep 0.02; done
sed 's/"-"/"y4m"/' live | cmp - want
cat pnm pnm pnm >&3
while [ "$(wc -l <live)" -lt 13 ]; do sleep 0.02; done
head -c 3000 pnm >&3
kill -INT $pid
status=0
wait $pid || status=$?
echo "exit $status, $(wc -l <live) lines, $(tail -n 1 live | sed 's/,"width.*//')"
cat err
exec 3>&-
# damage: of a frame it is one failed page, of a stream its end
(head -c 6157 pnm && printf 'P5\n9999 9999\n7') | exits 1 run --frames - | sed 's/,"time.*status/ status/'
head -c 9000 y4m | exits 1 run --frames - | wc -l
head -c 100 y4m | exits 1 run --frames -
echo text | exits 1 run --frames -
: | exits 1 run --frames -
cat y4m | exits 1 run --max-mem 1 --frames=rgb24:9000x9000 -
# what does not go with a stream
exits 2 run --frames y4m pnm
exits 2 run --frames --pages 1 y4m
exits 2 run --frames=gray:640 gray
exits 2 run --frames missing
exits 2 "$PLATEN" -p gray -f png --frames y4m
exits 2 run --frames -o y4m y4m

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Reads the samples, a PDF and a request with nothing but what scripts/image made, by chroot.
#   tests/image.sh FOLDER    the folder of scripts/image, in which nothing stays; needs root
set -eu
root=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$root/tmp/test
cleanup()
{
    if [ "${server:-}" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" || true # until then it may have files of proc open
    fi
    rm -rf "$work"
    umount "$root/proc"
}
mkdir "$work"
mount -t proc proc "$root/proc" # as containers have it
trap cleanup EXIT
cp samples/pages/* "$work"
platen() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot --userspec=65534:65534 "$root" /usr/bin/platen "$@"; }

[ ! -e "$root/bin/sh" ] && [ ! -e "$root/usr/bin/sh" ]
platen --version
platen -q -f txt /tmp/test/letter.png >"$work/letter.txt"
# Every printed line is there; the drawn signature may add one.
if grep . "$work/letter.gt.txt" | grep -vxFf "$work/letter.txt"; then
    exit 1
fi
platen -q -f pdf /tmp/test/letter.png >"$work/letter.pdf"
platen -q -f txt - <"$work/letter.pdf" | diff - "$work/letter.txt"
chmod 777 "$work"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot --userspec=65534:65534 "$root" /usr/bin/platen serve --socket /tmp/test/socket 2>"$work/log" &
server=$!
while [ ! -S "$work/socket" ]; do
    kill -0 $server
    sleep 0.1
done
python3 - "$work/socket" "$work/letter.png" <<'END' | diff - "$work/letter.txt"
import http.client, socket, sys
server = http.client.HTTPConnection("localhost")
server.sock = socket.socket(socket.AF_UNIX)
server.sock.connect(sys.argv[1])
server.request("POST", "/v1/pages?format=txt", open(sys.argv[2], "rb"), {"Content-Type": "image/png"})
sys.stdout.buffer.write(server.getresponse().read())
END
echo "image: read, served, $(du -sxh --apparent-size --exclude=test "$root" | cut -f1)"

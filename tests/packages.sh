#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the packages that scripts/deb made in a bare Debian root, reads the samples by its programs and from Python,
# compiles an example with the library, removes the packages, and looks whether a trace of them stays.
#   tests/packages.sh FOLDER    the folder of scripts/deb; needs root, debootstrap and a mirror of packages
set -eu
debs=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
samples=$PWD/samples/pages
examples=$PWD/examples
root=$(mktemp -d)
cleanup()
{
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$root"
}
trap cleanup EXIT

debootstrap --variant=minbase "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" "$root" >"$debs/root.log"
cp -r /etc/apt/. "$root/etc/apt"
cp /etc/resolv.conf "$root/etc"
mount -t proc proc "$root/proc"
mkdir "$root/packages" "$root/samples" "$root/examples"
cp "$debs"/*.deb "$root/packages"
cp "$samples"/* "$root/samples"
cp "$examples"/*.c "$root/examples"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" sh -ec "$1"; }

inside 'apt-get update; apt-get install -y --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config' >>"$debs/root.log" 2>&1

inside 'platen --version; platen -q -f txt -o /out /samples'
# Every printed line is there; the drawn signature may add one.
if grep . "$root/samples/letter.gt.txt" | grep -vxFf "$root/out/letter.txt"; then
    exit 1
fi
inside 'platen -q -o /out/letter.pdf /samples/letter.png; platen -q --pdf-text force /out/letter.pdf | cmp - /out/letter.txt'
inside 'platen-tesseract /samples/letter.png stdout' | head -n 1
inside 'python3 -c "
import platen
page = platen.read(\"/samples/letter.png\")
assert page.text.split() == open(\"/out/letter.txt\").read().split()
"'
# shellcheck disable=SC2016  # the shell within expands it
inside 'gcc -o /out/page /examples/page.c $(pkg-config --cflags --libs platen); /out/page </samples/letter.png | grep -q Fernhill'

inside 'rm -r /packages /out; apt-get purge -y "platen*" "libplaten*" python3-platen' >>"$debs/root.log" 2>&1
left=$(find "$root" -xdev -iname '*platen*' ! -path "$root/var/cache/*")
[ -z "$left" ] || {
    echo "left behind: $left" >&2
    exit 1
}
echo "packages: installed, read, removed"

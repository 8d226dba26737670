# SPDX-License-Identifier: BSD-2-Clause
# A server in a network namespace of its own, as a container has one, and forms that come to it from outside.
. "$CASES/_lib.sh"
[ -x "$(dirname "$PLATEN")/platen-serve" ] || skip "no libmicrohttpd"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
unshare -rn ip link add outside type veth peer name inside 2>/dev/null || skip "no network namespace"
cp "$SOURCE/samples/pages/receipt.png" page.png
"$PLATEN" -q -f txt -o want.txt page.png
"$PLATEN" -q -f pdf -o page.pdf page.png
echo "sesame-sesame-sesame" >token
export PLATEN PLATEN_MODELS
# Two namespaces that are joined by a pair of devices: the outer shell's, and the server's.
unshare -rn sh -eu <<'SH'
mkfifo told go
unshare -n sh -eu -c 'echo $$ >told; read -r go <go; exec "$PLATEN" serve --listen 0.0.0.0:8080 --token token >told' &
read -r pid <told
ip link add outside type veth peer name inside netns "$pid"
ip address add 10.77.0.1/24 dev outside
ip link set outside up
nsenter -t "$pid" -n sh -eu -c 'ip address add 10.77.0.2/24 dev inside; ip link set inside up'
echo >go
read -r line <told
echo "$line"
ask() { curl -sS --noproxy '*' -w '%{http_code}\n' "$@"; }
ask -o health http://10.77.0.2:8080/health
ask -o refused -F file=@page.png -F format=txt http://10.77.0.2:8080/v1/pages
right='Authorization: Bearer sesame-sesame-sesame'
ask -H "$right" -o got.txt -F file=@page.png -F format=txt http://10.77.0.2:8080/v1/pages
ask -H "$right" -o from-pdf.txt -F file=@page.pdf -F format=txt http://10.77.0.2:8080/v1/pages
kill "$pid"
wait "$pid" && echo ended
SH
cat health refused
cmp want.txt got.txt && cmp want.txt from-pdf.txt && echo "same text"
# where /proc is not mounted the server is found beside the program, or in PATH
unshare -rm sh -eu <<'SH' 2>&1
mount -t tmpfs none /proc
"$PLATEN" serve --listen nowhere || echo "$?"
PATH=$(dirname "$PLATEN"):$PATH
platen serve --listen nowhere || echo "$?"
SH

# SPDX-License-Identifier: BSD-2-Clause
# A picture that is made shorter while it is read fails, alone; the models, made shorter in place,
# are in memory by then. Page 1 is written into a pipe that is full, so that platen waits there, with
# page 2 open and not decoded. The names come by a list, since no thread opens the files of one ahead: a file
# that changed before its worker came would be opened anew, as it is then.
. "$CASES/_lib.sh"
[ -d /proc/self ] || skip "no /proc"
mkdir in
cp "$SOURCE/tests/data/lines/01-clean-serif.png" in/1.png
blank in/2.pgm 1600 1600
cp in/1.png in/3.png
cp "$PLATEN_MODELS"/eng.platen "$PLATEN_MODELS"/eng.quick.platen "$PLATEN_MODELS"/eng.lm.platen .
python3 - "$PLATEN" <<'END'
import os, subprocess, sys, time

full, end = os.pipe()
os.set_blocking(end, False)
filled = 0
try:
    while True:
        filled += os.write(end, b"#" * 512)
except BlockingIOError:
    os.set_blocking(end, True)
run = subprocess.Popen([sys.argv[1], "-j1", "--model", "./eng.platen", "-f", "txt", "--files-from", "-"],
                       stdin=subprocess.PIPE, stdout=end)
run.stdin.write(b"in/1.png\nin/2.pgm\nin/3.png\n")
run.stdin.close()
os.close(end)
while "in/2.pgm" not in open(f"/proc/{run.pid}/maps").read() and run.poll() is None:
    time.sleep(0.01)
for name in "in/2.pgm", "eng.platen", "eng.quick.platen", "eng.lm.platen":
    os.truncate(name, 1000)
with os.fdopen(full, "rb") as f:
    sys.stdout.write(f.read()[filled:].decode())
print("status", run.wait())
END

# SPDX-License-Identifier: BSD-2-Clause
# A model of more than 16 MiB is mapped; made shorter in place while a run uses it, it ends the run with a
# message, and what was written before is complete. The model is the usual one with zeros behind its last
# section. Page 1 is written into a pipe that is full, so that platen comes to no end of page 2.
. "$CASES/_lib.sh"
[ -d /proc/self ] || skip "no /proc"
cp "$SOURCE/tests/data/lines/01-clean-serif.png" 1.png
blank 2.pgm 1600 1600
cp 1.png 3.png
cp "$PLATEN_MODELS"/eng.lm.platen .
python3 - "$PLATEN" "$PLATEN_MODELS/eng.platen" <<'END'
import os, struct, subprocess, sys, time

PADDING = 16 << 20
HEADER, RECORD = 64, 32

def add_bytes(register, data):
    """The register of CRC-32C behind the bytes."""
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
    return register

def add_zeros(register, n):
    """The same for n zeros: the images of the 32 bits under one zero byte, squared again and again."""
    images = [add_bytes(1 << i, b"\0") for i in range(32)]
    def image(v):
        out = 0
        for i in range(32):
            out ^= images[i] if v >> i & 1 else 0
        return out
    while n:
        register = image(register) if n & 1 else register
        images, n = [image(v) for v in images], n >> 1
    return register

with open(sys.argv[2], "rb") as f:
    model = bytearray(f.read())
sections = struct.unpack_from("<I", model, 24)[0]
last = HEADER + (sections - 1) * RECORD
sum_, offset, size = struct.unpack_from("<IQQ", model, last + 4)
size += PADDING
struct.pack_into("<IQQ", model, last + 4, add_zeros(sum_ ^ 0xFFFFFFFF, PADDING) ^ 0xFFFFFFFF, offset, size)
struct.pack_into("<Q", model, 16, len(model) + PADDING)
end = HEADER + sections * RECORD
struct.pack_into("<I", model, 60, add_bytes(0xFFFFFFFF, model[:60] + model[HEADER:end]) ^ 0xFFFFFFFF)
with open("eng.platen", "wb") as f:
    f.write(model + bytes(PADDING))

full, end = os.pipe()
os.set_blocking(end, False)
filled = 0
try:
    while True:
        filled += os.write(end, b"#" * 512)
except BlockingIOError:
    os.set_blocking(end, True)
run = subprocess.Popen([sys.argv[1], "-j1", "--model", "./eng.platen", "-f", "txt", "1.png", "2.pgm", "3.png"],
                       stdout=end)
os.close(end)
maps = ""
while "2.pgm" not in maps and run.poll() is None:
    time.sleep(0.01)
    maps = open(f"/proc/{run.pid}/maps").read()
print("mapped" if "eng.platen" in maps else "in memory")
sys.stdout.flush()
os.truncate("eng.platen", 1000)
with os.fdopen(full, "rb") as f:
    text = f.read()[filled:].decode()
if text.strip() not in ("", "The harbour lay quiet under a thin grey mist."):  # page 1 may come too late
    print(text)
print("status", run.wait())
END

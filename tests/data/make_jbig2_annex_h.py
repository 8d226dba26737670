#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the test sequence of ITU-T T.88, H.1, as its three pages stand in PDFs, for test_jbig2:
annex-h-N.jb2 and the bitmap annex-h-N.pbm, which is that of jbig2dec.

    make_jbig2_annex_h.py
"""
import os, struct, subprocess

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jbig2")
FILE_HEADER_BYTES = 13
SEQUENCE = bytes.fromhex("""
    974a42320d0a1a0a 01 00000003
    00000000 00 01 00 00000018 0001000000010000 0001e9cbf40026af 04bff0782fe00040
    00000001 30 00 01 00000013 0000004000000038 0000000000000000 010000
    00000002 00 01 01 0000001c 0001000000020000 0002e5cdf80079e0 841081f082108610 79f00080
    00000003 07 42 00 02 01 00000031 0000002500000008 0000000400000001 000c090010000000 0501100000000000
        0000000000000000 00000c4007087041 d0
    00000004 27 00 01 0000002c 000000360000002c 000000040000000b 000126a071cea7ff ffffffffffffffff
        ffffffffffffffff fffff8f0
    00000005 10 01 01 0000002d 0104040000000f20 d184611845f2f97c 8f11c39e45f2f97d 42850aaa84622fee
        ec446222352a0a83 b9dcee7780
    00000006 17 20 05 01 00000057 0000002000000024 000000100000000f 0001000000080000 0009000000000000
        000004000000aaaa aaaa8008008036d5 556b5ad40040042e e952d2d2d28aa54a 00200223e09524b4
        928a4a925492d24a 292a4940040040
    00000007 31 00 01 00000000
    00000008 30 00 02 00000013 0000004000000038 0000000000000000 010000
    00000009 00 01 02 0000001b 080002ff00000002 000000024fe78c20 0e1dc7cf0111c4b2 6fffac
    0000000a 07 40 00 09 02 0000001f 0000002500000008 0000000400000001 000c08000000058d 6e5a124085ffac
    0000000b 27 00 02 00000023 000000360000002c 000000040000000b 000803fffdff02fe fefe04eeed87fbcb 2bffac
    0000000c 10 01 02 0000001c 0604040000000f90 716b6d99a7aa497d f2e5481fdc68bc6e 40bbffac
    0000000d 17 20 0c 02 0000003e 0000002000000024 000000100000000f 0002000000080000 0009000000000000
        00000400000087cb 821e66a414eb3c4a 15faccd6f3b16f4c edbfa7bfffac
    0000000e 31 00 02 00000000
    0000000f 30 00 03 00000013 0000002500000008 0000000000000000 010000
    00000010 00 01 00 00000016 080002ff00000001 000000014fe78d68 1b142f3fffac
    00000011 00 21 10 03 00000020 080202ffffffffff 0000000300000002 4fe9d7d590c3b526 a7fb6d14983fffac
    00000012 07 20 11 03 00000025 0000002500000008 0000000000000000 008c1200000004a9 5c8bf4c37d966a28
        e5768fffac
    00000013 31 00 03 00000000
    00000014 33 00 00 00000000
""")


def segments():
    """(number, page, bytes) of each segment, none of which refers to more than four."""
    at = FILE_HEADER_BYTES
    while at < len(SEQUENCE):
        n_refs = SEQUENCE[at + 5] >> 5
        page_at = at + 6 + n_refs
        end = page_at + 5 + struct.unpack_from(">I", SEQUENCE, page_at + 1)[0]
        yield struct.unpack_from(">I", SEQUENCE, at)[0], SEQUENCE[page_at], SEQUENCE[at:end]
        at = end


def main():
    for page in 1, 2, 3:
        path = os.path.join(HERE, "annex-h-%d" % page)
        with open(path + ".jb2", "wb") as f:
            for number, of_page, data in segments():
                if of_page in (0, page) and number != 0x14:
                    f.write(data)
        subprocess.run(["jbig2dec", "-e", "-t", "pbm", "-o", path + ".pbm", path + ".jb2"], check=True)


if __name__ == "__main__":
    main()

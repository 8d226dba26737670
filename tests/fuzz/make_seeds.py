#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the seeds of fuzz_argv, fuzz_config, fuzz_exif, fuzz_frames, fuzz_http, fuzz_merge, fuzz_npy, fuzz_records, fuzz_tar and fuzz_tesseract,
and those of fuzz_image that are no picture, into corpus/. Standard library only."""
import io
import os
import struct
import tarfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def write(target, name, data):
    os.makedirs(os.path.join(HERE, target), exist_ok=True)
    with open(os.path.join(HERE, target, name), "wb") as f:
        f.write(data)


def exif(order, turn, unit, dpi):
    """A TIFF structure of the four entries that are read; two rationals follow it."""
    entries = ((0x112, 3, turn), (0x11A, 5, 62), (0x11B, 5, 70), (0x128, 3, unit))
    out = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(entries))
    for tag, kind, value in entries:
        out += struct.pack(order + "HHI", tag, kind, 1)
        out += struct.pack(order + "HH", value, 0) if kind == 3 else struct.pack(order + "I", value)
    return out + bytes(4) + struct.pack(order + "4I", dpi, 1, dpi, 2)


def npy(version, kind, order, shape, data):
    head = b"{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, order, shape)
    start = 10 if version == 1 else 12
    head += b" " * (-(start + len(head) + 1) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(head))
    return b"\x93NUMPY" + bytes((version, 0)) + length + head + data


def tar(form, names):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for i, name in enumerate(names):
            member = tarfile.TarInfo(name)
            member.type = (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE)[i % 3]
            member.size = 5 if i % 3 == 0 else 0
            member.linkname = "x" if i % 3 == 2 else ""
            archive.addfile(member, io.BytesIO(b"bytes"))
    return out.getvalue()[: len(out.getvalue().rstrip(b"\0")) + 511 & ~511]


def seeds_of_archives():
    names = ("a.png", "d/", "l", "d/b.png", "e/", "m", "d" * 90 + "/" + "c" * 80 + ".png")
    for name, form in (("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
        write("tar", name, b"\0" + tar(form, names))
        write("tar", name + "_right", b"\1" + tar(form, names[:4]))


def seeds_of_pictures():
    for name, start in (("pdf", b"%PDF-1.7\n"), ("pam", b"P7\nWIDTH 1\n"), ("jxl", b"\xff\x0a\0"),
                        ("heif", b"\0\0\0\x18ftypheic"), ("djvu", b"AT&TFORM"),
                        ("text", b"no picture\n"), ("empty", b"")):
        write("image", name, start)


def seeds_of_exif():
    write("exif", "little-endian", exif("<", 6, 2, 300))
    write("exif", "big-endian", exif(">", 8, 3, 118))
    write("exif", "wrong-values", exif("<", 9, 1, 0))
    write("exif", "short", b"II*\0\x08\0\0\0\xff\xff\x12\x01")


def seeds_of_arrays():
    jpeg = bytes.fromhex("ffd8ffe000040000ffda000400001234ffd9")
    part = b"--b\r\nContent-Type: image/jpeg\r\n"
    frame = bytes(range(64))
    write("frames", "y4m", b"\0YUV4MPEG2 W8 H8 F25:1 C420jpeg XCOLORRANGE=FULL\n" + 2 * (b"FRAME\n" + frame + bytes(32)))
    write("frames", "y4m-mono", b"\x40YUV4MPEG2 W8 H8 Cmono\n" + 2 * (b"FRAME Ip\n" + frame))
    write("frames", "y4m-odd", b"\x10YUV4MPEG2 W9 H9 C411\nFRAME\n" + bytes(81 + 54) + b"FRAME\n")
    write("frames", "gray", b"\x21" + 3 * frame)
    write("frames", "rgb24", b"\x42" + bytes(2 * 216))
    write("frames", "yuv420p", b"\x43" + bytes(2 * (99 + 60)))
    write("frames", "mjpeg", b"\x0c" + jpeg + b"\n" + jpeg + jpeg[:9])
    write("frames", "pictures", b"\x20P5\n8 8\n255\n" + frame + b"\x89PNG\r\n\x1a\n" + bytes(4) + b"IENDCRC!" + b"P6 1 1 255\nabc")
    write("frames", "parts", b"\x1c\r\n" + 2 * (part + b"\r\n" + jpeg + b"\r\n") + b"--b--\r\n")
    write("frames", "parts-length", b"\x14" + 2 * (part + b"Content-Length: 18\r\n\r\n" + jpeg + b"\r\n"))
    write("npy", "floats", npy(1, b"<f4", b"False", b"(2, 3)", bytes(24)))
    write("npy", "scalar", npy(2, b"<i8", b"False", b"()", bytes(8)))
    write("npy", "bytes", npy(3, b"|u1", b"False", b"(5,)", b"abcde"))
    write("npy", "fortran", npy(1, b"<f4", b"True", b"(1, 1)", bytes(4)))
    write("npy", "vast", npy(1, b"<f8", b"False", b"(4294967296, 4294967296, 2)", b""))
    write("npy", "axes", npy(1, b"|b1", b"False", b"(1, 1, 1, 1, 1, 1, 1, 1, 1)", b"\1"))


def seeds_of_texts():
    write("records", "lines", b"\x04a.png\nb c.png\r\n\n\r\nlast")
    write("records", "nul", b"\x03a.png\0b\nc.png\0")
    write("records", "long", b"\xfe" + b"x" * 3000 + b"\n" + b"y" * 1000)
    write("records", "mark", b"\x04\xef\xbb\xbfa.png\nb.png\r\n")
    write("config", "run", b"1# defaults\nformat = txt,json\n  threads=4\t\nquiet\nisolate = on\nisolate\r\n")
    write("config", "serve", b"0listen = 127.0.0.1:0\nmax-body = 8M\nlm = off\npipeline = gray | lines | ctc")
    write("argv", "run", b"\0-j4\0-f\0txt,json\0-o\0out/\0--max-mem=500M\0-qv\0--\0-a.png")
    write("argv", "wrong", b"\0--threds=4\0-x\0--stats=json\0--batch-max\x0065")
    write("argv", "words", b"\0--lm=off\0--chars=0-9.,\0--words=w.txt\0--min-conf=0.5\0--orient=90\0-")
    write("argv", "serve", b"\x07--listen=127.0.0.1:0\0--queue=3\0--max-body\x0064M\0--deadline-ms=9")
    write("argv", "model", b"\x03import\0m.onnx\0--quantize=int8\0--calibrate=x.npy\0--percentile=99")
    write("tesseract", "page", b"in.png\0out\0-l\0eng+deu\0--oem\x001\0--psm\x006\0-c\0textonly_pdf=1\0pdf\0txt")
    write("tesseract", "pairs", b"-\0-\0-c\0tessedit_create_tsv=1\0tessedit_create_hocr=0\0page_separator=")
    write("tesseract", "file", b"a\0b\0--dpi\x00300\xff# digits\r\ntessedit_char_whitelist 0123456789\nunknown\n\tfoo\tbar")
    write("tesseract", "tasks", b"--list-langs\0--tessdata-dir\0x\0--loglevel\0OFF\0--psm\x0014")
    write("http", "page", b"POST /v1/pages\n?format=txt\n?name=a%20b\n?page=2\nContent-Length: 5")
    write("http", "health", b"GET /health\nHost: localhost")
    write("http", "method", b"PUT /v1/pages\nContent-Length: 1")
    write("http", "lengths", b"POST /v1/pages\nContent-Length: 18446744073709551616\nHost: x")
    write("http", "chunked", b"POST /v1/pages\nTransfer-Encoding: chunked\nContent-Type: image/png")
    write("http", "wrong", b"POST /v1/pages\n?format=%25n\"\\\n?page=0\n?a\nContent-Type: multipart/x")


def seeds_of_shards():
    def line(path, page, status, more=""):
        return '{"path":"%s","page":%d%s,"status":"%s"}\n' % (path, page, more, status)
    shard = (line("b/a.tif", 2, "ok") + line("b/a.tif", 1, "malformed") + line("b", 1, "ok", ',"part":2') +
             line("b", 1, "ok", ',"part":1') + line("b/a.tif", 2, "ok"))
    manifest = line("b", 1, "") + line("b/a.tif", 1, "") + line("c", 1, "")
    write("merge", "manifest", (shard + "\0" + manifest).encode())
    write("merge", "no-manifest", (shard + '{"path":"x","page":0}\n[1]\n{"path":"cut').encode())
    write("merge", "bytes", b'{"path":"\xff\\udcfe\\u0000","page":1e9,"status":"ok"}\n\0{"path":"\xff","page":1}\n')
    write("merge", "journal", b'{"output":"a","input":"a.tif#2","size":"8","key":"k","status":"ok"}\n')


seeds_of_pictures()
seeds_of_exif()
seeds_of_arrays()
seeds_of_texts()
seeds_of_archives()
seeds_of_shards()

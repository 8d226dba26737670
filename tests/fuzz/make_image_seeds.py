# SPDX-License-Identifier: BSD-2-Clause
"""Writes the seeds of the targets that read pictures into corpus/. Needs Pillow with libtiff, libwebp
and OpenJPEG."""
import io
import os
import random
import struct

from PIL import Image, TiffImagePlugin

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
rng = random.Random(7)


def picture(mode, size=(19, 11)):
    """Noise on a ramp, so that every filter and every Huffman code has work."""
    im = Image.new("RGBA", size)
    im.putdata([(x * 13 % 256, y * 23 % 256, rng.randrange(256), 255 - x * 9)
                for y in range(size[1]) for x in range(size[0])])
    return im.convert(mode)


def save(target, name, im, kind, **options):
    os.makedirs(os.path.join(HERE, target), exist_ok=True)
    im.save(os.path.join(HERE, target, name), kind, **options)


def write(target, name, data):
    os.makedirs(os.path.join(HERE, target), exist_ok=True)
    with open(os.path.join(HERE, target, name), "wb") as f:
        f.write(data)


def exif(orientation):
    e = Image.Exif()
    e[0x112], e[0x11A], e[0x11B], e[0x128] = orientation, 300, 200, 2
    return e


for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
    im = Image.new("I;16", (9, 7), 4660) if mode == "I;16" else picture(mode)
    save("png", f"{mode.replace(';', '').lower()}.png", im, "PNG", dpi=(300, 300))
save("png", "palette-alpha.png", picture("RGB").quantize(13), "PNG",
     transparency=bytes(range(0, 130, 10)), bits=4)
save("png", "key.png", picture("RGB"), "PNG", transparency=(13, 23, 5), exif=exif(6))
for mode in ("L", "RGB", "CMYK"):
    for progressive in (False, True):
        name = f"{mode.lower()}{'-progressive' if progressive else ''}.jpg"
        save("jpeg", name, picture("RGB").convert(mode), "JPEG", progressive=progressive,
             dpi=(200, 300))
save("jpeg", "exif-restart.jpg", picture("RGB"), "JPEG", exif=exif(7), subsampling=0)
for mode in ("1", "L", "P", "RGB", "RGBA"):
    save("bmp", f"{mode.lower()}.bmp", picture(mode), "BMP")
for mode in ("L", "LA", "P", "RGB", "RGBA"):
    for packing in ("tga_rle", None):
        save("tga", f"{mode.lower()}{'-rle' if packing else ''}.tga", picture(mode), "TGA",
             compression=packing)
save("gif", "palette.gif", picture("P"), "GIF")
save("gif", "interlaced.gif", picture("L"), "GIF", interlace=1, transparency=3)
for mode in ("1", "L", "RGB"):
    save("pnm", f"{mode.lower()}.pnm", picture(mode), "PPM")
write("pnm", "text.pbm", b"P1 # bits\n3 2\n101\n0 1 0\n")
write("pnm", "text.ppm", b"P3\n2 1\n100\n0 50 100  100 0 7\n")
write("pnm", "deep.pgm", b"P5 2 2 1000\n" + struct.pack(">4H", 0, 1, 500, 1000))
for bits in (8, 16):
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 3, 4, bits, 3) + bytes(12)
    write("psd", f"rgb{bits}.psd", head + b"\0\0" + rng.randbytes(36 * bits // 8))
head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 2, 8, 8, 3) + bytes(12)
write("psd", "packed.psd", head + b"\0\1" + b"\0\2" * 6 + b"\xf9\x40" * 6)
flat = bytes((128, 64, 32, 129)) * 6
write("hdr", "flat.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 3\n" + flat)
row = b"\2\2\0\x08" + b"\x88\x40" * 3 + b"\x88\x81"
write("hdr", "packed.hdr", b"#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n" + row * 2)
for mode, packings in (("1", ("group3", "group4", "packbits")), ("L", ("tiff_lzw", None)),
                       ("P", ("tiff_adobe_deflate",)), ("RGB", ("jpeg", "tiff_lzw")),
                       ("RGBA", (None,)), ("LA", ("tiff_lzw",)), ("CMYK", ("tiff_lzw",)),
                       ("I;16", ("tiff_lzw",))):
    for packing in packings:
        im = Image.new("I;16", (9, 7), 4660) if mode == "I;16" else picture("RGB").convert(mode)
        save("tiff", f"{mode.replace(';', '').lower()}-{packing}.tif", im, "TIFF",
             compression=packing, dpi=(300, 300))
TiffImagePlugin.STRIP_SIZE = 40 * 3 * 16
save("tiff", "rgb-jpeg-strips.tif", picture("RGB", (40, 40)), "TIFF", compression="jpeg", quality=40)
tags = TiffImagePlugin.ImageFileDirectory_v2()
tags[274] = 6
picture("L").save(os.path.join(HERE, "tiff", "pages.tif"), "TIFF", save_all=True, tiffinfo=tags,
                  append_images=[picture("1"), picture("RGB")])
for mode in ("L", "RGB", "RGBA"):
    save("webp", f"{mode.lower()}.webp", picture(mode), "WEBP", quality=80)
    save("webp", f"{mode.lower()}-lossless.webp", picture(mode), "WEBP", lossless=True, exif=exif(6))
for mode in ("L", "LA", "RGB", "RGBA"):
    save("jp2", f"{mode.lower()}.jp2", picture(mode), "JPEG2000", irreversible=mode == "RGB")
save("jp2", "tiles.j2k", picture("RGB"), "JPEG2000", tile_size=(8, 8), no_jp2=True)


def fax(packing, options):
    """The only strip of a TIFF."""
    f = io.BytesIO()
    picture("1", (64, 24)).save(f, "TIFF", compression=packing, tiffinfo=options)
    tags = Image.open(f).tag_v2
    return f.getvalue()[tags[273][0]:tags[273][0] + tags[279][0]]


for kind, (packing, options) in enumerate((("group4", {}), ("group3", {}), ("group3", {292: 1}))):
    write("fax", ("group4", "group3", "group3-2d")[kind] + ".fax", bytes([kind, 63, 23]) + fax(packing, options))

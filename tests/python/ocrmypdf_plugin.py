#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the plugin of OCRmyPDF as OCRmyPDF does, 14 and 17, with stand-ins for the parts that it imports.

    ocrmypdf_plugin.py PLATEN-TESSERACT PLATEN SOURCE
"""
import importlib
import os
import subprocess
import sys
import tempfile
import types
from collections import namedtuple
from pathlib import Path

TESSERACT, PLATEN, SOURCE = map(os.path.abspath, sys.argv[1:])
Options = namedtuple("Options", "languages ocr_engine", defaults=(["eng"], "auto"))


def add_module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


class HocrParser:
    """Takes the place of OCRmyPDF's: the words of the file."""

    def __init__(self, path):
        self.path = path

    def parse(self):
        from xml.etree import ElementTree
        words = [e.text for e in ElementTree.parse(self.path).iter() if e.get("class") == "ocrx_word"]
        return types.SimpleNamespace(words=words, page_number=None)


def load_plugin(get_ocr_engine):
    """The plugin as it comes out beside a hook of this signature."""
    class OcrEngine:
        pass
    add_module("ocrmypdf", hookimpl=lambda f: f)
    add_module("ocrmypdf.exceptions", MissingDependencyError=type("MissingDependencyError", (Exception,), {}),
               SubprocessOutputError=type("SubprocessOutputError", (Exception,), {}))
    add_module("ocrmypdf.pluginspec", OcrEngine=OcrEngine, get_ocr_engine=get_ocr_engine,
               OrientationConfidence=namedtuple("OrientationConfidence", "angle confidence"))
    sys.modules["ocrmypdf"].pluginspec = sys.modules["ocrmypdf.pluginspec"]
    add_module("ocrmypdf.hocrtransform")
    add_module("ocrmypdf.hocrtransform.hocr_parser", HocrParser=HocrParser)
    sys.modules.pop("ocrmypdf_platen", None)
    return importlib.import_module("ocrmypdf_platen")


def fails_as(kind, call, *args):
    try:
        call(*args)
    except kind:
        return True
    return False


def main():
    sys.path.insert(0, os.path.join(SOURCE, "python", "ocrmypdf_platen"))
    os.environ["PLATEN_TESSERACT"] = TESSERACT
    os.environ["PLATEN_MODELS"] = os.path.join(SOURCE, "models")
    page = Path(SOURCE) / "samples" / "pages" / "letter.png"
    old = load_plugin(lambda: None)
    engine = old.get_ocr_engine()
    plugin = load_plugin(lambda options: None)
    assert plugin.get_ocr_engine(Options(ocr_engine="tesseract")) is None
    assert isinstance(plugin.get_ocr_engine(Options(ocr_engine="platen")), plugin.PlatenOcrEngine)
    for name, pipeline in ("left.png", "gray,rotate:angle=-90"), ("askew.png", "gray,rotate:angle=2:expand=no"):
        subprocess.run([PLATEN, "-q", "-p", pipeline, "-f", "png", "-o", name, page], check=True)
    Path("blank.pgm").write_bytes(b"P5 300 200 255 " + b"\xff" * 60000)

    assert {"eng", "deu"} <= engine.languages(Options())
    assert str(engine) == engine.creator_tag(Options()) == f"platen {engine.version()}"
    assert engine.get_orientation("left.png", Options())[0] == 270
    assert engine.get_orientation("left.png", Options())[1] > 14
    assert engine.get_orientation("blank.pgm", Options()) == (0, 0.0)
    assert abs(engine.get_deskew("askew.png", Options()) - 2) < 0.2
    engine.generate_hocr(page, Path("h.hocr"), Path("h.txt"), Options())
    text = Path("h.txt").read_text()
    assert HocrParser("h.hocr").parse().words == text.split() and len(text.split()) > 150
    engine.generate_pdf(page, Path("s.pdf"), Path("other.txt"), Options(languages=["deu", "eng"]))
    assert b"/f-0-0 " in Path("s.pdf").read_bytes() and Path("other.txt").read_text() == text
    tree, whole = engine.generate_ocr(page, Options(), page_number=3)
    assert (tree.words, tree.page_number, whole) == (text.split(), 3, text)
    for call in engine.get_deskew, engine.get_orientation:
        assert fails_as(old.SubprocessOutputError, call, "none.png", Options())
    os.environ["PLATEN_TESSERACT"] = "/none/platen-tesseract"
    assert fails_as(old.MissingDependencyError, engine.version)
    print("ocrmypdf_plugin: ok")


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    main()

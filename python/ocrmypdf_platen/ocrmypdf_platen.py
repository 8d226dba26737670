# SPDX-License-Identifier: BSD-2-Clause
"""OCRmyPDF reads pages with platen: text, way up and skew.

    ocrmypdf --plugin ocrmypdf_platen scan.pdf searchable.pdf

Serves OCRmyPDF 14 and later. It runs platen-tesseract(1), which $PLATEN_TESSERACT names or PATH has, on
one thread a page: OCRmyPDF has a worker for each core.
"""
import inspect
import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ocrmypdf import hookimpl, pluginspec
from ocrmypdf.exceptions import MissingDependencyError, SubprocessOutputError
from ocrmypdf.pluginspec import OcrEngine, OrientationConfidence


def _run(*args):
    """The standard output of the program; CalledProcessError where it fails."""
    program = os.environ.get("PLATEN_TESSERACT", "platen-tesseract")
    env = {"OMP_THREAD_LIMIT": "1", **os.environ}
    try:
        return subprocess.run([program, *map(str, args)], env=env, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as e:
        raise MissingDependencyError(f"{program} is not installed, or not in PATH") from e


def _languages(options):
    return ["-l", "+".join(options.languages)] if options.languages else []


def _read(input_file, options, wanted, *outputs):
    """Writes the formats `wanted` of the page to the files `outputs`, in their order."""
    with tempfile.TemporaryDirectory(dir=Path(outputs[0]).parent) as folder:
        base = Path(folder) / "page"
        try:
            _run(*_languages(options), input_file, base, *wanted)
        except subprocess.CalledProcessError as e:
            raise SubprocessOutputError(e.stderr) from e
        for output in outputs:
            shutil.move(f"{base}{Path(output).suffix}", output)


def _values(text):
    """{"Rotate": "90"} of lines "Rotate: 90"."""
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


class PlatenOcrEngine(OcrEngine):
    """Reads pages with platen."""

    @staticmethod
    def version():
        return _run("--version").split()[-1]

    @staticmethod
    def creator_tag(options):
        return f"platen {PlatenOcrEngine.version()}"

    def __str__(self):
        return f"platen {PlatenOcrEngine.version()}"

    @staticmethod
    def languages(options):
        return set(_run("--list-langs").splitlines()[1:])

    @staticmethod
    def get_orientation(input_file, options):
        try:
            found = _values(_run("--psm", 0, input_file, "stdout"))
        except subprocess.CalledProcessError as e:
            if "Too few characters" in e.stderr:
                return OrientationConfidence(0, 0.0)
            raise SubprocessOutputError(e.stderr) from e
        return OrientationConfidence(int(found["Orientation in degrees"]), float(found["Orientation confidence"]))

    @staticmethod
    def get_deskew(input_file, options):
        try:
            found = _values(_run("--psm", 2, input_file, "stdout"))
        except subprocess.CalledProcessError as e:
            raise SubprocessOutputError(e.stderr) from e
        return math.degrees(float(found["Deskew angle"]))

    @staticmethod
    def generate_hocr(input_file, output_hocr, output_text, options):
        _read(input_file, options, ["hocr", "txt"], output_hocr, output_text)

    @staticmethod
    def generate_pdf(input_file, output_pdf, output_text, options):
        _read(input_file, options, ["-c", "textonly_pdf=1", "pdf", "txt"], output_pdf, output_text)

    @staticmethod
    def supports_generate_ocr():
        return True

    @staticmethod
    def generate_ocr(input_file, options, page_number=0):
        """The tree of elements that OCRmyPDF 17 draws itself, and the text."""
        from ocrmypdf.hocrtransform.hocr_parser import HocrParser  # not in OCRmyPDF 14

        with tempfile.TemporaryDirectory() as folder:
            hocr, text = Path(folder) / "page.hocr", Path(folder) / "page.txt"
            PlatenOcrEngine.generate_hocr(input_file, hocr, text, options)
            tree = HocrParser(hocr).parse()
            tree.page_number = page_number
            return tree, text.read_text(encoding="utf-8")


def _engine(options=None):
    """None, so that the next plugin is asked, where another engine is named."""
    return PlatenOcrEngine() if getattr(options, "ocr_engine", "auto") in ("auto", "platen") else None


if "options" in inspect.signature(pluginspec.get_ocr_engine).parameters:

    @hookimpl
    def get_ocr_engine(options):
        return _engine(options)

else:  # OCRmyPDF 14 to 16

    @hookimpl
    def get_ocr_engine():
        return _engine()

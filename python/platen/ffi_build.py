# SPDX-License-Identifier: BSD-2-Clause
"""Makes platen/_ffi.py of platen.h, so that no struct is written down twice: `python3 ffi_build.py [FOLDER]`, or by setup.py.

The header is $PLATEN_HEADER, that of the source tree, or the installed one."""
import os
import re
import subprocess
import sys

from cffi import FFI


def header():
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.join(here, "..", "..", "src", "platen.h")
    if "PLATEN_HEADER" in os.environ:
        return os.environ["PLATEN_HEADER"]
    if os.path.exists(tree):
        return tree
    try:
        found = subprocess.run(["pkg-config", "--variable=includedir", "platen"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit("there is no platen.h: install libplaten with its header (libplaten-dev), or name the header by PLATEN_HEADER")
    return os.path.join(found.stdout.strip(), "platen.h")


def declarations(text):
    """What cffi reads of a header: no preprocessor, no attributes."""
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return text.replace("PLATEN_API ", "")


ffi = FFI()
with open(header(), encoding="utf-8") as f:
    ffi.cdef(declarations(f.read()))
ffi.set_source("platen._ffi", None)

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    os.makedirs(os.path.join(folder, "platen"), exist_ok=True)
    ffi.emit_python_code(os.path.join(folder, "platen", "_ffi.py"))

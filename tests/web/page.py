#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The page of web/ in headless Chromium: page.py PACKAGE PLATEN SOURCE [SCREENSHOT.png]

A picture is given to the page, its text is compared with that of the program, and what lies over the picture is selected.
The server sees that nothing of the picture is sent. Exits with 77 where there is no Chromium."""
import base64
import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading

PACKAGE, PLATEN, SOURCE = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, os.path.join(SOURCE, "tests/cli"))
from chromium import Browser  # noqa: E402


class Files(http.server.SimpleHTTPRequestHandler):
    """The package's files; whatever else is asked for is noted."""
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".wasm": "application/wasm"}
    strange = []

    def do_POST(self):
        self.strange.append(self.path)
        self.send_error(405)

    def log_message(self, *args):
        pass


def check(what, good):
    print(("ok: " if good else "FAILED: ") + what)
    return good


def saved_document(browser):
    """The bytes that a click on PDF saves."""
    browser.evaluate("""URL.createObjectURL = (blob) => {
        const reader = new FileReader();
        reader.onload = () => { window.saved = reader.result; };
        reader.readAsDataURL(blob);
        return '#';
    }, [...document.querySelectorAll('button')].find((b) => b.textContent === 'PDF').click()""")
    browser.wait_for("!!window.saved")
    return base64.b64decode(browser.evaluate("window.saved").partition(",")[2])


def check_page(browser, port):
    letter = os.path.join(SOURCE, "samples/pages/letter.png")
    browser.call("Page.navigate", url=f"http://127.0.0.1:{port}/index.html")
    browser.wait_for("document.readyState === 'complete' && !!document.querySelector('input[type=file]')")
    browser.give(letter)
    browser.wait_for("/word|failed|Error/.test(document.querySelector('.state')?.textContent)")
    # the page finds lines by rules, also where the network for it is installed beside the program
    truth = subprocess.run([PLATEN, "--no-config", "-q", "--model", os.path.join(PACKAGE, "eng.platen"),
                            "-p", "gray,square,invert:auto,orient,deskew | lines | ctc", letter], check=True,
                           capture_output=True).stdout.decode()
    shown = browser.evaluate("document.querySelector('pre')?.textContent ?? document.body.innerText")
    good = check("the text of the program", shown.split() == truth.split())
    over = browser.evaluate("getSelection().selectAllChildren(document.querySelector('.layer')), getSelection().toString()")
    good &= check("the words over the picture", over.split() == truth.split())
    told = subprocess.run(["pdftotext", "-", "-"], input=saved_document(browser), check=True, capture_output=True).stdout.decode()
    good &= check("the words of the document", sorted(told.split()) == sorted(truth.split()))
    good &= check("nothing was sent", not Files.strange)
    print("the page says:", browser.evaluate("document.querySelector('.state').textContent"))
    return good


def main():
    if not shutil.which("chromium"):
        print("there is no Chromium")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=PACKAGE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            good = check_page(browser, server.server_address[1])
            if len(sys.argv) > 4:
                browser.evaluate("getSelection().empty()")
                browser.screenshot(sys.argv[4])
        finally:
            browser.end()
    server.shutdown()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

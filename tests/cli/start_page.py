#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The start page of `platen serve` in headless Chromium: start_page.py PLATEN SOURCE [SCREENSHOT.png]

Files are given to the page, their text is compared with that of the program, what lies over the picture is selected and
copied, and a token is asked for and taken. Exits with 77 where there is no Chromium."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.environ.update(PLATEN=os.path.abspath(sys.argv[1]), SOURCE=os.path.abspath(sys.argv[2]))
from chromium import Browser  # noqa: E402
from serve import PAGES, RECEIPT, Server, expected  # noqa: E402

TOKEN = "a-token-of-some-length"


def words(text):
    return text.split()


def check(what, good):
    print(("ok: " if good else "FAILED: ") + what)
    return good


def check_damaged(browser, folder):
    """A picture that is cut off is shown with what is wrong with it; pages before it had no such line."""
    good = check("whole pages have no warning", browser.evaluate("document.querySelectorAll('.warning').length") == 0)
    path = os.path.join(folder, "café.png")
    with open(RECEIPT, "rb") as f, open(path, "wb") as cut:
        cut.write(f.read(80000))
    browser.give(path)
    browser.wait_for("document.querySelectorAll('.warning').length === 1")
    warning = browser.evaluate("document.querySelector('.warning').textContent")
    return good & check(f"a warning: {warning}", warning.startswith("'café.png': ") and "rows were read" in warning)


def check_pages(browser, server, pdf):
    browser.call("Page.navigate", url=f"http://127.0.0.1:{server.port}/")
    browser.wait_for("document.readyState === 'complete' && !!document.querySelector('input[type=file]')")
    browser.give(RECEIPT, pdf)
    browser.wait_for("!document.getElementById('token').hidden")
    good = check("a token is asked for", True)
    browser.evaluate(f"document.getElementById('word').value = '{TOKEN}'; document.querySelector('#token button').click()")
    browser.wait_for("document.querySelectorAll('article img').length === 3 && "
                     "[...document.querySelectorAll('article img')].every(i => i.complete && i.naturalWidth)")
    browser.wait_for("document.querySelectorAll('article').length === 3")
    texts = browser.evaluate("[...document.querySelectorAll('article pre')].map(p => p.textContent)")
    truth = expected(RECEIPT, "txt")["txt"].decode()
    good &= check("the text of the program", texts[0] == truth)
    good &= check("both pages of a PDF", words(texts[1]) == words(truth) and len(words(texts[2])) > 10)
    browser.wait_for("document.querySelectorAll('.layer').length === 3")
    over = browser.evaluate("getSelection().selectAllChildren(document.querySelector('.layer')), getSelection().toString()")
    good &= check("the words over the picture", words(over) == words(truth))
    pages = browser.evaluate("[...document.querySelectorAll('.layer')].map(l => l.textContent)")
    good &= check("over those of a PDF, too", [words(p) for p in pages[1:]] == [words(t) for t in texts[1:]])
    figures = server.request("GET", "/metrics", headers={"Authorization": "Bearer " + TOKEN})[2].decode()
    read = int(re.search(r"^platen_lines_total (\d+)$", figures, re.M)[1])
    good &= check("each page was read once", read == browser.evaluate("document.querySelectorAll('.layer br').length"))
    good &= check("a word covers its ink", browser.evaluate(
        "(() => { const image = document.querySelector('figure img').getBoundingClientRect(),"
        " word = [...document.querySelectorAll('.layer span')].find(s => s.textContent.trim() === 'NORTHGATE').getBoundingClientRect(),"
        " k = image.width / 620, near = (a, b) => Math.abs(a - b) < 6;"
        " return near(word.left - image.left, 159 * k) && word.right - image.left > 447 * k - 6 && word.right - image.left < 475 * k"
        " && near(word.top - image.top, 48 * k) && near(word.bottom - image.top, 94 * k); })()"))
    good &= check("a name that is markup stays a name",
                  browser.evaluate("document.querySelectorAll('h2 b').length") == 0)
    return good


def main():
    if not shutil.which("chromium"):
        print("there is no Chromium")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        with open("token", "w", encoding="ascii") as f:
            f.write(TOKEN + "\n")
        pdf = os.path.join(folder, "two <b>pages.pdf")
        subprocess.run([os.environ["PLATEN"], "-q", "--no-config", "-o", pdf, RECEIPT, os.path.join(PAGES, "form.png")], check=True)
        with Server("--no-config", "--token", "token") as server:
            browser = Browser(os.path.join(folder, "profile"))
            try:
                good = check_pages(browser, server, pdf)
                good &= check_damaged(browser, folder)
                if len(sys.argv) > 3:
                    browser.screenshot(sys.argv[3])
            finally:
                browser.end()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

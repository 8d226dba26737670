#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The start page of `platen serve` in headless Chromium: start_page.py PLATEN SOURCE [SCREENSHOT.png]

Files are given to the page, their text is compared with that of the program, what lies over the picture is selected and
copied, and a token is asked for and taken. Exits with 77 where there is no Chromium."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

os.environ.update(PLATEN=os.path.abspath(sys.argv[1]), SOURCE=os.path.abspath(sys.argv[2]))
from serve import LONG_S, PAGES, RECEIPT, Server, expected  # noqa: E402

TOKEN = "a-token-of-some-length"


class Browser:
    """A page in Chromium, driven by its DevTools protocol over two pipes (--remote-debugging-pipe)."""

    def __init__(self, folder):
        mine, theirs = os.pipe(), os.pipe()  # what it says, what it is told
        def put_pipes():
            kept = os.dup(theirs[0]), os.dup(mine[1])
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "--window-size=1200,900", "about:blank"], close_fds=False, preexec_fn=put_pipes,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(mine[1])
        os.close(theirs[0])
        self.says, self.told, self.count, self.session = os.fdopen(mine[0], "rb"), os.fdopen(theirs[1], "wb"), 0, None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("DOM.enable")

    def read(self):
        data = b""
        while not data.endswith(b"\0"):
            byte = self.says.read(1)
            if not byte:
                raise SystemExit("Chromium ended")
            data += byte
        return json.loads(data[:-1])

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.told.write(json.dumps(message).encode() + b"\0")
        self.told.flush()
        while True:
            answer = self.read()
            if answer.get("method") == "Runtime.exceptionThrown":
                print("an exception:", answer["params"]["exceptionDetails"].get("exception", {}).get("description"))
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, script):
        end = time.monotonic() + LONG_S
        while not self.evaluate(script):
            if time.monotonic() > end:
                raise SystemExit(f"never: {script}; the page says: {self.evaluate('document.body.innerText')!r}")
            time.sleep(.1)

    def give(self, *paths):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=list(paths))

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def end(self):
        self.process.kill()
        self.process.wait()


def words(text):
    return text.split()


def check(what, good):
    print(("ok: " if good else "FAILED: ") + what)
    return good


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
    browser.wait_for("!!document.querySelector('.layer')")
    over = browser.evaluate("getSelection().selectAllChildren(document.querySelector('.layer')), getSelection().toString()")
    good &= check("the words over the picture", words(over) == words(truth))
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
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("token", "w", encoding="ascii") as f:
            f.write(TOKEN + "\n")
        pdf = os.path.join(folder, "two <b>pages.pdf")
        subprocess.run([os.environ["PLATEN"], "-q", "--no-config", "-o", pdf, RECEIPT, os.path.join(PAGES, "form.png")], check=True)
        with Server("--no-config", "--token", "token") as server:
            browser = Browser(os.path.join(folder, "profile"))
            try:
                good = check_pages(browser, server, pdf)
                if len(sys.argv) > 3:
                    browser.screenshot(sys.argv[3])
            finally:
                browser.end()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

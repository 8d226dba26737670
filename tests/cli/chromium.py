# SPDX-License-Identifier: BSD-2-Clause
"""Headless Chromium, for tests of pages."""
import base64
import json
import os
import subprocess
import time

LONG_S = 120  # for what must happen, on a machine that others keep busy


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

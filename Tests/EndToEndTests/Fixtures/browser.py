# SPDX-License-Identifier: MIT
"""Opens an address in headless Chromium, presses the page's button with the mouse, and tells what is seen.

usage: browser.py ADDRESS [--look-only]

Prints a line of JSON for each page: its address, title, text, and the status that it came with; whatever it loads besides, or asks
for by itself, is listed. Talks the DevTools protocol over a pipe, so it needs nothing but the browser.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WAIT = 90
NAMES = ["chromium", "chromium-browser", "google-chrome"]


class Browser:
    def __init__(self, folder):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise SystemExit("browser: there is no chromium: Scripts/bootstrap test")
        self.end = time.monotonic() + WAIT
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # Away from the numbers that the browser wants them to have.
        inherited = [fcntl.fcntl(number, fcntl.F_DUPFD, 10) for number in (commands, answers)]

        def give():
            os.dup2(inherited[0], 3)
            os.dup2(inherited[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder}",
             "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-proxy-server", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(os.path.join(folder, "log"), "wb"),
            preexec_fn=give, pass_fds=(3, 4), start_new_session=True)
        for number in (commands, answers, *inherited):
            os.close(number)
        self.folder, self.rest, self.number, self.session, self.events = folder, b"", 0, None, []

    def close(self):
        # All of it: it is many processes.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def message(self):
        """The next message, an answer or an event."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.answers], [], [], max(0, self.end - time.monotonic()))
            more = os.read(self.answers, 65536) if ready else b""
            if not more:
                with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
                    raise SystemExit(f"browser: nothing comes from it\n{log.read()[-2000:]}")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        """The browser's answer: a "result", or an "error"."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                return answer
            self.events.append(answer)

    def call(self, method, **parameters):
        answer = self.ask(method, **parameters)
        if "error" in answer:
            raise SystemExit(f"browser: {method}: {answer['error']}")
        return answer["result"]

    def wait(self, wanted):
        """Takes events until one is wanted; all of them are remembered."""
        position = 0
        while True:
            while position < len(self.events):
                if wanted(self.events[position]):
                    return self.events[position]
                position += 1
            self.events.append(self.message())

    def evaluate(self, script):
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def shown(self):
        """What the page that has been loaded shows, once it is there."""
        self.wait(lambda event: event.get("method") == "Page.loadEventFired")
        documents = [event["params"] for event in self.events if event.get("method") == "Network.responseReceived"
                     and event["params"]["type"] == "Document"]
        requests = [event["params"]["request"]["url"] for event in self.events
                    if event.get("method") == "Network.requestWillBeSent" and event["params"].get("type") != "Document"]
        print(json.dumps({
            "address": self.evaluate("location.href"), "title": self.evaluate("document.title"),
            "text": self.evaluate("document.body.innerText"), "status": documents[-1]["response"]["status"],
            "besides": requests}), flush=True)
        self.events = []

    def press(self):
        place = self.evaluate(
            "(() => { const box = document.querySelector('button').getBoundingClientRect();"
            " return {x: box.x + box.width / 2, y: box.y + box.height / 2}; })()")
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            self.call("Input.dispatchMouseEvent", type=kind, button="none" if kind == "mouseMoved" else "left",
                      buttons=buttons, clickCount=0 if kind == "mouseMoved" else 1, **place)


def main():
    address = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="browser.", ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            browser.open()
            browser.events = []
            browser.call("Page.navigate", url=address)
            browser.shown()
            if "--look-only" not in sys.argv:
                browser.press()
                browser.shown()
        finally:
            browser.close()


if __name__ == "__main__":
    main()

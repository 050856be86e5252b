# SPDX-License-Identifier: MIT
"""Watches the page of `parley dashboard` in headless Chromium while other programs run, start and end.

usage: page_live.py ADDRESS listen|killed

Writes {"ready": true} when the page is there and the test may start or end a program; afterwards a line of JSON as page_browser.py does.
  listen   a `parley listen` of the same home answers "What is the capital of Texas?"
  killed   the program that serves the page is killed; it is started again at the same port
"""

import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from page_browser import Finding, PageBrowser

WAIT = 60
# Each text of the phase that was seen, and for each event of the answer the time from the program to the screen.
WATCH = """
window.phases = [];
new MutationObserver(() => {
  for (const phase of document.querySelectorAll('.phase')) if (phase.textContent && window.phases.at(-1) !== phase.textContent) window.phases.push(phase.textContent);
}).observe(document.body, {subtree: true, childList: true, characterData: true}); 0
"""


def listen(page):
    page.view("now")
    page.evaluate(WATCH)
    print(json.dumps({"ready": True}), flush=True)
    page.until("document.querySelector('.now .card')", "a card of the program", WAIT)
    page.until("document.querySelector('.now .card')?.textContent.includes('Austin')", "the answer", WAIT)
    page.until("document.querySelector('.now .card table')", "the latency by stage", WAIT)
    page.until("!document.querySelector('.now .card')", "the end of the program", WAIT)
    phases = page.evaluate("window.phases")
    missing = [phase for phase in ("Waiting for the wake word", "Listening", "Thinking", "Speaking") if phase not in phases]
    return [f"never seen: {phase}" for phase in missing], {"phases": phases}


def killed(page):
    page.view("dashboard")
    print(json.dumps({"ready": True}), flush=True)
    page.until_text("The program has ended: run parley dashboard again.", WAIT)
    print(json.dumps({"ended": True}), flush=True)
    page.until_text("Open this page with: parley dashboard", WAIT)
    return [], {}


def main():
    address, name = sys.argv[1:]
    findings, figures = [], {}
    with tempfile.TemporaryDirectory(prefix="browser.", ignore_cleanup_errors=True) as folder:
        page = PageBrowser(folder)
        try:
            page.end = time.monotonic() + 900
            page.start(address)
            page.look()
            findings, figures = {"listen": listen, "killed": killed}[name](page)
        except Finding as finding:
            findings.append(str(finding))
        finally:
            page.close()
    print(json.dumps({"scenario": name, "findings": findings, "figures": figures}), flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

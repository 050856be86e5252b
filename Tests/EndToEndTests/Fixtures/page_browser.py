# SPDX-License-Identifier: MIT
"""Uses the page of `parley dashboard` in headless Chromium as a person does, by mouse and keyboard alone, and prints what is wrong.

usage: page_browser.py ADDRESS SCENARIO… [--axe FILE] [--pictures FOLDER]

ADDRESS is the one-time address that `parley dashboard --no-open` prints. Prints a line of JSON a scenario: its name, findings (an empty
list is a success), and figures. Ends with 1 if anything was found. SCENARIO is one of page_scenarios.py, or all.
"""

import argparse
import base64
import json
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from browser import Browser
from page_scenarios import SCENARIOS, Scenarios

# A machine that builds and tests beside is so much slower.
SLOWNESS = 6
KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowDown": 40, "ArrowUp": 38, "Backspace": 8, "End": 35}
AXE = pathlib.Path(__file__).resolve().parents[3] / ".venv-peers" / "axe.min.js"


class PageBrowser(Browser):
    """Steps on a page. A step that cannot be done raises Finding."""

    def start(self, address):
        """Opens the address in the first tab."""
        self.open()
        self.go(address)

    def open(self):
        super().open()
        for domain in ("Log", "Accessibility", "DOM", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && document.querySelector('main h1')", "the page's heading")

    def view(self, name):
        """Opens a view by its fragment, and waits for its heading."""
        self.evaluate(f"location.hash = '#{name}'; 0")
        self.until(f"document.querySelector('main .view.{name.split('/')[0]}') && document.querySelector('main h1').textContent", f"the view {name}")
        self.settle()

    def settle(self):
        """Waits until nothing has changed for 300 ms, and at most 5 s."""
        self.evaluate(
            "new Promise((done) => { let timer = setTimeout(done, 300); const end = setTimeout(done, 5000);"
            " new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, 300); })"
            ".observe(document.body, {subtree: true, childList: true, characterData: true}); })")

    def evaluate(self, script):
        self.end = time.monotonic() + 900
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Finding(f"{script[:80]}: {answer['exceptionDetails'].get('exception', {}).get('description', answer['exceptionDetails']['text'])}")
        return answer["result"].get("value")

    def until(self, condition, meaning, seconds=20):
        """Waits until an expression is true, in the page: that long on a machine that has nothing else to do."""
        seconds *= SLOWNESS
        value = self.evaluate(
            f"new Promise((done) => {{ const end = Date.now() + {seconds * 1000}; const look = () => {{ let value = null;"
            f" try {{ value = {condition}; }} catch {{}} if (value || Date.now() > end) done(Boolean(value)); else setTimeout(look, 20); }}; look(); }})")
        if not value:
            raise Finding(f"there is no {meaning} after {seconds} s; the page shows: {self.text()[-600:]}")

    def until_text(self, text, seconds=20):
        self.until(f"document.body.innerText.includes({json.dumps(text)})", json.dumps(text), seconds)

    def text(self):
        return self.evaluate("document.body.innerText")

    def command(self, *words):
        """Runs a command of the program as another one would, to its end; returns its objects."""
        return self.evaluate(f"import('/api.js').then(({{run}}) => run({json.dumps(words)})).then(({{out}}) => out)")

    def hold(self, condition):
        """Requests of which a condition of `path` and `body` is true wait until release()."""
        self.evaluate("window.really ??= fetch; window.held = []; window.fetch = async (path, options) => { const body = String(options?.body);"
                      f" if ({condition}) await new Promise((go) => window.held.push(go)); return window.really(path, options); }}; 0")

    def release(self):
        self.evaluate("window.fetch = window.really; window.held.forEach((go) => go()); 0")

    # Accessibility

    def nodes(self):
        return [node for node in self.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]

    def find(self, role, name):
        """The first node of a role whose accessible name is, or else begins with, the text."""
        found = [node for node in self.nodes() if node["role"]["value"] == role]
        names = [node.get("name", {}).get("value", "") for node in found]
        for matches in (lambda text: text == name, lambda text: text.startswith(name)):
            for node, text in zip(found, names):
                if matches(text):
                    return node["backendDOMNodeId"]
        raise Finding(f"there is no {role} \"{name}\"; there are {names}")

    def tree(self):
        """The accessibility tree as text with two spaces a level: role, name, and the states that a person is told."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        lines = []

        def add(node, depth):
            role = node.get("role", {}).get("value", "")
            is_shown = not node.get("ignored") and role not in ("InlineTextBox", "none", "generic", "StaticText", "LineBreak", "ListMarker")
            name = node.get("name", {}).get("value", "")
            if role == "StaticText" and not node.get("ignored") and by_id[node["parentId"]].get("name", {}).get("value", "") != name:
                is_shown = True
            if is_shown:
                states = [f"{item['name']}={item['value']['value']}" for item in node.get("properties", [])
                          if item["name"] in ("checked", "pressed", "expanded", "level", "disabled", "busy", "live", "modal", "required")
                          and item["value"].get("value") not in (False, "false", "off", None)]
                lines.append("  " * depth + " ".join([role, *([json.dumps(name, ensure_ascii=False)] if name else []), *states]))
            for child in node.get("childIds", []):
                if child in by_id:
                    add(by_id[child], depth + is_shown)

        add(nodes[0], 0)
        return "\n".join(lines)

    def focused(self):
        """(role, name) of the element that has the focus."""
        element = self.call("Runtime.evaluate", expression="document.activeElement")["result"].get("objectId")
        node = self.call("Accessibility.getPartialAXTree", objectId=element, fetchRelatives=False)["nodes"][0]
        return node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")

    # Mouse and keyboard

    def click(self, role, name):
        # The page may draw itself again in between: then there is another node to press, or none for a moment.
        for attempt in range(20):
            try:
                node = self.find(role, name)
            except Finding:
                if attempt == 19:
                    raise
                self.settle()
                continue
            self.ask("DOM.scrollIntoViewIfNeeded", backendNodeId=node)
            answer = self.ask("DOM.getBoxModel", backendNodeId=node)
            if "result" in answer:
                break
            self.settle()
        else:
            raise Finding(f"the {role} \"{name}\" cannot be pressed: {answer['error']}")
        box = answer["result"]["model"]["border"]
        place = {"x": (box[0] + box[4]) / 2, "y": (box[1] + box[5]) / 2}
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            self.call("Input.dispatchMouseEvent", type=kind, button="left" if kind != "mouseMoved" else "none", buttons=buttons,
                      clickCount=0 if kind == "mouseMoved" else 1, **place)

    def key(self, name, shift=False):
        code = KEYS.get(name, ord(name.upper()) if name.isalnum() and len(name) == 1 else 0)
        text = "\r" if name == "Enter" else name if len(name) == 1 else ""
        shared = {"key": name, "code": name if len(name) > 1 else "", "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def type(self, text):
        for character in text:
            self.key("Enter", shift=True) if character == "\n" else self.key(character)

    def tab_to(self, role, name, limit=120, back=False):
        """Presses Tab until the element has the focus."""
        seen = []
        for _ in range(limit):
            self.key("Tab", shift=back)
            seen.append(self.focused())
            if seen[-1][0] == role and seen[-1][1].startswith(name):
                return
        raise Finding(f"Tab does not reach the {role} \"{name}\"; it reaches {seen[:40]}")

    # Looks

    def look(self, scheme="light", contrast="no-preference", motion="no-preference", forced="none", width=1280, height=900, zoom=1, direction="ltr"):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-contrast", "value": contrast},
            {"name": "prefers-reduced-motion", "value": motion}, {"name": "forced-colors", "value": forced}])
        self.call("Emulation.setDeviceMetricsOverride", width=width // zoom, height=height // zoom, deviceScaleFactor=zoom, mobile=False)
        self.evaluate(f"document.documentElement.dir = '{direction}'; 0")

    def overflow(self):
        """Elements that make the page wider than the window; text has to flow at 320 px (WCAG 1.4.10)."""
        return self.evaluate(
            "document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]"
            ".filter((e) => { const box = e.getBoundingClientRect(); return (box.right > innerWidth + 1 || box.left < -1) && !e.closest('.scroll, pre, .skip, .hide'); })"
            ".slice(0, 5).map((e) => `${e.tagName}.${e.className} is outside of the window: ${e.textContent.slice(0, 40)}`)")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    # Findings

    def problems(self):
        """Errors on the console, exceptions and violations of the content security policy since the last call."""
        found = []
        for event in self.events:
            method, what = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                found.append(f"exception: {details.get('exception', {}).get('description', details['text'])[:300]}")
            elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
                found.append(f"console: {[argument.get('value', argument.get('description')) for argument in what['args']]}")
            elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
                found.append(f"{what['entry']['source']}: {what['entry']['text'][:300]} {what['entry'].get('url', '')}")
            elif method == "Audits.issueAdded" and what["issue"]["code"] == "ContentSecurityPolicyIssue":
                found.append(f"policy: {json.dumps(what['issue']['details']['contentSecurityPolicyIssueDetails'])[:300]}")
        self.events = []
        return found

    def axe(self, source):
        """Violations of WCAG 2.2 A and AA, and of best practices, as lines."""
        if not self.evaluate("typeof axe !== 'undefined'"):
            self.evaluate(source + "; 0")
        result = self.evaluate("axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map((v) =>"
                               " `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join('; ')}`))")
        return result


class Finding(Exception):
    pass


def run(scenarios, names, options):
    """Runs scenarios by name in a browser of their own, prints a line for each, and ends the program."""
    has_failed = False
    with tempfile.TemporaryDirectory(prefix="browser.", ignore_cleanup_errors=True) as folder:
        browser = PageBrowser(folder)
        try:
            browser.end = time.monotonic() + 900
            browser.start(options.address)
            browser.look()
            for name in names if "all" in options.scenarios else options.scenarios:
                found = scenarios(browser, options)
                try:
                    getattr(found, name)()
                except Finding as finding:
                    found.findings.append(str(finding))
                findings = found.findings + browser.problems()
                has_failed = has_failed or bool(findings)
                print(json.dumps({"scenario": name, "findings": findings, "figures": found.figures}, ensure_ascii=False), flush=True)
        finally:
            browser.close()
    sys.exit(has_failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("address")
    parser.add_argument("scenarios", nargs="+", choices=[*SCENARIOS, "all"])
    parser.add_argument("--axe", help="axe.min.js; by default that of Scripts/test-peers", default=AXE)
    parser.add_argument("--pictures", help="a folder for screenshots of each view and look")
    run(Scenarios, SCENARIOS, parser.parse_args())


if __name__ == "__main__":
    main()

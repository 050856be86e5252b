# SPDX-License-Identifier: MIT
"""What page_browser.py does on the page, and what it expects: each scenario is a function that says what it needs."""

import difflib
import json
import os
import pathlib
import re
import time

NARROW = 320
# What a tree shows of the machine.
MACHINE = re.compile(r'(term "Battery"\n *definition\n *StaticText) ".*"')
QUESTIONS = "[...document.querySelectorAll('.log .user .text')].map((e) => e.textContent)"
# Counts the changes of conversations that the page is told of.
CHANGES = (
    "window.changes = 0; import('/live.js').then(({subscribe}) => subscribe(({event, what}) => { if (event === 'changed' && what === 'conversations') window.changes += 1; }))"
    ".then(() => 0)")
SCENARIOS = ["shell", "chat", "states", "keyboard", "ahead", "places", "hidden", "leaving", "reload", "consent", "texts", "looks", "trees", "closed", "tabs"]


class Scenarios:
    def __init__(self, browser, options):
        self.browser, self.options, self.findings, self.figures = browser, options, [], {}

    def check(self, is_true, text):
        if not is_true:
            self.findings.append(text)

    def ask(self, question):
        """Types a question with real keys, and waits until its answer is over."""
        page = self.browser
        page.evaluate("document.querySelector('textarea').focus()")
        page.type(question)
        page.key("Enter")
        page.until("document.querySelector('.log').textContent.includes(" + json.dumps(question) + ")", "question in the log")
        page.until("!document.querySelector('.log[aria-busy]')", "end of the answer", 120)

    # Scenarios

    def shell(self):
        """Every view opens, by mouse and by keyboard; the skip link works; a reload keeps the session; the fragment has no token."""
        page = self.browser
        self.check("#t=" not in page.evaluate("location.href"), "the token is still in the address")
        for link in page.evaluate("[...document.querySelectorAll('nav a')].map((a) => a.textContent)"):
            page.click("link", link)
            page.until(f"document.title.startsWith({json.dumps(link)})", f"title {link}")
            page.settle()
            self.check(page.evaluate("document.querySelectorAll('main h1').length === 1"), f"{link} has no single heading")
            self.check(not page.evaluate("Boolean(document.querySelector('main > .view > .failure + button'))"),
                       f"{link} fails: {page.text()[-300:]}")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.call("Page.reload")
        page.until("document.querySelector('nav a') && document.querySelector('main h1').textContent", "page after a reload")
        page.tab_to("link", "Skip to the content", limit=3)
        page.key("Enter")
        self.check(page.evaluate("document.activeElement.id === 'main'"), "the skip link does not go to the content")
        self.figures["firstPaint"] = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")

    def tabs(self):
        """Ten tabs of one browser are live by one connection; an eleventh, opened without a token, gets the session."""
        page = self.browser
        address = page.evaluate("location.origin + '/'")
        sessions = [page.session]
        for _ in range(9):
            page.session = None
            page.open()
            page.go(address + "#now")
            page.until("document.querySelector('nav a')", "session in another tab")
            sessions.append(page.session)
        connections = sum(page_event.get("method") == "Network.requestWillBeSent" and page_event["params"]["request"]["url"].endswith("/api/live")
                          for page_event in page.events)
        self.figures["connections"] = connections
        self.check(connections <= 1, f"{connections} new connections for live events")
        # The tab that reads is closed: another one takes over.
        page.session = sessions[0]
        page.call("Page.close")
        page.session = sessions[-1]
        page.evaluate("import('./live.js').then(({subscribe}) => { window.changes = 0; subscribe(({event}) => { if (event === 'changed') window.changes += 1; }); })")
        for value in range(40, 60):
            page.evaluate(f"import('./api.js').then(({{run}}) => run(['settings', 'set', 'sensitivity', '{value}']))")
            page.settle()
            if page.evaluate("window.changes"):
                break
        self.check(page.evaluate("window.changes > 0"), "no event reaches the other tabs when the one that reads is closed")
        page.evaluate("import('./api.js').then(({run}) => run(['settings', 'unset', 'sensitivity']))")

    def closed(self):
        """A tab whose session has ended, and that reads the events of all, keeps nothing from another tab."""
        page = self.browser
        first, address = page.session, page.evaluate("location.origin + '/'")
        session = page.evaluate("sessionStorage.getItem('parley-session')")
        script = page.call("Page.addScriptToEvaluateOnNewDocument", source=(
            "const really = fetch; window.fetch = (path, options) => path === '/api/live' ? new Response('{}', { status: 401 }) : really(path, options);"))["identifier"]
        page.call("Page.reload")
        page.until_text("Open this page with: parley dashboard")
        page.session = None
        page.open()
        page.go(address)
        page.until_text("Open this page with: parley dashboard")
        page.evaluate(f"sessionStorage.setItem('parley-session', {json.dumps(session)})")
        # Requests with the session that has ended are on the console.
        page.problems()
        page.call("Page.reload")
        page.until("document.querySelector('nav a')", "page with a session")
        page.evaluate("import('./live.js').then(({connection}) => { window.connection = connection; })")
        page.until("window.connection.state === 'live'", "connection for events")
        page.call("Page.close")
        page.session = first
        page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        page.evaluate(f"sessionStorage.setItem('parley-session', {json.dumps(session)})")
        page.call("Page.reload")
        page.until("document.querySelector('nav a')", "page with a session again")

    def chat(self):
        """Asks by typing, goes on, finds, renames, pins, exports and deletes."""
        page = self.browser
        page.view("chat")
        self.ask("What is the capital of Texas?")
        page.until("document.querySelectorAll('.log .assistant').length === 1", "answer")
        page.until("location.hash.startsWith('#chat/')", "conversation in the address")
        # A word that no other conversation has.
        token = f"z{time.monotonic_ns()}"
        self.ask(f"{token}: what is the capital of Ohio?")
        page.until("document.querySelectorAll('.log .assistant').length === 2", "second answer")
        page.click("button", "Rename")
        page.until("document.querySelector('dialog[open] input')", "dialog")
        page.type("My capitals")
        page.key("Enter")
        page.until("document.querySelector('.chat h2').textContent === 'My capitals'", "new title")
        page.click("button", "Pin")
        page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Unpin')", "pinned conversation")
        page.evaluate("document.querySelector('input[type=search]').focus()")
        page.type(token)
        page.key("Enter")
        page.until("document.querySelectorAll('.list li').length === 1", "one match")
        page.evaluate("window.saved = null; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return make(blob); }; 0")
        page.call("Browser.setDownloadBehavior", behavior="deny")
        page.click("button", "Export")
        page.click("button", "Markdown")
        page.until("window.saved?.includes('## You')", "exported Markdown")
        page.click("link", "New conversation")
        page.until("[...document.querySelectorAll('.list a')].some((a) => a.textContent === 'My capitals')", "the list again")
        page.click("link", "My capitals")
        page.until("document.querySelectorAll('.log .assistant').length === 2", "opened conversation")
        page.click("button", "Delete")
        page.until("document.querySelector('dialog[open]')", "question before deletion")
        page.key("Escape")
        page.until("!document.querySelector('dialog')", "closed dialog")
        page.click("button", "Delete")
        page.until("document.querySelector('dialog[open]')", "question before deletion")
        page.evaluate("document.querySelector('dialog .danger').focus()")
        page.key("Enter")
        page.until("location.hash === '#chat' && ![...document.querySelectorAll('.list a')].some((a) => a.textContent === 'My capitals')", "deletion")

    def states(self):
        """The local assistant answers with a map, or refuses, and is asked again. Needs a home without a model."""
        page = self.browser
        page.view("chat")
        self.ask("What is the capital of Texas?")
        page.until("document.querySelectorAll('.log img.map').length === 1", "map of the state")
        self.ask("Which states joined in 1889?")
        page.until("document.querySelectorAll('.log .assistant').length === 2", "answer about several states")
        page.settle()
        self.check(page.evaluate("document.querySelectorAll('.log img.map').length") == 1, "a map of one of several states")
        self.ask("What is the plot of Hamlet?")
        page.until("document.querySelectorAll('.log .failure').length === 1", "refusal")
        page.click("button", "Try again")
        page.until("document.querySelectorAll('.log .failure').length === 2", "refusal of the question that is asked again")

    def keyboard(self):
        """Asks a question and opens a view by the keyboard alone."""
        page = self.browser
        page.evaluate("location.hash = '#now'; 0")
        page.settle()
        page.tab_to("link", "Chat")
        page.key("Enter")
        page.until("document.title.startsWith('Chat')", "view Chat")
        page.tab_to("textbox", "Question")
        page.type("What is the capital of Maine?\nIn one word.")
        self.check("\n" in page.evaluate("document.querySelector('textarea').value"), "Shift-Enter begins no new line")
        page.tab_to("button", "Send")
        page.key("Enter")
        page.until("document.querySelector('.log .assistant')", "answer")
        page.until("!document.querySelector('.log[aria-busy]')", "end of the answer", 120)
        self.check(page.evaluate("document.activeElement !== document.body"), "the focus is lost after an answer")

    def ahead(self):
        """Types on, and goes elsewhere, before the program has taken a question; asks before the view has loaded; gets back what was not asked."""
        page = self.browser
        field, answers = "document.querySelector('textarea')", "document.querySelectorAll('.log .assistant').length"
        over = "!document.querySelector('.log[aria-busy]')"

        def ask(question):
            page.until(field, "field for a question")
            page.evaluate(f"{field}.focus()")
            page.call("Input.insertText", text=question)
            page.key("Enter")

        page.view("chat")
        page.hold("body.includes('assistant')")
        ask("What is the capital of Texas?")
        page.until("window.held.length", "held question")
        page.call("Input.insertText", text="And then")
        page.evaluate("document.querySelector('input[type=search]').focus()")
        page.release()
        page.until(f"{answers} === 1 && {over} && location.hash.startsWith('#chat/')", "answer", 60)
        self.check(page.evaluate(f"{field}.value") == "And then", f"the field has what was not typed meanwhile: {page.evaluate(f'{field}.value')}")
        self.check(page.evaluate("document.activeElement.type === 'search'"), "the focus was taken away from another field")
        conversation = page.evaluate("location.hash.slice(1)")
        page.view("now")
        page.hold("body.includes('conversations')")
        page.evaluate(f"location.hash = '#{conversation}'; 0")
        ask("What is the capital of Ohio?")
        page.until("window.held.length", "held list")
        page.release()
        page.until(f"{answers} === 2 && {over}", "both answers", 60)
        page.settle()
        questions = page.evaluate(QUESTIONS)
        self.check(questions == ["What is the capital of Texas?", "What is the capital of Ohio?"] and page.evaluate(answers) == 2, f"the questions are {questions}")
        page.hold("body.includes('assistant')")
        ask("What is the capital of Utah?")
        page.until("window.held.length", "held question")
        page.call("Input.insertText", text="And then")
        page.call("Network.setBlockedURLs", urls=["*/api/run"])
        page.release()
        page.until("document.getElementById('alert').textContent", "failure")
        page.call("Network.setBlockedURLs", urls=[])
        # The blocked request is on the console.
        page.problems()
        self.check(page.evaluate(f"{field}.value") == "What is the capital of Utah?\nAnd then", f"the field has {page.evaluate(f'{field}.value')}")

    def places(self):
        """The focus stays on what a person has just pressed, and on the same conversation when there is another one."""
        page = self.browser
        page.view("chat")
        self.ask("What is the capital of Texas?")
        page.until("location.hash.startsWith('#chat/')", "conversation in the address")
        for name, after in (("Pin", "Unpin"), ("Unpin", "Pin")):
            page.evaluate(f"[...document.querySelectorAll('button')].find((b) => b.textContent === '{name}').focus()")
            page.key("Enter")
            page.until(f"[...document.querySelectorAll('button')].some((b) => b.textContent === '{after}')", after)
            page.settle()
            self.check(page.focused() == ("button", after), f"the focus is on {page.focused()}, not on {after}")
        place = page.evaluate("(() => { const link = document.querySelector('.list a[aria-current=true]'); link.focus(); return link.hash; })()")
        page.command("ask", "What is the capital of Ohio?")
        page.until("document.querySelector('.list a').textContent.includes('Ohio')", "another conversation", 30)
        page.settle()
        self.check(page.evaluate("document.activeElement.hash") == place, f"the focus is on {page.focused()}, not on the same conversation")

    def hidden(self):
        """What changes while nobody sees the tab is there when somebody does."""
        page = self.browser
        page.view("chat")
        self.ask("What is the capital of Texas?")
        page.until("location.hash.startsWith('#chat/')", "conversation in the address")
        page.settle()
        page.evaluate(CHANGES)
        page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: true }); 0")
        page.command("chat", "--offline", "--conversation", page.evaluate("location.hash.slice(6)"), "What is the capital of Ohio?")
        page.until("window.changes", "event of a change")
        page.settle()
        page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); 0")
        page.until(f"{QUESTIONS}.length === 2", "question that was asked meanwhile", 30)

    def leaving(self):
        """A view that still loads is left at once; one that failed is over when it is left."""
        page = self.browser
        page.view("now")
        page.hold("body.includes('conversations')")
        page.evaluate("location.hash = '#chat'; 0")
        page.until("window.held.length", "chat that loads")
        page.view("settings")
        page.release()
        page.evaluate("location.hash = '#chat/00000000-0000-4000-8000-000000000000'; 0")
        page.until("document.querySelector('main .failure')", "failure")
        # It is on the console.
        page.problems()
        page.view("now")
        page.evaluate(CHANGES)
        page.hold("body.includes('conversations')")
        page.command("ask", "What is the capital of Iowa?")
        page.until("window.changes", "event of a change")
        page.settle()
        self.check(page.evaluate("window.held.length") == 0, "a view that has gone runs commands at a change")
        page.release()

    def reload(self):
        """Reloads in the middle of a long answer; the answer goes on and ends; and another one is stopped. Needs a model that answers slowly."""
        page = self.browser
        page.view("chat")
        page.evaluate("document.querySelector('textarea').focus()")
        page.type("Answer slowly, please")
        page.key("Enter")
        page.until("document.querySelector('.log .assistant h3')", "beginning of the answer")
        page.call("Page.reload")
        page.until("document.querySelector('.log[aria-busy] .assistant')", "answer that goes on after a reload")
        page.until_text("The end of the answer.")
        page.until("!document.querySelector('.log[aria-busy]')", "end of the answer", 120)
        self.check(page.evaluate(QUESTIONS) == ["Answer slowly, please"],
                   f"the questions after a reload: {page.evaluate(QUESTIONS)}")
        page.until("location.hash.startsWith('#chat/')", "conversation in the address")
        links = page.evaluate("[...document.querySelectorAll('.log a')].map((a) => `${a.href} ${a.rel}`)")
        self.check(links == ["https://example.org/map noreferrer noopener"], f"links are {links}")
        self.check(page.evaluate("['table', 'pre', 'strong', 'em', 'ul ul', 'ol'].every((s) => document.querySelector(`.log .assistant ${s}`))"),
                   "Markdown is not rendered")
        self.check(not page.evaluate("Boolean(document.querySelector('.log script'))"), "there is a script element")
        page.view("chat")
        page.evaluate("document.querySelector('textarea').focus()")
        page.type("Again slowly")
        page.key("Enter")
        page.until("document.querySelector('.log .assistant h3')", "beginning of the answer")
        page.click("button", "Stop")
        page.until("!document.querySelector('.log[aria-busy]')", "end of a stopped answer")
        self.check("The end of the answer." not in page.text(), f"a stopped answer goes on: {page.text()[:900]}")

    def consent(self):
        """A tool call is shown, and only a whole word allows it. Needs a model that calls a tool when asked to "please add"."""
        page = self.browser
        page.view("chat")

        def answer(word):
            page.evaluate("document.querySelector('dialog input').focus()")
            page.type(word)
            page.key("Enter")

        page.evaluate("document.querySelector('textarea').focus()")
        page.type("Please add 40 and 2")
        page.key("Enter")
        page.until("document.querySelector('dialog[open] .details')", "question for consent")
        self.check(page.focused()[0] == "heading", f"the focus is on {page.focused()}, not on the heading")
        page.key("Escape")
        self.check(page.evaluate("Boolean(document.querySelector('dialog[open]'))"), "Escape answers")
        answer("y")
        page.until_text("“y” is not an answer.")
        answer("yes")
        page.until("!document.querySelector('dialog')", "closed question")
        page.until("document.querySelector('.log details.tool pre:nth-of-type(1)')", "call of the tool")
        page.until("!document.querySelector('.log[aria-busy]')", "end of the answer", 120)

    def texts(self):
        """No text is code: script, HTML and javascript: in a question, an answer and a title; long and malicious Markdown is bounded.
        Needs a model that repeats the question."""
        page = self.browser
        hostile = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script> [a](javascript:window.hacked=1) [b](data:text/html,x) <javascript:alert(1)>"
        page.view("chat")
        self.ask(hostile)
        page.click("button", "Rename")
        page.until("document.querySelector('dialog[open] input')", "dialog")
        page.type(hostile[:80])
        page.key("Enter")
        page.until("document.querySelector('.chat h2').textContent.startsWith('<img')", "new title")
        self.check(page.evaluate("!('hacked' in window) && !document.querySelector('main img, main script, main a[href^=\"javascript\" i], main a[href^=data]')"),
                   "a text has become an element")
        page.click("button", "Delete")
        page.click("button", "Delete")
        page.until("location.hash === '#chat'", "deletion")
        for name, text in {"plain": "'x '.repeat(5e6)", "strong": "'**a '.repeat(2.5e6)", "emphasis": "'*a _b '.repeat(2e6)", "labels": "'[a]('.repeat(2.5e6)",
                           "ticks": "'`'.repeat(1e7)", "quotes": "'> '.repeat(5e6)", "lists": "Array.from({length: 3000}, (_, n) => ' '.repeat(n) + '- a').join('\\n')",
                           "spaces": "'a' + ' '.repeat(1e7)", "cells": "'|-'.repeat(5e6) + '\\n' + '|-'.repeat(5e6)", "lines": "'\\n'.repeat(1e7)", "rule": "'* '.repeat(5e6) + 'a'",
                           "heading": "'# ' + '#'.repeat(1e7) + 'a'", "wide": "'# a' + ' '.repeat(1e7) + 'b'", "rows": "'a|b\\n' + ' '.repeat(9e4) + 'a'", "rest": "'a|b\\n-|-' + ' '.repeat(9e4) + 'a'", "addresses": "'https://'.repeat(1e6)"}.items():
            time_, length, nodes = page.evaluate(
                f"import('./markdown.js').then(({{bounded}}) => {{ const text = {text}; const begin = performance.now(); const e = bounded(text);"
                " return [Math.round(performance.now() - begin), e.textContent.length, e.querySelectorAll('*').length]; })")
            self.figures[name] = f"{time_} ms, {nodes} elements"
            self.check(length < 210_000, f"{length} characters of {name} are shown")

    def looks(self):
        """0 violations of axe in every view: light, dark, high contrast, forced colours, right to left, 320 px, 200% zoom."""
        page = self.browser
        source = pathlib.Path(self.options.axe).read_text(encoding="utf-8")
        looks = {"light": {}, "dark": {"scheme": "dark"}, "contrast": {"contrast": "more"}, "forced": {"forced": "active"}, "right-to-left": {"direction": "rtl"},
                 "narrow": {"width": NARROW}, "narrow-right-to-left": {"width": NARROW, "direction": "rtl"}, "zoom": {"zoom": 2}, "calm": {"motion": "reduce"}}
        for name, prepare, undo in self.sights():
            prepare()
            for look, how in looks.items():
                page.look(**how)
                page.evaluate("new Promise((done) => setTimeout(done, 60))")
                self.findings += [f"{name}, {look}: {line}" for line in page.axe(source) + page.overflow()]
                if self.options.pictures:
                    page.picture(os.path.join(self.options.pictures, f"page-{name}-{look}.png"))
            undo()
        page.look()

    def sights(self):
        """(name, function that brings the page there, function that takes it back) of all that is looked at."""
        page = self.browser
        nothing = lambda: None
        for name in page.evaluate("[...document.querySelectorAll('nav a')].map((a) => a.hash.slice(1))"):
            yield name, lambda name=name: page.view(name), nothing
        def conversation():
            page.view("chat")
            self.ask("Answer slowly, please")
            page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Rename')", "conversation")

        def dialog():
            page.click("button", "Rename")
            page.until("document.querySelector('dialog[open]')", "dialog")

        yield "chat-conversation", conversation, nothing
        yield "chat-dialog", dialog, lambda: page.key("Escape")

    def trees(self):
        """The accessibility tree of each view is that of page-trees/NAME.txt, which PARLEY_WRITE_DOCUMENTS=1 writes. Needs an empty home
        and a machine without sound."""
        page = self.browser
        page.look()
        for name in page.evaluate("[...document.querySelectorAll('nav a')].map((a) => a.hash.slice(1))"):
            page.view(name)
            page.until("!document.querySelector('main [aria-busy]:not([aria-busy=false])')", "end of loading")
            page.settle()
            tree = MACHINE.sub(r"\1 …", page.tree())
            golden = pathlib.Path(__file__).parent / "page-trees" / f"{name}.txt"
            if os.environ.get("PARLEY_WRITE_DOCUMENTS") == "1":
                golden.parent.mkdir(exist_ok=True)
                golden.write_text(tree + "\n", encoding="utf-8")
            lines = difflib.unified_diff(golden.read_text(encoding="utf-8").splitlines(), tree.splitlines(), str(golden.name), "now", lineterm="", n=1)
            self.findings += [f"another accessibility tree: {line}" for line in lines]

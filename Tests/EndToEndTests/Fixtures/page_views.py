# SPDX-License-Identifier: MIT
"""Uses the views Practice, Dashboard, Settings, First steps and Developer as a person does, and prints what is wrong.

usage: page_views.py ADDRESS SCENARIO… [--axe FILE] [--sound] [--cues N] [--removed TEXT] [--old]

ADDRESS and the output are those of page_browser.py. --sound: there is a loudspeaker, and the microphone hears somebody, again each
time that it is opened, who says "hey jarvis" (practice, settings) or "what is the capital of texas" (start, talk). Without it the scenarios
want to see what to do about a missing sound card. --cues, --removed and --old say what
catalogue has to find. The home is changed: profiles, settings and recordings are added, and most are
removed again.
"""

import argparse
import json
import pathlib
import tempfile

from page_browser import run

MISSING = "Plug"


class Views:
    def __init__(self, browser, options):
        self.page, self.options, self.findings, self.figures = browser, options, [], {}
        self.source = pathlib.Path(options.axe).read_text(encoding="utf-8") if options.axe else None

    def check(self, is_true, text):
        if not is_true:
            self.findings.append(text)

    def axe(self, where):
        """Everything folded is opened, so that it is examined, too."""
        if self.source:
            self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; }); 0")
            self.findings += [f"{where}: {line}" for line in self.page.axe(self.source)]

    def open(self, name):
        self.page.view(name)
        self.loaded()

    def loaded(self):
        self.page.until("document.querySelector('.card') && !document.querySelector('[aria-busy=true]')", "end of loading", 60)
        self.page.settle()

    def card(self, title):
        """The script of a card by its heading."""
        return f"[...document.querySelectorAll('.card')].find((c) => c.querySelector('h2')?.textContent === {json.dumps(title)})"

    def until_card(self, title, text, seconds=60):
        self.page.until(f"{self.card(title)}.innerText.includes({json.dumps(text)})", f"{json.dumps(text)} in {title}", seconds)

    def press(self, title, name, at=0):
        """Presses a button of a card with the keyboard."""
        found = f"[...{self.card(title)}.querySelectorAll('button, summary')].filter((b) => b.textContent === {json.dumps(name)})[{at}]"
        self.page.until(found, f"button {name} in {title}")
        self.page.evaluate(f"{found}.focus(); 0")
        self.page.key("Enter")

    def input(self, title, label):
        """The script of the input with this label."""
        return f"[...{self.card(title)}.querySelectorAll('.field')].find((f) => f.querySelector('label').textContent === {json.dumps(label)}).querySelector('input')"

    def value(self, title, label):
        return self.page.evaluate(f"{self.input(title, label)}.value")

    def focus(self, title, label):
        """Selects what is in the field with this label."""
        self.page.evaluate(f"(() => {{ const field = {self.input(title, label)}; field.closest('details')?.setAttribute('open', ''); field.focus(); field.select(); }})()")

    def fill(self, title, label, text):
        """Types into the field with this label."""
        self.focus(title, label)
        self.page.call("Input.insertText", text=text)

    def choose(self, title, label, value):
        """Chooses in the list with this label."""
        self.page.evaluate(f"{{ const field = [...{self.card(title)}.querySelectorAll('.field')].find((f) => f.querySelector('label').textContent === {json.dumps(label)})"
                           f".querySelector('select'); field.value = {json.dumps(value)}; for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{bubbles: true}})); }}")

    def dialog(self, name, about=""):
        self.page.until("document.querySelector('dialog[open]')", "question")
        asked = self.page.evaluate("document.querySelector('dialog').innerText")
        self.check(about in asked, f"the question does not name {about}: {asked}")
        self.page.evaluate(f"[...document.querySelectorAll('dialog button')].find((b) => b.textContent === {json.dumps(name)}).focus(); 0")
        self.page.key("Enter")
        self.page.until("!document.querySelector('dialog')", "closed dialog")

    def unset(self, *names):
        self.page.evaluate(f"import('/api.js').then(({{run}}) => Promise.all({json.dumps(names)}.map((name) => run(['settings', 'unset', name]).catch(() => {{}}))))")

    # Scenarios

    def practice(self):
        """Cue, record, hear, keep; words, progress, recordings. A reload in the middle goes on."""
        page = self.page
        self.open("practice")
        self.choose("Cues", "Language", "en")
        self.loaded()
        self.until_card("Cues", "All")
        self.check("Bonjour" not in page.evaluate(f"{self.card('Cues')}.textContent"), "a French cue is among the English ones")
        self.press("Cues", "Begin")
        # The machine checks the microphone with the first recording.
        page.until("document.querySelector('[aria-label=Exercise] button.primary')", "exercise", 60)
        self.check(page.focused() == ("button", "Record"), f"the focus is on {page.focused()}, not on Record")
        page.key("Enter")
        if not self.options.sound:
            page.until(f"document.querySelector('[aria-label=Exercise] .failure')?.textContent.includes({json.dumps(MISSING)})", "what to do without a microphone", 60)
            self.axe("practice without a microphone")
            page.key("q")
            page.until_text("Practice has ended.", 60)
            return
        page.until_text("Recording …", 60)
        page.evaluate("new Promise((done) => setTimeout(done, 2500))")
        page.call("Page.reload")
        page.until("[...document.querySelectorAll('[aria-label=Exercise] button')].some((b) => b.textContent === 'Stop')", "recording after a reload", 60)
        page.evaluate("[...document.querySelectorAll('[aria-label=Exercise] button')].find((b) => b.textContent === 'Stop').focus(); 0")
        page.key("Enter")
        page.until_text("Listen to it", 60)
        self.axe("practice, reviewing")
        page.evaluate("document.querySelector('[aria-label=Exercise] button').focus(); 0")
        page.key("k")
        page.until("document.querySelectorAll('[aria-label=Exercise] li.chip').length > 2", "words", 120)
        signs = page.evaluate("[...document.querySelectorAll('[aria-label=Exercise] li.chip')].map((chip) => chip.textContent)")
        self.check(all(chip[0] in "✓✗+?" and len(chip.split()) >= 3 for chip in signs), f"words without a sign and a verdict: {signs}")
        self.axe("practice, result")
        page.until_text("Kept.", 60)
        page.evaluate("document.querySelector('[aria-label=Exercise] button').focus(); 0")
        page.key("q")
        page.until_text("Practice has ended.", 60)
        self.until_card("Progress", "Days in a row")
        self.until_card("Progress", "1 of 180")
        page.until(f"[...{self.card('Cues')}.querySelectorAll('tbody td')].filter((cell) => cell.textContent === '✓').length === 1", "mark of the practised cue")
        self.check(page.evaluate(f"{self.card('Progress')}.querySelectorAll('svg rect').length >= 3"), "there is no plot")
        self.press("Recordings", "Play")
        page.until("document.querySelector('audio')?.duration > 0", "sound of the recording", 60)
        count = page.evaluate(f"{self.card('Recordings')}.querySelectorAll('tbody tr').length")
        self.press("Recordings", "Delete")
        self.dialog("Cancel")
        self.press("Recordings", "Delete")
        self.dialog("Delete")
        page.until(f"{self.card('Recordings')}.querySelectorAll('tbody tr').length === {count - 1}", "deletion", 60)
        self.check(page.evaluate("document.activeElement !== document.body"), "the focus is lost after a deletion")

    def catalogue(self):
        """The server's cues, a page at a time, and none that it has removed. Without the server the list says how old it is."""
        page, card, count = self.page, self.card("Cues"), self.options.cues
        self.open("practice")
        requests = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/run')).length"
        # What was just written may be told twice.
        page.evaluate(f"window.count = -1; window.requests = () => {requests}; 0")
        page.until("(window.count === window.requests()) || (window.count = window.requests(), window.since = Date.now(), false)"
                   " ? Date.now() - window.since > 3000 : false", "end of the commands: they run though nothing has changed", 30)
        shown = page.evaluate(f"{card}.innerText")
        self.check(("This list is old, as the server had it" in shown) == self.options.old, f"the age of the list: {shown}")
        self.check(("cannot be reached" in shown) == self.options.old, f"the reason of the age: {shown}")
        self.press("Cues", "The first 200 cues")
        self.press("Cues", "More")
        self.until_card("Cues", f"All {count} cues")
        self.loaded()
        rows = page.evaluate(f"[...{card}.querySelectorAll('tbody th')].map((one) => one.textContent)")
        self.check(len(set(rows)) == count, f"{len(rows)} cues are listed, {len(set(rows))} different ones, in place of {count}")
        self.check(self.options.removed not in rows, "a cue that the server has removed is listed")
        self.check(page.evaluate(f"{card}.querySelector('details').open"), "what was unfolded is folded")
        self.check(page.evaluate("document.activeElement !== document.body"), "the focus is lost after More")
        self.choose("Cues", "Topic", "clubs")
        self.until_card("Cues", f"All {count - 180 + bool(self.options.removed)} cues")
        self.choose("Cues", "Level", "6")
        self.until_card("Cues", "There is no cue of this kind.")

    def dashboard(self):
        """Figures of what was asked, refreshed by events alone."""
        page = self.page
        self.open("dashboard")
        asked = "+document.querySelector('.dashboard').innerText.match(/Questions\\n(\\d+)/)?.[1]"
        before = page.evaluate(asked) or 0
        self.axe("dashboard")
        for title in ("State", "Server", "Timers and alarms", "Devices", "What waits", "Answers"):
            self.check(page.evaluate(f"Boolean({self.card(title)})"), f"there is no card {title}")
        requests = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/run')).length"
        count = page.evaluate(f"performance.setResourceTimingBufferSize(10000); {requests}")
        page.evaluate("new Promise((done) => setTimeout(done, 3000))")
        self.check(page.evaluate(requests) == count, "commands run though nothing has changed")
        page.evaluate("import('/api.js').then(({run}) => run(['ask', 'What is the capital of Texas?']).catch(() => {}))")
        page.until(f"{asked} === {before + 1}", "another question in the figures", 30)
        self.until_card("Answers", "p50")

    def redraw(self):
        """A change elsewhere moves the focus to no other row, and folds nothing up."""
        page, card = self.page, self.card("Timers and alarms")
        ringing = page.evaluate("import('/api.js').then(async ({start, follow}) => { const id = await start(['timers', 'ring', '--wait', '--no-notifications']);"
                                " await new Promise((ready) => { follow(id, ({out}) => { if (out?.event === 'waiting') ready(); }); }); return id; })")
        for minutes, label in ((20, "eggs"), (30, "bread"), (40, "laundry")):
            page.command("ask", f"set a {label} timer for {minutes} minutes")
        self.open("dashboard")

        def cancel(label):
            page.command("timers", "cancel", next(one["id"] for one in page.command("timers", "list")[0]["timers"] if one.get("label") == label))
            page.until(f"!{card}.innerText.includes('{label}')", f"card without {label}", 30)
            self.loaded()

        page.evaluate(f"[...{card}.querySelectorAll('tbody tr')].find((row) => row.innerText.includes('bread')).querySelector('button').focus()")
        cancel("eggs")
        row = page.evaluate("document.activeElement.closest('tr')?.innerText ?? ''")
        self.check("bread" in row, f"the focus was on the timer bread, and is on {row}")
        cancel("bread")
        self.check(page.focused() == ("heading", "Timers and alarms"), f"the timer has gone, and the focus is on {page.focused()}")
        cancel("laundry")
        fold, count = f"{self.card('Answers')}.querySelector('details')", f"{self.card('Answers')}.querySelector('dd').textContent"
        page.evaluate(f"{fold}.open = true; {fold}.firstChild.focus(); 0")
        before = page.evaluate(count)
        page.command("ask", "What is the capital of Texas?")
        page.until(f"{count} !== {json.dumps(before)}", "another question in the figures", 30)
        self.check(page.evaluate(f"{fold}.open && document.activeElement === {fold}.firstChild"), "what was unfolded is folded")
        page.evaluate(f"import('/api.js').then(({{end}}) => end('{ringing}'))")

    def listening(self):
        """What the page starts goes on for as long as a tab is open, though none reads its output; and it can be seen when it is over."""
        page = self.page
        listens = "import('/api.js').then(({runs}) => runs()).then((list) => list.some(({words, isRunning}) => words[0] === 'listen' && isRunning))"
        button = "document.querySelector('.now > .row:last-child button')?.textContent"
        page.view("now")
        page.click("button", "Start listening")
        page.until(f"{button} === 'Stop listening'", "button to stop it")
        # A command whose page has gone ends after 30 s; the program looks each 5 s.
        page.evaluate("new Promise((done) => setTimeout(done, 37000))")
        self.check(page.evaluate(listens), "it has ended by itself")
        self.check(page.evaluate(button) == "Stop listening", f"the button is {page.evaluate(button)}")
        page.click("button", "Stop listening")
        page.until(f"{button} === 'Start listening'", "button to start it again")
        self.check(not page.evaluate(listens), "it goes on")

    def settings(self):
        """Profiles are added, used, heard and removed; settings are stored and refused; the wake word is tried; nothing is deleted by a wrong word."""
        page = self.page
        self.unset("sensitivity", "wake-word")
        self.open("settings")
        self.axe("settings")
        self.fill("Voice profiles", "Name", "aunt")
        self.fill("Voice profiles", "Voice", "rms")
        self.fill("Voice profiles", "Speed", "0.9")
        page.key("Enter")
        self.until_card("Voice profiles", "aunt")
        rows = page.evaluate(f"[...{self.card('Voice profiles')}.querySelectorAll('tbody th')].map((one) => one.textContent)")
        at = rows.index("aunt")
        tries = at
        uses = sum(1 for name in rows[:at] if page.evaluate(f"![...{self.card('Voice profiles')}.querySelectorAll('tbody tr')][{rows.index(name)}].innerText.includes('in use')"))
        self.press("Voice profiles", "Use", uses)
        page.until(f"[...{self.card('Voice profiles')}.querySelectorAll('tbody tr')][{at}].innerText.includes('in use')", "profile in use", 30)
        self.press("Voice profiles", "Try it", tries)
        if self.options.sound:
            page.until(f"![...{self.card('Voice profiles')}.querySelectorAll('button')].some((b) => b.getAttribute('aria-disabled'))", "end of the voice", 60)
            self.check(not page.evaluate("document.getElementById('alert').textContent"), "the voice cannot be heard: " + page.text()[-200:])
        else:
            page.until(f"document.getElementById('alert').textContent.includes({json.dumps(MISSING)})", "what to do without a loudspeaker", 60)
        self.press("Voice profiles", "Remove", at - 1)
        self.dialog("Remove", "aunt")
        page.until(f"![...{self.card('Voice profiles')}.querySelectorAll('tbody th')].some((one) => one.textContent === 'aunt')", "removal", 30)

        self.fill("Wake word", "sensitivity", "70")
        page.key("Enter")
        page.until("document.getElementById('status').textContent.includes('70')", "stored sensitivity", 30)
        self.loaded()
        self.fill("Wake word", "wake-word", "hey jarvis")
        self.press("Wake word", "Try it")
        self.until_card("Wake word", "It woke up." if self.options.sound else MISSING, 90)
        if self.options.sound:
            self.fill("Wake word", "wake-word", "grandmother")
            self.press("Wake word", "Try it")
            self.until_card("Wake word", "Say “grandmother”.", 60)
            self.press("Wake word", "Stop")
            self.until_card("Wake word", "It did not wake up", 60)
        # What earlier ones have told is no answer to this.
        page.evaluate("for (const id of ['alert', 'status']) document.getElementById(id).replaceChildren(); 0")
        self.fill("Wake word", "wake-word", "x")
        self.press("Wake word", "Save")
        page.until("document.getElementById('alert').textContent.length > 20 || document.getElementById('status').textContent.includes('wake-word')", "answer to another wake word", 30)
        self.unset("sensitivity", "wake-word")

        self.press("Your situation", "Allow", 0)
        self.until_card("Your situation", "✓ allowed")
        self.press("Your situation", "Deny", 0)
        self.loaded()
        self.press("Your data", "Delete everything")
        page.until("document.querySelector('dialog[open] input')", "question")
        self.axe("settings, deletion")
        page.evaluate("document.querySelector('dialog input').focus(); 0")
        page.type("remove")
        self.dialog("Delete everything")
        page.until_text("Nothing was deleted")
        with tempfile.TemporaryDirectory() as folder:
            self.fill("Your data", "Archive", f"{folder}/all.tar")
            page.key("Enter")
            self.until_card("Your data", "✓")
            self.check(pathlib.Path(f"{folder}/all.tar").stat().st_size > 1000, "the archive is empty")

    def typing(self):
        """What a person types stays whole, though the settings change meanwhile, before the first key and after it."""
        page, label = self.page, "Wake word"
        self.unset("sensitivity", "speed")
        self.open("settings")

        def change(speed):
            page.evaluate(f"import('/api.js').then(({{run}}) => run(['settings', 'set', 'speed', '{speed}']))")

        shown = f"{self.input('All other settings', 'speed')}.value"
        self.focus(label, "sensitivity")
        change(120)
        page.until(f"{shown} === '120'", "the changed speed", 30)
        self.loaded()
        page.call("Input.insertText", text="70")
        self.check(self.value(label, "sensitivity") == "70", f"70 is typed over what was selected, and the field has {self.value(label, 'sensitivity')}")
        page.evaluate("document.querySelector('main h1').focus(); 0")
        # The change is being read when the person begins to type.
        page.view("now")
        self.open("settings")
        page.evaluate("for (let slot = 0; slot < 4; slot += 1) navigator.locks.request(`parley-run-${slot}`, () => new Promise((done) => (window.held ??= []).push(done))); 0")
        page.until("window.held?.length === 4", "held commands")
        change(130)
        page.until(f"{self.card(label)}.getAttribute('aria-busy')", "a card that loads", 30)
        self.fill(label, "sensitivity", "60")
        page.evaluate("window.held.forEach((done) => done()); 0")
        page.until(f"{shown} === '130'", "the changed speed", 30)
        self.loaded()
        self.check(self.value(label, "sensitivity") == "60", "what was typed is lost")
        self.check(page.evaluate(f"[...{self.card(label)}.querySelectorAll('button')].map((b) => b.textContent).join()") == "Save,Try it", "a button is lost")
        self.unset("speed")

    def language(self):
        """Another theme is chosen, and the view comes back with it; what settings are is said in the language, too."""
        self.unset("theme")
        self.open("settings")
        self.choose("Language and colours", "theme", "dark")
        self.findings += self.page.problems()
        self.press("Language and colours", "Save")
        self.page.wait(lambda event: event.get("method") == "Page.loadEventFired")
        self.page.until("document.querySelector('main .settings')", "page after another theme", 30)
        self.loaded()
        self.check(self.page.evaluate(f"{self.card('Language and colours')}.querySelector('select').value") == "dark", "the theme is not stored")
        self.unset("theme")
        for language, is_english in (("en-XA", False), ("en", True)):
            self.page.evaluate(f"import('/api.js').then(({{run}}) => run(['settings', 'set', 'language', '{language}']))")
            self.findings += self.page.problems()
            self.page.call("Page.reload")
            self.page.wait(lambda event: event.get("method") == "Page.loadEventFired")
            self.page.until("document.querySelector('main .settings')", "page in another language", 30)
            self.loaded()
            self.check(("How easily listen wakes up" in self.page.text()) == is_english, f"the help of settings is of another language than {language}")
            said = self.page.evaluate("import('/api.js').then(({run}) => run(['data', 'export', '/'])).catch((error) => error.message)")
            self.check(bool(said) and said.isascii() == is_english, f"an error is of another language than {language}: {said}")
        self.unset("language")

    def talk(self):
        """A question by voice: its words while they are spoken, the answer, and the conversation, which typing goes on with."""
        page = self.page
        if not self.options.sound:
            return
        page.view("chat")
        page.evaluate("window.heard = []; new MutationObserver(() => window.heard.push(document.querySelector('.chat [role=status]')?.textContent))"
                      ".observe(document.body, {subtree: true, childList: true, characterData: true}); 0")
        page.click("button", "Speak")
        page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Stop listening' && !b.hidden)", "button that ends the question", 60)
        page.until("document.querySelector('.log .assistant')?.textContent.includes('Austin')", "answer", 60)
        page.until("document.querySelector('.log img.map')", "map", 60)
        self.check(page.evaluate("window.heard.some((text) => text?.includes('what'))"), "no words while they are spoken")
        page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Speak again' && !b.hidden)", "end of the answer", 60)
        page.click("button", "End the talk")
        page.until("location.hash.startsWith('#chat/') && !document.querySelector('.log[aria-busy]')", "end of the talk, in a conversation", 60)
        page.evaluate("document.querySelector('textarea').focus(); 0")
        page.type("And what about Ohio?")
        page.key("Enter")
        page.until("document.querySelectorAll('.log .assistant').length === 2 && document.querySelector('.log').textContent.includes('Columbus')", "answer in the same conversation", 60)
        page.view("now")
        page.until("!document.querySelector('.now .card')", "no program that talks", 60)

    def start(self):
        """Each step is tried and skipped; its state survives a reload."""
        page = self.page
        page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('step')).forEach((key) => sessionStorage.removeItem(key)); 0")
        self.open("start")
        self.axe("first steps")
        # Somebody goes elsewhere in the middle of a test.
        page.hold("path.includes('?from=')")
        self.press("1. Microphone", "Test the microphone")
        page.until("window.held.length", "test that goes on")
        page.view("now")
        page.release()
        page.settle()
        self.open("start")
        self.until_card("1. Microphone", "not tried yet")
        works = "✓ works" if self.options.sound else "✗ does not work"
        self.press("1. Microphone", "Test the microphone")
        self.until_card("1. Microphone", works, 60)
        self.press("2. Loudspeaker", "Test the loudspeaker")
        if self.options.sound:
            page.until("document.querySelector('dialog[open]')", "question", 60)
            self.dialog("Yes")
        self.until_card("2. Loudspeaker", works, 60)
        self.press("3. Voice", "Ask aloud")
        self.until_card("3. Voice", works, 120)
        if self.options.sound:
            self.until_card("3. Voice", "Heard:")
        self.press("4. Assistant", "Ask a question")
        page.until("document.querySelector('dialog[open]')?.textContent.includes('Austin')", "answer", 60)
        self.axe("first steps, question")
        self.dialog("Yes")
        self.until_card("4. Assistant", "✓ works")
        self.press("1. Microphone", "Skip")
        self.until_card("1. Microphone", "skipped")
        self.check(page.evaluate("document.activeElement.textContent").startswith("2."), "skipping does not go to the next step")
        self.axe("first steps, done")
        page.call("Page.reload")
        page.until("document.querySelector('main h1')?.textContent", "page after a reload")
        self.until_card("4. Assistant", "✓ works")

    def developer(self):
        """Log by level, network log as HAR, flags, cache, ledgers, last trace, support bundle."""
        page = self.page
        self.open("developer")
        self.axe("developer")
        self.until_card("Flags", "remoteEvaluation")
        self.choose("Log", "Level", "critical")
        self.until_card("Log", "Nothing was logged")
        page.evaluate("window.saved = null; window.make ??= URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return window.make(blob); }; 0")
        page.call("Browser.setDownloadBehavior", behavior="deny")
        if page.evaluate(f"{self.card('Network')}.innerText.includes('Save as HAR')"):
            self.press("Network", "Save as HAR")
            page.until("window.saved", "HAR")
            har = json.loads(page.evaluate("window.saved"))["log"]
            self.check(har["version"] == "1.2" and har["entries"][0]["request"]["method"], f"the HAR is {har}")
        self.fill("Kept answers", "Megabytes", "50")
        page.key("Enter")
        page.until(f"{self.card('Kept answers')}.querySelector('input').value === '50'", "limit")
        page.evaluate("import('/api.js').then(({run}) => run(['cache', 'limit', '--megabytes', '100']))")
        page.evaluate("import('/api.js').then(({run}) => run(['ask', 'What is the capital of Ohio?']))")
        self.until_card("Last trace", "whole answer")
        bars = page.evaluate(f"{self.card('Last trace')}.querySelectorAll('tbody rect').length")
        self.check(bars >= 2, f"the trace has {bars} bars")
        page.evaluate("window.saved = null; 0")
        self.press("Support bundle", "List the content")
        page.until("document.querySelector('dialog[open]')", "list of the bundle", 120)
        listed = page.evaluate("document.querySelector('dialog').innerText")
        self.check("doctor.json" in listed and "log.jsonl" in listed and not page.evaluate("window.saved"), f"the list is {listed}")
        self.axe("developer, the bundle's list")
        self.dialog("Save")
        page.until("window.saved", "bundle")
        self.check(page.evaluate("window.saved.startsWith('PK') && window.saved.includes('parley-diagnostics/doctor.json')"), "the bundle is no archive of that list")

    def faults(self):
        """The network of all programs is switched off, broken, and on again; a flag is overridden. Needs a model that says "Answer.", and
        a `parley talk` and a `parley listen` that have asked it."""
        page = self.page
        self.open("developer")
        for program in ("talk", "listen"):
            self.until_card("Network", program)

        def ask():
            return page.evaluate("import('/api.js').then(({run}) => run(['ask', '--no-history', 'Say hello.']))"
                                 ".then((got) => got.out[0].answer, (error) => `failed: ${error.message}`)")

        def network(state):
            self.choose("Network", "State", state)
            page.evaluate(f"(async () => {{ const {{ get }} = await import('/api.js'); while ((await get('/api/developer')).network !== '{state}'); }})()")

        for state in ("offline", "failing"):
            network(state)
            answer = ask()
            self.figures[state] = answer
            self.check(answer.startswith("failed:"), f"{state}, and yet: {answer}")
        self.check("503" in page.evaluate(f"{self.card('Network')}.innerText"), "a failing server is not in the network log")
        network("normal")
        self.check(ask() == "Answer.", "the network is on again, and there is no answer")
        self.until_card("Network", "ask")
        flag = f"[...{self.card('Flags')}.querySelectorAll('tbody tr')].find((row) => row.innerText.includes('evaluationTimeLimit'))"
        for value, name, origin in (("7", "Save", "page"), ("x", "Save", "page"), ("7", "Remove", "default")):
            page.until(f"{flag}", "flag")
            page.evaluate(f"{{ const row = {flag}; row.querySelector('input').value = '{value}'; [...row.querySelectorAll('button')].find((b) => b.textContent === '{name}').click(); }}")
            if value == "x":
                page.until("document.getElementById('alert').textContent.includes('evaluationTimeLimit')", "refusal of another type")
                # The refused request is on the console.
                page.problems()
                continue
            page.until(f"{flag}.innerText.includes('{origin}') && {flag}.querySelector('input').value === '{value if origin == 'page' else '30'}'", f"flag of {origin}")
        self.axe("developer, with requests")

    def failure(self):
        """Without the program each card says so and offers to try again, and then goes on."""
        page = self.page
        page.call("Network.setBlockedURLs", urls=["*/api/run"])
        try:
            for name in ("practice", "dashboard", "settings"):
                self.open(name)
                failed = page.evaluate("[...document.querySelectorAll('.card:has(.stack > .failure)')].length")
                self.check(failed >= 3, f"{name}: only {failed} cards say that the program does not answer")
                self.axe(f"{name} without the program")
        finally:
            page.call("Network.setBlockedURLs", urls=[])
        title = page.evaluate("document.querySelector('.card:has(.stack > .failure) h2').textContent")
        self.press(title, "Try again")
        page.until(f"!{self.card(title)}.querySelector('.failure')", "card after another try", 30)
        # The blocked requests are on the console.
        page.problems()

    def looks(self):
        """Nothing sticks out at 320 px and 200%, left to right and right to left, everything unfolded."""
        page = self.page
        for name in ("practice", "dashboard", "settings", "start", "developer"):
            if not page.evaluate(f"Boolean(document.querySelector('nav a[href=\"#{name}\"]'))"):
                continue
            self.open(name)
            for look, how in {"narrow": {"width": 320}, "narrow, right to left": {"width": 320, "direction": "rtl"}, "zoom": {"zoom": 2},
                              "dark": {"scheme": "dark"}, "contrast": {"contrast": "more"}, "forced": {"forced": "active"}}.items():
                page.look(**how)
                page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; }); new Promise((done) => setTimeout(done, 60))")
                self.axe(f"{name}, {look}")
                self.findings += [f"{name}, {look}: {line}" for line in page.overflow()]
            page.look()


SCENARIOS = ["practice", "catalogue", "dashboard", "redraw", "listening", "settings", "typing", "language", "start", "talk", "developer", "faults", "failure", "looks"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("address")
    parser.add_argument("scenarios", nargs="+", choices=[*SCENARIOS, "all"])
    parser.add_argument("--axe", help="axe.min.js")
    parser.add_argument("--cues", type=int, help="so many cues are at the server, those of the topic clubs at the end", default=250)
    parser.add_argument("--removed", help="a cue that the server has removed")
    parser.add_argument("--old", action="store_true", help="the server cannot be reached")
    parser.add_argument("--sound", action="store_true", help="there is a microphone that hears a question, and a loudspeaker")
    run(Views, SCENARIOS, parser.parse_args())


if __name__ == "__main__":
    main()

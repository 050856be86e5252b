# SPDX-License-Identifier: MIT
"""Proves on a small tree that Scripts/l10n finds what it should, and nothing else."""

import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = r'''// SPDX-License-Identifier: MIT
import Localization

// Translators: the button under a recording
let a = tr("Delete {name}", ["name": .text("a \(x ? "y" : "z") tr(")])
let b = trn(
    "{count} new message in {place}", "{count} new messages in {place}", count: messages.count,
    ["place": .message(trc("place", "Inbox"))])  // tr("no")
/* tr("no") /* nested */ it's */
let c = [tr("It's \"done\"\n"), trcn("file", "{count} line", "{count} lines", count: 3), Localization.tr("Cancel"), tr("Open")]
let d = """
    tr(no) \(x) it's
    """ + #"a "raw" one"#
'''
GERMAN = r'''msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=n != 1;\n"

msgid "Delete {name}"
msgstr "{name} löschen"

msgid "{count} new message in {place}"
msgid_plural "{count} new messages in {place}"
msgstr[0] "eine neue Nachricht in {place}"
msgstr[1] "{count} neue Nachrichten in {place}"

msgctxt "place"
msgid "Inbox"
msgstr "Eingang"

msgid "It's \"done\"\n"
msgstr "„Fertig“\n"

msgid "Cancel"
msgstr "Abbrechen"

msgid "Open"
msgstr "Öffnen"

msgctxt "file"
msgid "{count} line"
msgid_plural "{count} lines"
msgstr[0] "{count} Zeile"
msgstr[1] "{count} Zeilen"
'''
UNFLAGGED = 'msgid "Delete {name}"\nmsgstr "'
FLAGGED = "#, python-brace-format\n" + UNFLAGGED
SENTENCES = r'''// SPDX-License-Identifier: MIT
import Domain

let missing: Sentence = "There is no {name}." // it's "no" text
func say(_ path: String, _ n: Int) throws {
    guard n > 0 else { throw DomainError.file("\(path.printable) cannot be " + "read: \(reason("x")).") }
    console.warn(Sentence(one: "\(n) file waits.", other: "\(n) files wait.", count: n))
    console.progress(n > 1 ? "Several wait." : "One waits.", .muted)
    logger.debug("nobody translates this")
    console.confirms(of: "all of \(n)" as Sentence, with: "no text")
}
var advice: Sentence {
    switch self {
    case .a: names.joined(separator: " and ").isEmpty ? "Try again." : "\(missing) Wait."
    }
}
'''
# The texts of these sentences, by the order of the file.
PATTERNS = [
    ("There is no {{name}}.", None), ("{a} cannot be read: {b}.", None), ("{a} file waits.", "{a} files wait."), ("Several wait.", None),
    ("One waits.", None), ("all of {a}", None), ("Try again.", None), ("{a} Wait.", None),
]
# What is changed in the catalogue, and what must be said then.
CATALOGUE = [
    ("{name} löschen", "löschen", "'name' doesn't exist in 'msgstr'"),
    ("{name} löschen", "{name} {ort} löschen", "'ort' doesn't exist in 'msgid'"),
    ("{name} löschen", "{name löschen", "not a valid Python brace format"),
    # The same without the flag, on which msgfmt depends.
    (FLAGGED + "{name} löschen", UNFLAGGED + "löschen", "lacks {name}"),
    (FLAGGED + "{name} löschen", UNFLAGGED + "{name} {ort} löschen", "invents {ort}"),
    ("{name} löschen", "{name} } löschen", "single brace"),
    ("{name} löschen", "{name} löschen ", "other spaces"),
    ("{name} löschen", "\u202e{name} löschen", "directional character"),
    ("„Fertig“\\n", "„Fertig“", "'msgstr' entries do not both end"),
    ("Eingang", "", "lacks \"Inbox\""),
    ("eine neue Nachricht in {place}", "eine neue Nachricht", "lacks {place}"),
    ("msgctxt \"place\"", "#, fuzzy\nmsgctxt \"place\"", "marked fuzzy"),
    ("msgctxt \"place\"", "msgctxt \"places\"", "which is in no source"),
    ("Language: de", "Language: es", "Language is not de"),
    ("charset=UTF-8", "charset=ISO-8859-1", "not in UTF-8"),
    ("plural=n != 1;", "plural=n >;", "invalid plural expression"),
    ("plural=n != 1;", "plural=n != 5000;", "no number takes plural form 0"),
    ("plural=n != 1;", "plural=n;", "produce values as large as"),
    ("msgstr[1] \"{count} Zeilen\"\n", "", "only one plural form"),
    ("msgid \"Delete {name}\"", "msgid \"Delete {name}", "end-of-line within string"),
    (FLAGGED, UNFLAGGED, None),
]
# The same of the source.
SWIFT = [
    ('tr("Delete {name}"', 'tr("Delete\\u{A0}{name}"', "has \\u{…}"),
    ('tr("Delete {name}"', 'tr("""\n    Delete {name}\n    """', "has several lines"),
    ('tr("Delete {name}"', 'tr(#"Delete {name}"#', "is a raw string"),
    ('tr("Delete {name}"', 'tr("Delete \\(name)"', "has an interpolation"),
    ('tr("Delete {name}"', 'tr("Delete " + "{name}"', "is put together"),
    ('"{count} lines"', "lines", "is not a literal"),
    ('tr("Delete {name}"', 'tr("Remove {name}"', "run Scripts/l10n extract"),
    ("import Localization", "import Domain", "run Scripts/l10n extract"),
    ('#"a "raw" one"#', '#"tr("no") "tr("no") "#', "finds a text that is none"),
    ("it's */", 'tr("no") */', "finds a text that is none"),
    ("\\(x)", '\\(shown(tr("Open")))', "is in an interpolation"),
    ('x ? "y" : "z"', 'x ? "\\"" : "z"', "l10n: "),
]


def check_equal_forms(root, german, l10n, expect):
    """A language with six forms must not say the same in all of them, unless it says why."""
    rule = "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"
    arabic, whole = root / "l10n/ar.po", german.replace("Language: de", "Language: ar").replace("nplurals=2; plural=n != 1;", rule)
    forms = re.compile(r"msgstr\[0\] (.*)\nmsgstr\[1\] (.*)")
    many = "\n".join([r"msgstr[0] \1"] + [rf"msgstr[{form}] \2" for form in range(1, 6)])
    arabic.write_text(forms.sub(many, whole), encoding="utf-8")
    expect(l10n(root, "check") == (0, ""), f"six forms do not pass: {l10n(root, 'check')[1]}")
    equal = forms.sub("\n".join(rf"msgstr[{form}] \2" for form in range(6)), whole)
    arabic.write_text(equal, encoding="utf-8")
    expect(l10n(root, "check")[1].count("has the same form for all numbers") == 2, "six equal forms pass")
    arabic.write_text(re.sub(r'((?:msgctxt .*\n)?msgid .*\nmsgid_plural)', r"# Equal forms: a loanword\n\1", equal), encoding="utf-8")
    expect(l10n(root, "check") == (0, ""), f"equal forms with a reason do not pass: {l10n(root, 'check')[1]}")
    arabic.unlink()


def run(program):
    failures = []

    def l10n(root, *arguments):
        done = subprocess.run([sys.executable, program, *arguments, "--root", root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def expect(condition, what):
        if not condition:
            failures.append(what)

    with tempfile.TemporaryDirectory(prefix="parley-l10n.") as scratch:
        root = pathlib.Path(scratch)
        swift, german = root / "Apps/x/A.swift", root / "l10n/de.po"
        swift.parent.mkdir(parents=True)
        expect(l10n(root, "check") == (0, ""), "a tree without a text does not pass")
        swift.write_text(SOURCE, encoding="utf-8")
        expect(l10n(root, "check")[0] == 1, "a tree without a template passes")
        code, output = l10n(root, "extract")
        expect((code, output) == (0, "l10n: parley has 7 texts, 0 languages\n"), f"extract does not find seven texts: {output}")
        if failures:
            return report(failures)
        template = (root / "l10n/parley.pot").read_text(encoding="utf-8")
        expect("Translators: the button" in template and template.count("python-brace-format") == 3, "the template lacks something")
        german.write_text(GERMAN, encoding="utf-8")
        expect(l10n(root, "check") == (0, ""), f"a whole catalogue does not pass: {l10n(root, 'check')[1]}")
        expect(l10n(root, "extract")[0] == 0 and l10n(root, "check") == (0, ""), "what extract merges does not pass")
        merged = german.read_text(encoding="utf-8")
        for old, new, said in CATALOGUE:
            expect(old in merged, f"the merged catalogue has no {old}")
            german.write_text(merged.replace(old, new, 1), encoding="utf-8")
            code, output = l10n(root, "check")
            expect(code == (0 if said is None else 1) and (said or "") in output, f"{old} -> {new}: {code} {output}")
        german.write_text(merged, encoding="utf-8")
        check_equal_forms(root, merged, l10n, expect)
        for old, new, said in SWIFT:
            expect(old in SOURCE, f"the source has no {old}")
            swift.write_text(SOURCE.replace(old, new, 1), encoding="utf-8")
            code, output = l10n(root, "check")
            expect(code == 1 and said in output, f"{old} -> {new}: {code} {output}")
        swift.write_text(SOURCE.replace("Delete {name}", "Remove {name}"), encoding="utf-8")
        expect(l10n(root, "stats")[1].splitlines()[-1].split() == ["parley", "de", "6", "0", "1", "2", "2"], "stats does not count")
        swift.write_text(SOURCE, encoding="utf-8")
        # The texts of help, which may show JSON.
        table = root / "l10n/help.pot"
        table.write_text(r'msgid ""' + "\n" + r'msgstr "Content-Type: text/plain; charset=UTF-8\n"' + "\n\n"
                         + r'msgid "Type {\"a\": 1}"' + "\nmsgstr \"\"\n", encoding="utf-8")
        expect("run Scripts/l10n extract" in l10n(root, "check")[1], "a new text of help passes")
        l10n(root, "extract")
        expect("lacks \"Type {" in l10n(root, "check")[1], "help without a translation passes")
        whole = german.read_text(encoding="utf-8").replace(r'msgid "Type {\"a\": 1}"' + "\nmsgstr \"\"",
                                                           r'msgid "Type {\"a\": 1}"' + "\n" + r'msgstr "Tippe {\"a\": 1}"')
        german.write_text(whole, encoding="utf-8")
        expect(l10n(root, "check") == (0, ""), f"help with a translation does not pass: {l10n(root, 'check')[1]}")
        expect("msgstr \"[Ðéļéţé {name} one t]\"" in l10n(root, "pseudo", "en-XA")[1], "pseudo makes no accents")
        expect(l10n(root, "pseudo", "de")[0] == 1 and l10n(root, "pseudo")[0] == 2, "pseudo takes any language")
        l10n(root, "build", scratch + "/out")
        expect((root / "out/de/LC_MESSAGES/parley.mo").exists(), "build makes nothing")
        # The texts of the page; one that is in the sources, too, is one text.
        page = root / "Apps/parley/Web/Page/texts.json"
        page.parent.mkdir(parents=True)
        page.write_text('["Cancel", "Show {count}"]', encoding="utf-8")
        l10n(root, "extract")
        expect('lacks "Show {count}"' in l10n(root, "check")[1], "a text of the page without a translation passes")
        template = (root / "l10n/parley.pot").read_text(encoding="utf-8")
        expect(template.count('msgid "Cancel"') == 1 and "#: Apps/parley/Web/Page/texts.json" in template, "the page's texts are not in the template")
        page.unlink()
        german.write_text(whole, encoding="utf-8")
        l10n(root, "extract")
        # Sentences, and literals of the app that should be some.
        from l10n_parts import sentences
        one = root / "Apps/parley/B.swift"
        one.parent.mkdir(exist_ok=True)
        one.write_text(SENTENCES, encoding="utf-8")
        found = [(message.text, message.plural) for message in sentences.messages(root)]
        expect(found == PATTERNS, f"the sentences are {found}")
        expect("#. {a}: path.printable" in sentences.messages(root)[1].comments, "a sentence lacks the expressions of its values")
        expect("lacks \"Several wait.\"" in l10n(root, "check")[1], "a sentence without a translation passes")
        one.write_text('let a = show("Nobody sees this text.")\n', encoding="utf-8")
        expect("Apps/parley/B.swift:1: \"Nobody sees this text.\" is shown" in l10n(root, "check")[1], "a loose text passes")
        listed = root / "l10n/untranslated.txt"
        listed.write_text("1 Apps/parley/B.swift\n", encoding="utf-8")
        expect(l10n(root, "check") == (0, ""), f"a listed text does not pass: {l10n(root, 'check')[1]}")
        one.write_text('import Domain\nlet a = f("stands here")\n' + SENTENCES.partition("Domain\n")[2], encoding="utf-8")
        known = {text for message in sentences.messages(root) for text in (message.text, message.plural)}
        lost = list(sentences.lost(root, known, ["stands here", "{a} files wait.", "stands nowhere", "stands here"]))
        expect(lost == ['Apps/parley/B.swift:2: "stands here" has a translation, but is no Sentence any more; make it one'],
               f"an obsolete text that stands in a source is found as {lost}")
        german.write_text(whole + '\n#~ msgid "stands here"\n#~ msgstr "steht hier"\n', encoding="utf-8")
        expect('"stands here" has a translation' in l10n(root, "check")[1], "an obsolete text that stands in a source passes")
        german.write_text(whole, encoding="utf-8")
        one.write_text("", encoding="utf-8")
        expect("has 0 texts without a translation now, not 1" in l10n(root, "check")[1], "a list that is too long passes")
        listed.unlink()
        # The domain of the server, which has its own texts and needs each language.
        server = root / "Packages/ParleyServer/Sources/A.swift"
        server.parent.mkdir(parents=True)
        server.write_text('import Localization\nlet a = tr("Signed in")\n', encoding="utf-8")
        german.write_text(whole, encoding="utf-8")
        expect("l10n/parley-server.pot: is not" in l10n(root, "check")[1], "a tree without the server's template passes")
        expect("parley-server has 1 texts" in l10n(root, "extract")[1], "extract does not find the server's text")
        expect("l10n/parley-server/de.po: is missing" in l10n(root, "check")[1], "a language that the server lacks passes")
        other = root / "l10n/parley-server/de.po"
        other.parent.mkdir()
        other.write_text(GERMAN[:GERMAN.index("\n\n")] + '\n\nmsgid "Signed in"\nmsgstr "Angemeldet"\n', encoding="utf-8")
        expect(l10n(root, "check") == (0, ""), f"two whole domains do not pass: {l10n(root, 'check')[1]}")
        text = other.read_text(encoding="utf-8")
        other.write_text(text.replace("nplurals=2; plural=n != 1;", "nplurals=1; plural=0;"), encoding="utf-8")
        expect("has 1 plural forms, but its language has 2" in l10n(root, "check")[1], "a wrong number of plural forms passes")
        other.write_text(text, encoding="utf-8")
        l10n(root, "build", scratch + "/one", "--domain", "parley-server")
        built = [path.name for path in (root / "one").glob("*/LC_MESSAGES/*")]
        expect(built == ["parley-server.mo"], f"build makes another domain: {built}")
    return report(failures)


def report(failures):
    for failure in failures:
        print(f"l10n --self-test: {failure}", file=sys.stderr)
    return 1 if failures else 0

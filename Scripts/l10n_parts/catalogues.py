# SPDX-License-Identifier: MIT
"""Catalogues of gettext (.po, .pot): reading, writing, findings, and the pseudo-languages."""

import dataclasses
import gettext
import re
import subprocess

HEADER = """# The translatable texts. Written by Scripts/l10n extract.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=n != 1;\\n"
"""
QUOTES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
UNQUOTES = {quoted[1]: plain for plain, quoted in QUOTES.items()}
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]")
# The number of plural forms of a language's whole numbers (CLDR's plural rules).
PLURAL_FORMS = {"ar": 6, "cs": 3, "de": 2, "en": 2, "es": 2, "fr": 2, "it": 2, "ja": 1, "ko": 1, "nl": 2, "pl": 3, "pt": 2, "ru": 3,
                "tr": 2, "uk": 3, "zh": 1}
# Embeddings, overrides and isolates, which Localization sets where they are needed, and control characters.
FORBIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x09\x0b-\x1f\x7f]")


class Failure(Exception):
    pass


@dataclasses.dataclass
class Message:
    """One message; `forms` are the translations, one without a plural."""

    context: str | None = None
    text: str = ""
    plural: str | None = None
    forms: list[str] = dataclasses.field(default_factory=list)
    comments: list[str] = dataclasses.field(default_factory=list)
    flags: set[str] = dataclasses.field(default_factory=set)

    @property
    def key(self):
        return (self.context, self.text)

    @property
    def is_translated(self):
        return bool(self.forms) and all(self.forms)


def read(path, obsolete=False):
    """The messages of a file without its header, or its obsolete ones. Damage is msgfmt's to find."""
    try:
        # msgattrib brings every file into one form: UTF-8, a text a line.
        kind = "--only-obsolete" if obsolete else "--no-obsolete"
        run = subprocess.run(["msgattrib", kind, "--no-wrap", path], capture_output=True, check=False)
        text = re.sub("^#~ ?", "", run.stdout.decode("utf-8"), flags=re.MULTILINE)
    except UnicodeDecodeError as error:
        raise Failure(f"{path.name} is not in UTF-8") from error
    if run.returncode != 0:
        raise Failure(f"{path.name} cannot be read: {run.stderr.decode(errors='replace').strip()}")
    found, message, take = [], Message(), None
    for line in [*text.splitlines(), ""]:
        if not line.strip():
            if message.text or message.context is not None:
                found.append(message)
            message, take = Message(), None
        elif line.startswith("#,"):
            message.flags |= {flag.strip() for flag in line[2:].split(",")}
        elif line.startswith(("#", "|")):
            if not line.startswith(("#|", "|")):
                message.comments.append(line)
        else:
            word, quoted = re.match(r'([a-z_]*)(?:\[\d+\])?\s*"(.*)"$', line).groups()
            value = re.sub(r"\\(.)", lambda match: UNQUOTES.get(match[1], match[1]), quoted)
            take = word or take
            if take == "msgctxt":
                message.context = (message.context or "") + value
            elif take == "msgid":
                message.text += value
            elif take == "msgid_plural":
                message.plural = (message.plural or "") + value
            elif word:
                message.forms.append(value)
            else:
                message.forms[-1] += value
    return found


def write(target, messages, translate=None):
    """Writes a template, or a catalogue with what `translate` makes of each English text."""
    lines = [HEADER]
    for message in messages:
        lines += message.comments
        if placeholders(message.text) or placeholders(message.plural or ""):
            lines.append("#, python-brace-format")
        if message.context is not None:
            lines.append(f"msgctxt {quoted(message.context)}")
        lines.append(f"msgid {quoted(message.text)}")
        translated = translate or (lambda text: "")
        if message.plural is None:
            lines += [f"msgstr {quoted(translated(message.text))}", ""]
        else:
            lines += [f"msgid_plural {quoted(message.plural)}", f"msgstr[0] {quoted(translated(message.text))}",
                      f"msgstr[1] {quoted(translated(message.plural))}", ""]
    text = "\n".join(lines)
    if hasattr(target, "write_text"):
        target.write_text(text, encoding="utf-8")
    else:
        target.write(text)


def quoted(text):
    return '"' + "".join(QUOTES.get(character, character) for character in text) + '"'


def placeholders(text):
    return {match[1] for match in PLACEHOLDER.finditer(text) if match[1]}


def findings(path, wanted):
    """What is wrong with a catalogue of the texts `wanted`."""
    run = subprocess.run(
        ["msgfmt", "--check", "-o", "/dev/null", path], capture_output=True, text=True, errors="replace", check=False)
    if run.returncode != 0:
        lines = [line for line in run.stderr.splitlines() if "warning:" not in line and not line.startswith("msgfmt: found")]
        yield from (line.removeprefix(f"{path}:") for line in lines or ["msgfmt fails"])
        return
    try:
        found = {message.key: message for message in read(path)}
    except Failure as failure:
        yield str(failure)
        return
    header = subprocess.run(["msgattrib", "--no-wrap", path], capture_output=True, text=True, check=True).stdout
    if not re.search(r"charset=UTF-8\b", header, re.IGNORECASE):
        yield "is not in UTF-8"
    if not re.search(rf'^"Language: {re.escape(path.stem)}\\n"$', header, re.MULTILINE):
        yield f"the field Language is not {path.stem}"
    yield from plural_findings(path.stem, header)
    for message in wanted:
        translation = found.pop(message.key, None)
        if translation is None or not translation.is_translated:
            yield f"lacks \"{message.text}\""
        elif "fuzzy" in translation.flags:
            yield f"\"{message.text}\" is marked fuzzy"
        else:
            yield from form_findings(message, translation)
    yield from (f"has \"{text}\", which is in no source; run Scripts/l10n extract" for _, text in found)


def plural_findings(language, header):
    """What is wrong with the rule of plural forms: their number is the language's, and each is chosen by some number. That a text has as
    many forms as the rule says is msgfmt's to find."""
    count, rule = re.search(r"nplurals=(\d+);\s*plural=([^;]+);", header).groups()
    wanted = PLURAL_FORMS.get(re.split("[_@]", language)[0])
    if wanted is None:
        yield "is of a language whose number of plural forms is not in PLURAL_FORMS of Scripts/l10n_parts/catalogues.py"
    elif int(count) != wanted:
        yield f"has {count} plural forms, but its language has {wanted}"
    chosen = {gettext.c2py(rule)(number) for number in range(1001)}
    yield from (f"no number takes plural form {form}" for form in sorted(set(range(int(count))) - chosen))


def form_findings(message, translation):
    if (message.plural is None) != (translation.plural is None):
        yield f"\"{message.text}\" has a plural in one of source and catalogue; run Scripts/l10n extract"
        return
    names = placeholders(message.text) | placeholders(message.plural or "")
    if len(translation.forms) > 2 and len(set(translation.forms)) == 1 and not any(
            comment.startswith("# Equal forms: ") for comment in translation.comments):
        yield (f"\"{message.text}\" has the same form for all numbers; write the language's own forms, or the reason in a comment "
               "\"# Equal forms: \" above it")
    # A form for one number may spell it out.
    needed = names - ({"count"} if message.plural is not None else set())
    for form in translation.forms:
        what = f"\"{form}\" for \"{message.text}\""
        for name in sorted(placeholders(form) - names):
            yield f"{what} invents {{{name}}}"
        for name in sorted(needed - placeholders(form)):
            yield f"{what} lacks {{{name}}}"
        # A text of a table, which has no placeholders, may show JSON.
        if any(match[0] in "{}" for match in PLACEHOLDER.finditer(form)) and not re.search(r"[{}]", PLACEHOLDER.sub(
                lambda match: "" if match[1] or len(match[0]) == 2 else match[0], message.text)):
            yield f"{what} has a single brace"
        if FORBIDDEN.search(form):
            yield f"{what} has a control or directional character"
        for edge in (r"^\s*", r"\s*$"):
            if re.search(edge, form)[0] != re.search(edge, message.text)[0]:
                yield f"{what} begins or ends with other spaces or lines"
                break


def pseudo(repository, tag):
    """The function that makes a pseudo-language of an English text, with the letters of Localization's Pseudolanguage."""
    if tag not in ("en-XA", "en-XB"):
        raise Failure(f"{tag} is no pseudo-language; there are en-XA and en-XB")
    swift = (repository / "Packages/Localization/Sources/Localization/Texts/Pseudolanguage.swift").read_text(encoding="utf-8")
    values = dict(re.findall(r'static let (\w+) = (?:Array\()?\s*"([^"]*)"', swift))
    accents = str.maketrans(values["letters"], values["accents"])

    def mirrored(text):
        return re.sub(r"[^\W\d_]+", lambda word: f"\u200f\u202e{word[0]}\u202c\u200f", text)

    def changed(whole):
        # Spaces and lines at the edges stay there.
        before, text, behind = re.match(r"(\s*)(.*?)(\s*)$", whole, re.DOTALL).groups()
        result, end, count = "", 0, 0
        for match in PLACEHOLDER.finditer(text):
            part = text[end:match.start()]
            result += part.translate(accents) if tag == "en-XA" else mirrored(part)
            # A brace is counted once, a placeholder by its name.
            result += match[0] * 2 if match[0] in "{}" else match[0]
            count += len(part) + len(match[1] or "x")
            end = match.end()
        part = text[end:]
        result += part.translate(accents) if tag == "en-XA" else mirrored(part)
        count += len(part)
        padding = values["padding"] * (count // len(values["padding"]) + 1)
        if tag == "en-XA" and text:
            result = f"[{result} {padding[:(count * 2 + 4) // 5]}]"
        return before + result + behind

    return changed

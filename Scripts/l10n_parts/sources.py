# SPDX-License-Identifier: MIT
"""The translatable texts in Swift sources: xgettext extracts them, and a reader of our own checks that it found what is there."""

import json
import pathlib
import re
import subprocess
import tempfile

from .catalogues import Failure, Message, read

# The literals at the start of each call's arguments.
CALLS = {"tr": ["text"], "trc": ["context", "text"], "trn": ["text", "plural"], "trcn": ["context", "text", "plural"]}
KEYWORDS = ["-k", "-ktr:1", "-ktrc:1c,2", "-ktrn:1,2", "-ktrcn:1c,2,3"]
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r", "0": "\0"}
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*)|(?P<string>#*"""|#*")|(?<!\w)(?P<call>trcn|trc|trn|tr)\((?=\s*[#"])', re.DOTALL)


PAGE_TEXTS = "Apps/parley/Web/Page/texts.json"
SERVER = ("Apps/parley-server/", "Packages/ParleyServer/")


def files(root, domain):
    """The sources of a domain; of both without one."""
    found = [*root.glob("Apps/**/*.swift"), *root.glob("Packages/*/Sources/**/*.swift")]
    return sorted(path for path in found
                  if domain in (None, "parley-server" if str(path.relative_to(root)).startswith(SERVER) else "parley")
                  and re.search(r"^(@?\w+ )?import Localization$", path.read_text(encoding="utf-8"), re.MULTILINE))


def messages(root, domain=None):
    """The texts of all sources in the order of xgettext; Failure with a line for each that cannot be extracted."""
    paths, expected, problems = files(root, domain), set(), []
    for path in paths:
        for line, call, literals, problem in calls(path.read_text(encoding="utf-8")):
            if problem:
                problems.append(f"{path.relative_to(root)}:{line}: the text of {call}() {problem}")
            else:
                named = dict(zip(CALLS[call], literals))
                expected.add((named.get("context"), named["text"], named.get("plural")))
    if problems:
        raise Failure("\n".join(problems))
    found = extracted(root, paths)
    keys = {(message.context, message.text, message.plural) for message in found}
    # xgettext joins a text without and one with the same plural.
    missing = [key for key in expected if key not in keys and not any(key[:2] == other[:2] for other in keys if key[2] is None)]
    for _, text, _ in sorted(missing, key=str):
        problems.append(f"xgettext does not find the text \"{text}\"; write its call more simply")
    for context, text, plural in keys - expected:
        problems.append(f"xgettext finds a text that is none: \"{text}\"")
    if problems:
        raise Failure("\n".join(problems))
    return found


def page(root):
    """The texts of the page, which Scripts/page-texts has listed."""
    path = root / PAGE_TEXTS
    if not path.exists():
        return []
    return [Message(text=text, comments=[f"#: {PAGE_TEXTS}"]) for text in json.loads(path.read_text(encoding="utf-8"))]


def extracted(root, paths):
    if not paths:
        return []
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "texts.pot"
        # There is no parser of Swift; the one of Vala reads its strings and comments alike.
        run = subprocess.run(
            ["xgettext", "--language=Vala", "--from-code=UTF-8", "--add-comments=Translators", "--add-location=file", "--no-wrap",
             "--sort-by-file", "--force-po", "-o", output, *KEYWORDS, *(path.relative_to(root) for path in paths)],
            cwd=root, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise Failure(f"xgettext fails: {run.stderr}")
        return read(output)


def calls(text):
    """(line, name, literals, problem) of each call of ours that begins with a literal, outside of comments and strings."""
    position = 0
    while token := TOKEN.search(text, position):
        position = token.end()
        if token["comment"] == "/*":
            position = block_comment_end(text, token.start())
        elif token["string"]:
            inner = []
            position, _, _ = literal(text, token.start(), inner)
            for start, end in inner:
                for call in TOKEN.finditer(text, start, end):
                    if call["call"]:
                        yield (text.count("\n", 0, call.start()) + 1, call["call"], [],
                               "is in an interpolation, where xgettext does not see it; take it out")
        elif token["call"]:
            line = text.count("\n", 0, token.start()) + 1
            position, literals, problem = arguments(text, position, len(CALLS[token["call"]]))
            yield line, token["call"], literals, problem


def block_comment_end(text, position):
    """Swift's block comments nest."""
    depth = 0
    while mark := re.compile(r"/\*|\*/").search(text, position):
        depth += 1 if mark[0] == "/*" else -1
        position = mark.end()
        if depth == 0:
            return position
    return len(text)


def arguments(text, position, count):
    """Reads literals that commas separate: the position behind them, their values, and what is wrong with the first bad one."""
    literals = []
    for index in range(count):
        position = re.compile(r"\s*").match(text, position).end()
        if text[position:position + 1] not in ('"', "#"):
            return position, literals, "is not a literal"
        position, value, problem = literal(text, position)
        if problem:
            return position, literals, problem
        literals.append(value)
        behind = re.compile(r"\s*([,)]?)").match(text, position)
        if not behind[1]:
            return position, literals, "is put together; write it as one literal"
        if index + 1 < count:
            position = behind.end()
    return position, literals, None


def literal(text, start, inner=None):
    """The position behind a string, its value, and what a translatable text may not have. Adds its interpolations to `inner`."""
    mark = re.compile(r'(#*)("""|")').match(text, start)
    hashes, quotes, problem, value = mark[1], mark[2], None, ""
    if quotes == '"""':
        problem = "has several lines, which xgettext loses; write it in one with \\n"
    elif hashes:
        problem = "is a raw string, which xgettext cannot read"
    position, end, escape = mark.end(), quotes + hashes, "\\" + hashes
    while position < len(text) and not text.startswith(end, position):
        if not text.startswith(escape, position):
            value += text[position]
            position += 1
            continue
        position += len(escape)
        character = text[position:position + 1]
        position += 1
        if character == "(":
            problem = problem or "has an interpolation; use a {placeholder}"
            begin, position = position, interpolation_end(text, position)
            if inner is not None:
                inner.append((begin, position))
        elif character == "u":
            problem = problem or "has \\u{…}, which xgettext does not read; write the character itself"
        else:
            value += ESCAPES.get(character, character)
    return position + len(end), value, problem


def interpolation_end(text, position):
    depth = 1
    while depth and position < len(text):
        if re.compile(r'#*"').match(text, position):
            position, _, _ = literal(text, position)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position

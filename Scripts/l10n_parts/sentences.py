# SPDX-License-Identifier: MIT
"""The texts of Domain's type Sentence in Swift sources: string literals whose pattern, with {a}, {b} … for the interpolated values, is
the key of their translations.

A literal is one of these if it is the first argument of a call in CALLS, any of one in WHOLE, or stands in a declaration of the type: in its initial value,
in the body of a property or of a function. A test finds sentences in presentation that stand elsewhere (ArchitectureTests)."""

import re

from .catalogues import Failure, Message

CASES = ["generationFailed", "device", "file", "speechEngine", "storage", "damaged", "invalidInput", "notFound", "offline", "overLimit",
         "server", "unknown", "mistake"]
CALLS = r"(?<![\w.])(?:wrong|Sentence|say|stored)|\bconsole\.tell|\bAuthError\.own|\.passphrase|\bscreen\.say|\b(?:QuestionNotKept|PageRefusal)|(?:\.|\b)(?:progress|warn|UsageError|error|translator)|\bconsole\.text|\.(?:" + "|".join(CASES) + ")"
# Calls whose literals all are sentences.
WHOLE = "Finding|finding|WordQuestion|PrivacySection"
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*)|(?P<string>#*"""|#*")'
    r"|(?P<type>(?:: |-> )(?:\(Sentence, )?\[?Sentence\??[\])]?(?= [={]|\s+=))"
    r'|(?P<label>\b(?:remedy|elsewhere|question):\s+(?="))'
    rf"|(?P<whole>(?<![\w.])(?:{WHOLE})\()"
    rf"|(?P<call>(?:{CALLS})\((?!verbatim:|translating:|english:|text:))")
AS_SENTENCE = re.compile(r"\s+as Sentence\b")
PLURAL = re.compile(r"(?<!\w)Sentence\(\s*one:")
# Words that begin with a capital, a value or an option, and end as a sentence does.
SENTENCE = re.compile(r"\s*(?:[A-Z{]|--)(?=.*[A-Za-z]{2,} [a-z]).*[.?!…:]\s*$", re.DOTALL)
LETTER = re.compile(r"[^\W\d_]")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r", "0": "\0"}


def files(root):
    """Sources that may make a sentence: the apps' and packages' that import Domain, and Domain itself; not the server's, whose
    errors are English."""
    found = [*root.glob("Apps/parley/**/*.swift"), *root.glob("Packages/*/Sources/**/*.swift")]
    for path in sorted(found):
        name = str(path.relative_to(root))
        if "TestSupport" in name or name.startswith("Packages/ParleyServer/"):
            continue
        text = path.read_text(encoding="utf-8")
        if name.startswith("Packages/Domain/") or re.search(r"^(\w+ )?import Domain$", text, re.MULTILINE):
            yield name, text


def messages(root):
    """The sentences of all sources, one message a pattern; Failure with a line for each that cannot be read."""
    found, problems = {}, []
    for name, text in files(root):
        for start, (pattern, expressions, problem), plural in sentences(text):
            line = text.count("\n", 0, start) + 1
            if problem:
                problems.append(f"{name}:{line}: the sentence {problem}")
                continue
            message = found.setdefault(pattern, Message(text=pattern, plural=plural))
            message.plural = message.plural or plural
            comments = [f"#. {{{chr(97 + index)}}}: {expression}" for index, expression in enumerate(expressions)]
            message.comments += [comment for comment in [*comments, f"#: {name}"] if comment not in message.comments]
    if problems:
        raise Failure("\n".join(problems))
    for message in found.values():
        message.comments.sort(key=lambda comment: comment[:2] != "#.")
    return list(found.values())


def sentences(text):
    """(position, (pattern, expressions, problem), plural) of each sentence."""
    position = 0
    while token := TOKEN.search(text, position):
        position = token.end()
        if token["comment"] == "/*":
            position = block_comment_end(text, token.start())
        elif token["string"]:
            position = literal(text, token.start())[0]
            if AS_SENTENCE.match(text, position):
                yield from literals(text, token.start(), position, of_any_kind=True)
        elif token["call"]:
            # The other arguments may have calls and sentences of their own.
            end = close(text, position - 1)
            if PLURAL.match(text, token.start()):
                yield from literals(text, token.start(), end)
                position = end
            else:
                end = first_argument(text, position, end)
                yield from literals(text, position, end)
                position = end
        elif token["whole"]:
            end = close(text, position - 1)
            yield from literals(text, position, end)
            position = end
        elif token["label"]:
            end = literal(text, position)[0]
            yield from literals(text, position, end)
            position = end
        elif token["type"]:
            behind = re.compile(r"\s*([={])\s*").match(text, position)
            # A parenthesis is a tuple of sentences.
            end = close(text, behind.end()) if text[behind.end()] == "(" else close(text, behind.end(1) - 1) if behind[1] == "{" else expression_end(text, behind.end())
            yield from literals(text, behind.end(), end)
            position = end


def literals(text, position, end, of_any_kind=False):
    """(position, (pattern, expressions, problem), plural) of the literals between two positions that have letters, those that +
    joins as one."""
    found = []
    while position < end:
        if text.startswith("//", position):
            position = text.index("\n", position)
        elif plural := PLURAL.match(text, position):
            position = close(text, text.index("(", position))
            both = literals(text, plural.end(), position)[:2]
            if len(both) == 2:
                found.append((both[0][0], both[0][1], both[1][1][0]))
        elif re.compile(r'#*"').match(text, position):
            start = position
            position, pieces, expressions, problem = literal(text, position)
            while joined := re.compile(r'\s*\+\s*(?=")').match(text, position):
                position, more, others, other = literal(text, joined.end())
                pieces = pieces[:-1] + [pieces[-1] + more[0]] + more[1:]
                expressions += others
                problem = problem or other
            before = text[:start].rstrip()
            # Arguments of other calls, and cases of a switch over strings, are no sentences.
            is_other = re.search(r"(separator|terminator|format|with|called|of):$", before) or re.search(r"(\b(case|default)|==|!=)$", before) \
                or re.match(r"\s*(==|!=)", text[position:position + 4])
            if any(LETTER.search(piece) for piece in pieces) and (of_any_kind or not is_other):
                pattern = "".join(
                    piece.replace("{", "{{").replace("}", "}}") + (f"{{{chr(97 + index)}}}" if index + 1 < len(pieces) else "")
                    for index, piece in enumerate(pieces))
                found.append((start, (pattern, expressions, problem), None))
        else:
            position += 1
    return found


def literal(text, start):
    """The position behind a string, its texts, the expressions between them, and what a sentence may not have."""
    mark = re.compile(r'(#*)("""|")').match(text, start)
    hashes, quotes, problem, pieces, expressions = mark[1], mark[2], None, [""], []
    position, end, escape = mark.end(), quotes + hashes, "\\" + hashes
    multi = quotes == '"""'
    while position < len(text) and not text.startswith(end, position):
        if not text.startswith(escape, position):
            pieces[-1] += text[position]
            position += 1
            continue
        position += len(escape)
        character = text[position:position + 1]
        position += 1
        if character == "(":
            begin, position = position, close(text, position - 1)
            expressions.append(" ".join(text[begin:position - 1].split()))
            pieces.append("")
        elif character == "u":
            number = re.compile(r"\{([0-9A-Fa-f]+)\}").match(text, position)
            pieces[-1] += chr(int(number[1], 16))
            position = number.end()
        elif character == "\n":
            pieces[-1] += "\\\n"
        else:
            pieces[-1] += ESCAPES.get(character, character)
    position += len(end)
    if multi:
        indent = re.search(r"\n([ \t]*)$", pieces[-1])
        if indent:
            pieces[-1] = pieces[-1][:indent.start()]
            pieces = [piece.replace("\n" + indent[1], "\n") for piece in pieces]
            pieces[0] = pieces[0].removeprefix("\n")
            pieces = [piece.replace("\\\n", "") for piece in pieces]
    return position, pieces, expressions, problem


def close(text, position):
    """The position behind the bracket that closes the one at `position`."""
    depth = 0
    while position < len(text):
        if text.startswith("//", position):
            position = text.index("\n", position)
            continue
        if re.compile(r'#*"').match(text, position):
            position = literal(text, position)[0]
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            return position
    return position


def first_argument(text, position, end):
    """The position of the comma behind the first argument, or the end of the call."""
    while position < end - 1:
        if re.compile(r'#*"').match(text, position):
            position = literal(text, position)[0]
        elif text[position] in "([{":
            position = close(text, position)
        elif text[position] == ",":
            return position
        else:
            position += 1
    return end - 1


def expression_end(text, position):
    """The end of an initial value: the line's, unless a bracket is open or the next line goes on with an operator."""
    start = position
    while position < len(text):
        if text.startswith("//", position):
            position = text.index("\n", position)
        elif re.compile(r'#*"').match(text, position):
            position = literal(text, position)[0]
        elif text[position] in "([{":
            position = close(text, position)
        elif text[position] == "\n" and text[start:position].strip() and not re.compile(r"\s*(\+|\?|:|\?\?|case|switch|if)\s").match(text, position):
            return position
        elif text[position] in ")]},":
            return position
        else:
            position += 1
    return position


def every(text):
    """(position, pattern) of each literal with letters outside of comments."""
    position = 0
    while token := re.compile(r'//[^\n]*|/\*|#*"').search(text, position):
        position = token.end()
        if token[0] == "/*":
            position = block_comment_end(text, token.start())
        elif token[0][0] in '#"':
            found = literals(text, token.start(), token.start() + 1, of_any_kind=True)
            position = literal(text, token.start())[0]
            while joined := re.compile(r'\s*\+\s*(?=")').match(text, position):
                position = literal(text, joined.end())[0]
            yield from ((start, pattern) for start, (pattern, _, _), _ in found)


def loose(root, known):
    """(file, line, text) of each literal of the app that looks like a sentence and is none of the texts `known`."""
    for path in sorted(root.glob("Apps/parley/**/*.swift")):
        text = path.read_text(encoding="utf-8")
        for start, pattern in every(text):
            # A text of the command table with a value in it: a test takes it into help.pot as it is shown.
            if text[:start].endswith("discussion: "):
                continue
            plain = pattern.replace("{{", "{").replace("}}", "}")
            if SENTENCE.match(pattern) and pattern not in known and plain not in known:
                yield str(path.relative_to(root)), text.count("\n", 0, start) + 1, pattern


def lost(root, known, obsolete):
    """A finding for each of the obsolete texts that still stands in a source, and is none of the texts `known`."""
    wanted = set(obsolete) - known
    for name, text in files(root):
        for start, pattern in every(text):
            if pattern in wanted:
                wanted.remove(pattern)
                line = text.count("\n", 0, start) + 1
                yield f"{name}:{line}: \"{pattern}\" has a translation, but is no Sentence any more; make it one"


def loose_findings(root, known, listed):
    """What is wrong with the list of files that still have such literals, "COUNT FILE" a line: it may only shrink."""
    found = {}
    for name, line, pattern in loose(root, known):
        found.setdefault(name, []).append(f"{name}:{line}: \"{pattern}\" is shown without a translation; make it a Sentence")
    allowed = {}
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []:
        if line and not line.startswith("#"):
            count, name = line.split(" ", 1)
            allowed[name] = int(count)
    for name in sorted(found.keys() | allowed.keys()):
        count, limit = len(found.get(name, [])), allowed.get(name, 0)
        if count > limit:
            yield from found[name]
        elif count < limit:
            yield f"{listed.relative_to(root)}: {name} has {count} texts without a translation now, not {limit}; write that"


def block_comment_end(text, position):
    """Swift's block comments nest."""
    depth = 0
    while mark := re.compile(r"/\*|\*/").search(text, position):
        depth += 1 if mark[0] == "/*" else -1
        position = mark.end()
        if depth == 0:
            return position
    return len(text)

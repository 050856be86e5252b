# SPDX-License-Identifier: MIT
"""The public API of a module as text, a line a symbol, from the compiler's symbol graphs. Used by Scripts/docs."""

import difflib
import json
import re

HEADER = "# The public API of {name}, a line a symbol. Scripts/docs --write-api writes it; a line that goes or changes is a break.\n"
RELATIONS = {"conformsTo": ":", "inheritsFrom": "inherits"}
# No promise that anybody made: the compiler finds them.
INFERRED = tuple(f"Swift.{name}" for name in ("Copyable", "Escapable", "BitwiseCopyable", "SendableMetatype"))


def text(name, graphs):
    """The text of a module; `graphs` are its symbol graphs, those of its extensions of other modules' types included."""
    symbols, relations = [], []
    for path in graphs:
        graph = json.loads(path.read_text(encoding="utf-8"))
        symbols += graph["symbols"]
        relations += graph["relationships"]
    # What a type gets by a protocol's extension is the protocol's.
    symbols = [each for each in symbols if "::SYNTHESIZED::" not in each["identifier"]["precise"]]
    names = {each["identifier"]["precise"]: path_of(each) for each in symbols}
    lines = {f"{path_of(each)}  {declaration(each)}" for each in symbols}
    for each in relations:
        sign, source = RELATIONS.get(each["kind"]), names.get(each["source"])
        target = names.get(each["target"]) or each.get("targetFallback")
        if sign and source and target and not target.startswith(INFERRED):
            lines.add(f"{source}  {sign} {target}{requirements(each)}")
    return HEADER.format(name=name) + "".join(f"{line}\n" for line in sorted(lines))


def path_of(symbol):
    return ".".join(symbol["pathComponents"])


def declaration(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return re.sub(r"\s+", " ", text).strip()


def requirements(relation):
    constraints = relation.get("swiftConstraints", [])
    if not constraints:
        return ""
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    return " where " + ", ".join(f"{each['lhs']} {signs.get(each['kind'], each['kind'])} {each['rhs']}" for each in constraints)


def difference(path, text):
    """The first lines that differ from the committed text; empty if none does."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = difflib.unified_diff(before.splitlines(), text.splitlines(), str(path.name), "now", n=0, lineterm="")
    return "\n".join([line[:200] for line in lines][:40])

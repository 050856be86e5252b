# SPDX-License-Identifier: MIT
"""Prints the rows that a terminal shows, by pyte: reads a JSON list of its size, and of what then came: base64, or another size."""
import base64
import codecs
import json
import sys
import unicodedata

import pyte

(columns, rows), *events = json.load(sys.stdin)
screen = pyte.Screen(columns, rows)
stream = pyte.Stream(screen)
decoder = codecs.getincrementaldecoder("utf-8")()
for event in events:
    if isinstance(event, str):
        text = decoder.decode(base64.b64decode(event))
        # pyte drops what follows a format character, such as an isolate, which takes no column.
        stream.feed("".join(each for each in text if unicodedata.category(each) != "Cf"))
    else:
        screen.resize(lines=event[1], columns=event[0])
print("\n".join(row.rstrip() for row in screen.display).rstrip("\n"))
print(f"@{screen.cursor.y + 1}:{screen.cursor.x + 1}")

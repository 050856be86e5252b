# SPDX-License-Identifier: MIT
"""The same messages in Yjs's Rust port, by PyPI `pycrdt`: no encryption, no signatures, no disk.

usage: peer.py updates|state COUNT

Makes COUNT messages of nine values, each in a transaction of its own, in an array for 100 of them, and merges them into another
document: `updates` one after the other, `state` the whole at once. Prints one JSON object.
"""

import json
import os
import resource
import sys
import time

from pycrdt import Array, Doc, Map

SIZES = {"1": 37, "2": 5, "3": 5, "4": 87, "5": 7, "6": 7, "7": 9, "9": 6, "10": 37}


def message(number):
    values = {key: bytes([number % 256]) * size for key, size in SIZES.items()}
    return Map({"id": os.urandom(32), **values})


def fill(count, at_once):
    document, updates = Doc(), []
    conversations = document.get("conversations", type=Map)
    subscription = None if at_once else document.observe(lambda event: updates.append(event.update))
    for number in range(count):
        if number % 100 == 0:
            conversations[str(number)] = messages = Array()
        messages.append(message(number))
    if at_once:
        return [document.get_update()]
    document.unobserve(subscription)
    return updates


def main():
    mode, count = sys.argv[1], int(sys.argv[2])
    updates = fill(count, mode == "state")
    other = Doc()
    conversations = other.get("conversations", type=Map)
    wall, processor = time.perf_counter(), time.process_time()
    for update in updates:
        other.apply_update(update)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    assert sum(map(len, conversations.values())) == count
    print(json.dumps({"ms": wall * 1000, "processor": processor * 1000, "bytes": sum(map(len, updates)),
                      "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()

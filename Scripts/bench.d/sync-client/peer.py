# SPDX-License-Identifier: MIT
"""The same messages in Yjs's Rust port, by PyPI `pycrdt`: no encryption, no signatures, no disk.

usage: peer.py updates|state COUNT

Makes COUNT messages of nine values in an array, each in a transaction of its own, and merges them into another document: each
update by itself, or the whole state at once. Prints one JSON object.
"""

import json
import os
import resource
import sys
import time

from pycrdt import Array, Doc, Map

SIZES = {"1": 37, "2": 5, "3": 5, "4": 87, "5": 7, "6": 7, "7": 9, "9": 6, "10": 37}


def fill(count):
    document, updates = Doc(), []
    messages = document.get("messages", type=Array)
    subscription = document.observe(lambda event: updates.append(event.update))
    start = time.perf_counter()
    for number in range(count):
        values = {key: bytes([number % 256]) * size for key, size in SIZES.items()}
        messages.append(Map({"id": os.urandom(32), **values}))
    seconds = time.perf_counter() - start
    document.unobserve(subscription)
    return document, updates, seconds


def main():
    mode, count = sys.argv[1], int(sys.argv[2])
    document, updates, seconds = fill(count)
    if mode == "state":
        updates = [document.get_update()]
    del document
    other = Doc()
    messages = other.get("messages", type=Array)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = time.perf_counter(), time.process_time()
    for update in updates:
        other.apply_update(update)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    assert len(messages) == count
    print(json.dumps({"ms": wall * 1000, "processor": processor * 1000, "bytes": sum(map(len, updates)),
                      "write": seconds * 1000 / count, "before": before / 1024,
                      "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()

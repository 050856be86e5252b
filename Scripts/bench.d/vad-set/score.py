#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores a detector on a set of make_set.py; prints a line of JSON.

usage: score.py frames SET SCORES       area under the ROC curve and F1; SCORES/<condition>.f32 has a float32 per 10 ms
       score.py turns SET EVENTS KIND   what became of the utterances; EVENTS has the lines of vad-client's endpoints
       score.py difference ONE OTHER    the greatest difference between the files of two folders

A detector may be late by a constant time of up to 120 ms, which is found and told; F1 is that of the best threshold
for all conditions together. A turn is cut when it ends within an utterance, merged when it holds the beginning of the
next one, missed when no turn meets the utterance, false when it meets none. Its delay is from the last frame of speech to
the sample that the detector (KIND is silero or spectral) and the endpointer needed to be certain.
"""

import glob
import json
import os
import sys

import numpy as np

FRAME = 160


def table(path):
    with open(path, encoding="ascii") as file:
        rows = [line.split(",") for line in file.read().split("\n")[1:] if line]
    return np.array([int(row[2]) for row in rows]), [row[3] for row in rows]


def conditions(folder):
    return sorted(os.path.basename(path)[:-4] for path in glob.glob(f"{folder}/*.csv"))


def area(scores, labels):
    _, first, counts = np.unique(np.sort(scores), return_index=True, return_counts=True)
    ranks = (first + (counts + 1) / 2)[np.searchsorted(np.unique(scores), scores)]
    positive = labels.sum()
    return (ranks[labels == 1].sum() - positive * (positive + 1) / 2) / (positive * (len(labels) - positive))


def best_f1(scores, labels):
    order = np.argsort(-scores, kind="mergesort")
    ordered = scores[order]
    values = 2 * np.cumsum(labels[order]) / (np.arange(1, len(scores) + 1) + labels.sum())
    values[:-1][ordered[1:] == ordered[:-1]] = 0
    return values.max(), float(ordered[values.argmax()])


def frames(folder, scores):
    pairs = {}
    for name in conditions(folder):
        labels, values = table(f"{folder}/{name}.csv")[0], np.fromfile(f"{scores}/{name}.f32", "<f4").astype(float)
        pairs[name] = (np.pad(values, (0, max(0, len(labels) - len(values))), mode="edge")[:len(labels)], labels)

    def late(by):
        return {name: (values[by:], labels[:len(labels) - by]) for name, (values, labels) in pairs.items()}

    def areas(by):
        return {name: area(*pair) for name, pair in late(by).items()}

    lag = max(range(13), key=lambda by: np.mean(list(areas(by).values())))
    each = areas(lag)
    values, labels = (np.concatenate(part) for part in zip(*late(lag).values()))
    f1, threshold = best_f1(values, labels)
    return {"lag": 10 * lag, "pooled": area(values, labels), "mean": float(np.mean(list(each.values()))), "f1": f1,
            "threshold": threshold, "conditions": each}


def utterances(path):
    """First frame and end of each stretch of one source, from its first to its last speech."""
    labels, sources = table(path)
    found, index = [], 0
    while index < len(sources):
        end = index
        while end < len(sources) and sources[end] == sources[index]:
            end += 1
        speech = np.flatnonzero(labels[index:end])
        if sources[index] != "-" and len(speech):
            found.append((index + speech[0], index + speech[-1] + 1))
        index = end
    return found


def known(sample, kind):
    """When the frame that ends at a sample was known."""
    if kind == "silero":
        return ((sample - 80) // 512 + 1) * 512
    return sample - FRAME + 1296


def turns(folder, events, kind):
    found = {}
    with open(events, encoding="ascii") as file:
        for line in file:
            path, *numbers = line.split()
            found.setdefault(os.path.basename(path)[:-4], []).append([int(number) for number in numbers])
    result = {"utterances": 0, "missed": 0, "cut": 0, "merged": 0, "false": 0}
    delays = []
    for name in conditions(folder):
        spoken, told = utterances(f"{folder}/{name}.csv"), found.get(name, [])
        met = [0] * len(told)
        result["utterances"] += len(spoken)
        for index, (first, end) in enumerate(spoken):
            # 4,800 samples are the pre-roll.
            hits = [place for place, (start, stop, _) in enumerate(told)
                    if min(stop, end * FRAME) > max(start + 4800, first * FRAME)]
            for place in hits:
                met[place] += 1
            result["missed"] += not hits
            result["cut"] += max(0, len(hits) - 1)
            following = spoken[index + 1][0] if index + 1 < len(spoken) else 1 << 40
            if hits and told[hits[-1]][1] < (following + 3) * FRAME:
                delays.append((known(told[hits[-1]][2], kind) - end * FRAME) / 16)
        result["merged"] += sum(max(0, count - 1) for count in met)
        result["false"] += met.count(0)
    return result | {"p50": float(np.median(delays)), "p95": float(np.percentile(delays, 95))}


def difference(one, other):
    worst = 0.0
    for path in glob.glob(f"{one}/*.f32"):
        first, second = np.fromfile(path, "<f4"), np.fromfile(f"{other}/{os.path.basename(path)}", "<f4")
        assert len(first) == len(second) > 0, f"{path}: {len(first)} and {len(second)} values"
        worst = max(worst, float(np.abs(first - second).max()))
    return {"worst": worst}


if __name__ == "__main__":
    commands = {"frames": frames, "turns": turns, "difference": difference}
    if len(sys.argv) < 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))

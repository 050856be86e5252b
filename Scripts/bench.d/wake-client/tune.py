#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the second stage's rule (PhraseRule.swift) to what the detector itself measured.

usage: tune.py FIT… [--check CHECK…] [--general | --again]

Each FIT and CHECK is a folder of make-set.py, with a file <name>.log beside each <name>.raw: what wake-client printed for it.
Prints the terms for PhraseRule.swift, and at several thresholds the tries found and the false alarms, each for clean sound,
20 dB and 10 dB. Without --general it is the rule for one phrase: with the margin of each phone, and with weights that
depend on how far the phrase stands above the background. With --again it is the rule for the second look (SecondRule), fitted
to those candidates that had one; where the others came, what the detector said of them stands. Needs numpy.
"""

import argparse
import csv
import math
import pathlib

import numpy

CONDITIONS = ["clean", "20dB", "10dB"]
# What PhraseEvidence.names has, and which of it is the range of loudness; the margins of the phones follow.
NAMED, RANGE = 15, 13
# A false alarm in clean sound counts most: there the detector is used most, and can do best.
WEIGHTS = {("clean", 0): 1.5, ("20dB", 0): 0.7, ("10dB", 0): 0.4}


def table(path):
    with open(path, encoding="utf-8") as file:
        return [(int(row["start"]), int(row["end"])) for row in csv.DictReader(file)]


def candidates(folder, number):
    """One row a candidate: measures, whether it is the phrase, condition, positive or negative, which try it is, with what a
    second look measured, and the logarithm of the odds that the detector gave."""
    tries = table(folder / "positive.csv")
    for condition in CONDITIONS:
        for name in ("positive", "negative"):
            for line in open(folder / f"{name}-{condition}.log", encoding="utf-8"):
                words = line.split()
                if words[0] != "candidate":
                    continue
                # The rules are fitted without the network's score.
                words = words[:words.index("network")] if "network" in words else words
                begin, end = int(words[1]), int(words[2])
                hits = [index for index, (first, last) in enumerate(tries) if first < end and last > begin]
                hit = hits[0] if name == "positive" and hits else None
                cut = words.index("again") if "again" in words else len(words)
                first, again = [[float(word) for word in part] for part in (words[5:cut], words[cut + 1:])]
                likelihood = min(max(float(words[3]), 1e-12), 1 - 1e-12)
                yield (first, hit is not None, condition, name, (number, condition, hit), first + again if again else None,
                       math.log(likelihood / (1 - likelihood)))


def standard(measures, middle, spread, general):
    """What PhraseRule.score weighs: the measures, and in a rule for one phrase also these times the prominence."""
    inputs = (measures - middle) / spread
    if not general:
        prominence = numpy.clip((measures[:, RANGE] - 22) / 12, -1.5, 1.5)[:, None]
        inputs = numpy.c_[inputs, prominence * inputs]
    return numpy.c_[numpy.ones(len(inputs)), inputs]


def fit(inputs, labels, weights, ridge):
    """Logistic regression by Newton's method; the bias is not held back. The ridge is one number or one for each input."""
    solution = numpy.zeros(inputs.shape[1])
    keep = numpy.zeros(inputs.shape[1]) + ridge
    keep[0] = 1e-6
    for _ in range(60):
        estimate = 1 / (1 + numpy.exp(-numpy.clip(inputs @ solution, -40, 40)))
        slope = inputs.T @ ((estimate - labels) * weights) + keep * solution
        bend = (inputs * (weights * estimate * (1 - estimate))[:, None]).T @ inputs + numpy.diag(keep)
        solution -= numpy.linalg.solve(bend, slope)
    return solution


def show(title, folders, rows, scores):
    tries = sum(len(table(folder / "positive.csv")) for folder in folders)
    for threshold in numpy.arange(-1, 3.01, 0.25):
        cells = []
        for condition in CONDITIONS:
            found = {row[4] for row, score in zip(rows, scores) if row[1] and row[2] == condition and score >= threshold}
            false = sum(row[3] == "negative" and row[2] == condition and score >= threshold
                        for row, score in zip(rows, scores))
            cells.append(f"{condition} {len(found) / tries:.1%} found, {false} false")
        print(f"// {title} {threshold:5.2f}: " + "; ".join(cells))


def fit_again(options):
    """Prints SecondRule's terms, and what both looks together find."""
    def inputs(rows):
        measures = numpy.array([row[5] for row in rows])
        prominence = numpy.clip((measures[:, RANGE] - 22) / 12, -1.5, 1.5)[:, None]
        scaled = (measures - middle) / spread
        return numpy.c_[numpy.ones(len(rows)), scaled, prominence * scaled, prominence ** 2]

    def scores(rows):
        asked = [row for row in rows if row[5]]
        fresh = iter(inputs(asked) @ solution - options.threshold)
        return [next(fresh) if row[5] else row[6] for row in rows]

    rows = [row for number, folder in enumerate(options.fit) for row in candidates(folder, number)]
    asked = [row for row in rows if row[5]]
    measures = numpy.array([row[5] for row in asked])
    middle, spread = measures.mean(0), measures.std(0) + 1e-9
    count = len(middle)
    labels = numpy.array([float(row[1]) for row in asked])
    weights = numpy.array([WEIGHTS.get((row[2], int(row[1])), 1.0) for row in asked])
    solution = fit(inputs(asked), labels, weights, numpy.array([0.0] + [10.0] * count + [40.0] * count + [2.0]))
    show("fit  ", options.fit, rows, scores(rows))
    if options.check:
        others = [row for number, folder in enumerate(options.check) for row in candidates(folder, number)]
        show("check", options.check, others, scores(others))
    for mean, deviation, weight, slope in zip(middle, spread, solution[1:], solution[count + 1:]):
        print(f"            Term({mean:.4g}, {deviation:.4g}, {weight:.4g}, {slope:.4g}),")
    print(f"        bias: {solution[0] - options.threshold:.5g}, curve: {solution[-1]:.4g})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fit", nargs="+", type=pathlib.Path)
    parser.add_argument("--check", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--threshold", type=float, default=0.0, help="what becomes the middle of the scores")
    parser.add_argument("--general", action="store_true", help="a rule for any phrase")
    parser.add_argument("--again", action="store_true", help="the rule for the second look")
    options = parser.parse_args()
    if options.again:
        fit_again(options)
        return
    rows = [row for number, folder in enumerate(options.fit) for row in candidates(folder, number)]
    columns = NAMED if options.general else None
    measures = numpy.array([row[0][:columns] for row in rows])
    middle, spread = measures.mean(0), measures.std(0) + 1e-9
    labels = numpy.array([float(row[1]) for row in rows])
    weights = numpy.array([WEIGHTS.get((row[2], int(row[1])), 1.0) for row in rows])
    inputs = standard(measures, middle, spread, options.general)
    solution = fit(inputs, labels, weights, 2.0 if options.general else 6.0)
    show("fit  ", options.fit, rows, inputs @ solution)
    if options.check:
        others = [row for number, folder in enumerate(options.check) for row in candidates(folder, number)]
        measured = numpy.array([row[0][:columns] for row in others])
        show("check", options.check, others, standard(measured, middle, spread, options.general) @ solution)
    slopes = [""] * len(middle) if options.general else [f", {slope:.4g}" for slope in solution[len(middle) + 1:]]
    for mean, deviation, weight, slope in zip(middle, spread, solution[1:], slopes):
        print(f"            Term({mean:.4g}, {deviation:.4g}, {weight:.4g}{slope}),")
    print(f"        bias: {solution[0] - options.threshold:.5g})")


if __name__ == "__main__":
    main()

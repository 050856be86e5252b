# SPDX-License-Identifier: MIT
"""Writes the weights as a Swift file, and for its test what the network says to fixed windows."""

import numpy

LEVELS, ZERO = 45, 80
ORIGIN = [
    "The weights of the wake word's network: made by Scripts/train-wake-word (3,500 steps, seed 7) from the voices of eSpeak NG,",
    "Kokoro-82M and Festival's Hindi, Telugu, Czech and Russian ones, none of which is in a measured set. Kokoro-82M is under the",
    "Apache licence 2.0 (hexgrad)."]


def quantized(parameters):
    """For each layer its levels (outputs × taps × inputs), scales and biases."""
    for weights, bias in parameters:
        rows = numpy.asarray(weights, numpy.float64).transpose(2, 0, 1)
        scales = numpy.maximum(numpy.abs(rows).max((1, 2)) / LEVELS, 1e-9)
        yield numpy.rint(rows / scales[:, None, None]).astype(int), scales.astype(numpy.float32), numpy.asarray(bias)


def rounded(parameters):
    """The parameters as the Swift code reads them."""
    return [((levels * scales[:, None, None]).transpose(1, 2, 0).astype(numpy.float32), bias)
            for levels, scales, bias in quantized(parameters)]


def numbers(values):
    words = [f"{value:.5g}" for value in values]
    lines, line = [], "       "
    for word in words:
        if len(line) + len(word) > 116:
            lines.append(line)
            line = "       "
        line += f" {word},"
    return "\n".join([*lines, line])


def swift(parameters, layers, origin):
    layers = [*layers, (1, 1, 1)]
    parts = list(quantized(parameters))
    text = "".join(chr(ZERO + level) for levels, _, _ in parts for level in levels.ravel())
    # The one sequence that such a literal would read otherwise; a quotation mark does not occur.
    text = text.replace("\\#", "\\$")
    shapes = [f"        .init(inputs: {weights.shape[1]}, outputs: {weights.shape[2]}, taps: {taps}, stride: {stride}, "
              f"dilation: {dilation}),"
              for (weights, _), (taps, stride, dilation) in zip(parameters, layers)]
    return "\n".join([
        "// SPDX-License-Identifier: MIT", "", "// Written by Scripts/train-wake-word; do not edit.", "",
        "internal import VoiceActivity", "", "/// " + "\n/// ".join(origin), "enum PhraseWeights {",
        "    static let shapes: [TemporalNetwork.Shape] = [", *shapes, "    ]",
        "    static let scales: [Float] = [", numbers(numpy.concatenate([scales for _, scales, _ in parts])), "    ]",
        "    static let biases: [Float] = [", numbers(numpy.concatenate([bias for _, _, bias in parts])), "    ]",
        '    static let weights: StaticString = #"""',
        *["        " + text[start:start + 110] for start in range(0, len(text), 110)], '        """#', "}", ""])

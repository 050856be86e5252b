#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints Packages/Speech/Tests/VoiceActivityTests/Silero/ReferenceProbabilities.swift anew: what onnxruntime computes from a
sound that the test makes too (`BuzzingVoice.swift`), sample by sample the same.

usage: reference.py   (with numpy and onnxruntime; Scripts/bench vad makes an environment that has them)
"""

import os
import pathlib
import subprocess

import numpy as np
import onnxruntime

SECONDS, RATE = 4, 16000
# Formants as the three factors of a two-pole resonator (gain, and of the last two outputs), for a, i and o.
VOWELS = [
    [(0.09, 1.86, -0.94), (0.12, 1.70, -0.93), (0.10, 0.98, -0.92)],
    [(0.02, 1.95, -0.965), (0.16, 1.16, -0.93), (0.14, 0.62, -0.92)],
    [(0.05, 1.91, -0.95), (0.07, 1.84, -0.945), (0.10, 0.98, -0.92)],
]


def sound():
    """Whole numbers and multiplications in a fixed order only, so that every machine gets the same samples."""
    noise, until, period = 12345, 0, 130
    state = [[0.0, 0.0] for _ in range(3)]
    samples = []
    for index in range(SECONDS * RATE):
        noise = (noise * 1664525 + 1013904223) % 2**32
        hiss = (noise >> 8) / 8388608.0 - 1.0
        syllable, inside = divmod(index, 3200)
        voiced = syllable % 4 != 3 and inside < 2600
        pulse = 0.0
        if until == 0:
            period = 120 + (index // 400) % 23
            until = period
            pulse = 1.0 if voiced else 0.0
        until -= 1
        value = pulse + hiss * (0.02 if voiced else 0.002)
        for place, (gain, first, second) in zip(state, VOWELS[syllable % 3]):
            value = gain * value + first * place[0] + second * place[1]
            place[1], place[0] = place[0], value
        scaled = value * 300000.0 + hiss * 30.0
        samples.append(max(-32768, min(32767, int(scaled))))
    return np.array(samples, np.int16)


def main():
    fetch = pathlib.Path(__file__).resolve().parents[2] / "fetch-weights"
    folder = subprocess.run([fetch, "--print-folder"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    session = onnxruntime.InferenceSession(os.path.join(folder, "silero_vad_16k_op15.onnx"))
    samples = np.concatenate([np.zeros(64, np.float32), sound().astype(np.float32) / 32768])
    state = np.zeros((2, 1, 128), np.float32)
    print("// SPDX-License-Identifier: MIT\n")
    print("/// What onnxruntime computes from `BuzzingVoice`, one probability per 512 samples.")
    print("/// Made by Scripts/bench.d/vad-set/reference.py.")
    print("let referenceProbabilities: [Float] = [")
    for start in range(0, len(samples) - 575, 512):
        output, state = session.run(None, {"input": samples[None, start:start + 576], "state": state,
                                           "sr": np.array(RATE, np.int64)})
        print(f"    {float(output[0, 0]):.7f},")
    print("]")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the weights of SpectralDetector, and is its reference: the measures are computed here as they are there.

usage: tune.py SET_DIR             fits on a set of make_set.py and prints the weights for MeasureAverage.swift
       tune.py --reference FILE    prints the probabilities of raw 16-bit sound at 16 kHz, with the weights as they are

The set's 13 conditions count twice, and once the clean one with backgrounds that the set has not: hum, brown noise,
rumble, a noise that comes and goes, clicks, a fan, and digital silence. Without these the weights learn that a
background is flat. Needs numpy.
"""

import glob
import os
import pathlib
import re
import sys

import numpy as np

RATE, FRAME, WINDOW, BANDS, LOW_BANDS = 16000, 160, 512, 24, 18
AVERAGES = [(3, 3), (20, 6)]
SWIFT = pathlib.Path(__file__).resolve().parents[3] / "Packages/Speech/Sources/VoiceActivity/Spectral/MeasureAverage.swift"


def triangles():
    def mel(hertz):
        return 2595 * np.log10(1 + hertz / 700)

    bins = mel(np.arange(WINDOW // 2 + 1) * RATE / WINDOW)
    edges = np.linspace(mel(100.0), mel(7600.0), BANDS + 2)
    rise = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    weights = np.maximum(0, np.minimum(rise, fall))
    return weights / weights.sum(1, keepdims=True)


def powers(sound):
    count, lead = len(sound) // FRAME, (WINDOW - FRAME) // 2
    padded = np.pad(sound, (lead, WINDOW))
    shape = np.hanning(WINDOW + 1)[:WINDOW]
    frames = padded[np.arange(count)[:, None] * FRAME + np.arange(WINDOW)]
    return np.abs(np.fft.rfft(frames * shape, axis=1)) ** 2 / (shape ** 2).sum()


def band_noise(bands):
    ratio, kept = 10 ** 1.5, 0.98
    noise, presence, result = np.zeros(BANDS), np.full(BANDS, 0.5), np.empty_like(bands)
    for index, observed in enumerate(bands):
        if index < 12:
            noise = (noise * index + observed) / (index + 1)
        else:
            probability = 1 / (1 + (1 + ratio) * np.exp(-np.minimum(observed / noise * ratio / (1 + ratio), 80)))
            presence = 0.9 * presence + 0.1 * probability
            probability = np.where(presence > 0.99, np.minimum(probability, 0.99), probability)
            noise = kept * noise + (1 - kept) * (probability * noise + (1 - probability) * observed)
        result[index] = noise
    return result


def places(energies):
    smoothed, level, top, current, minima, result = energies[0], np.log(energies[0]), -30.0, np.inf, [], []
    for index, energy in enumerate(energies):
        smoothed = 0.7 * smoothed + 0.3 * energy
        current = min(current, smoothed)
        floor = np.log(1.5 * min([current] + minima))
        if index % 20 == 19:
            minima, current = (minima + [current])[-8:], smoothed
        level = 0.6 * level + 0.4 * np.log(energy)
        top = max(level, top - 0.004)
        result.append(np.clip((np.log(energy) - floor) / max(top - floor, 1.5), -0.3, 1.3))
    return np.array(result)


def measures(sound):
    power = powers(sound)
    bands = power @ triangles().T + 1e-9
    noise = band_noise(bands)
    hertz = np.arange(WINDOW // 2 + 1) * RATE / WINDOW
    correlation = np.fft.irfft((power + 1e-10) * ((hertz >= 80) & (hertz <= 3000)), axis=1)
    ratios = np.maximum(bands / noise, 0.3)
    low = bands[:, :LOW_BANDS].sum(1)
    return np.stack([
        np.log(low / noise[:, :LOW_BANDS].sum(1)),
        np.sort(np.log(ratios), 1)[:, -6:].mean(1),
        correlation[:, 40:200].max(1) / correlation[:, 0],
        np.log(bands).mean(1) - np.log(bands.mean(1)),
        np.log(ratios).mean(1) - np.log(ratios.mean(1)),
        places(low)], 1)


def averaged(values):
    """The measures over the short and the long time, one after the other."""
    count, sums = len(values), np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, 0)])
    result = []
    for before, after in AVERAGES:
        first = np.maximum(np.arange(count) - before, 0)
        last = np.minimum(np.arange(count) + after + 1, count)
        result.append((sums[last] - sums[first]) / (last - first)[:, None])
    return np.concatenate(result, 1)


def read(path):
    return np.fromfile(path, "<i2").astype(np.float64) / 32768


def labels(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=2, dtype=int)


def backgrounds(count, random):
    time = np.arange(count) / RATE

    def coloured(shape):
        size = 1 << int(np.ceil(np.log2(count)))
        spectrum = np.fft.rfft(random.standard_normal(size)) * shape(np.arange(size // 2 + 1) * RATE / size)
        noise = np.fft.irfft(spectrum, size)[:count]
        return noise / noise.std() + 0.003 * random.standard_normal(count)

    mains, tilt = 50 + random.uniform(-0.5, 0.5), random.uniform(0.3, 1.2)
    yield sum(np.sin(2 * np.pi * mains * k * time + random.uniform(0, 6)) / k ** tilt for k in range(1, 30)) \
        + 0.02 * random.standard_normal(count)
    yield coloured(lambda hertz: 1 / np.maximum(hertz, 30))
    yield coloured(lambda hertz: 1 / (1 + (hertz / 200) ** 4))
    yield random.standard_normal(count) * np.where(time % 26 < 13, 0.05, 1)
    clicks = 0.003 * random.standard_normal(count)
    for place in random.integers(0, count - 800, int(3 * count / RATE)):
        decay = np.exp(-np.arange(800) / random.uniform(30, 120)) * 10 ** random.uniform(-1, 0.3)
        clicks[place:place + 800] += random.standard_normal(800) * decay
    yield clicks
    yield np.convolve(random.standard_normal(count), np.ones(8) / 8, "same") * (1 + 0.4 * np.sin(2.6 * np.pi * time))


def other_rooms(folder, random):
    """The clean condition with other backgrounds, 20 and 8 dB below the speech."""
    clean, speech = read(f"{folder}/clean.raw"), labels(f"{folder}/clean.csv")
    level = np.sqrt(np.mean(clean.reshape(-1, FRAME)[speech == 1] ** 2))
    for noise in backgrounds(len(clean), random):
        for ratio in (20, 8):
            mixed = (clean + noise / noise.std() * level / 10 ** (ratio / 20)) * 10 ** (random.uniform(-8, 4) / 20)
            yield np.round(mixed * min(1, 0.95 / np.abs(mixed).max()) * 32767) / 32768, speech
    silent = np.arange(len(clean)) / RATE % 13 < 6
    yield np.where(silent, 0, clean), np.where(silent[::FRAME], 0, speech)


def fit(inputs, wanted):
    """Logistic regression by Newton's method, on inputs of mean 0 and variance 1."""
    mean, deviation = inputs.mean(0), inputs.std(0)
    inputs = np.concatenate([(inputs - mean) / deviation, np.ones((len(inputs), 1))], 1)
    weights = np.zeros(inputs.shape[1])
    for _ in range(12):
        found = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (found - wanted) / len(inputs) + 1e-3 * weights
        curve = (inputs.T * (found * (1 - found))) @ inputs / len(inputs) + 1e-3 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    scaled = weights[:-1] / deviation
    return np.append(scaled, weights[-1] - scaled @ mean)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--reference":
        text = SWIFT.read_text()
        rows = re.findall(r"Weights = SIMD8<Float>\(\s*([^)]*)\)", text)
        weights = np.concatenate([[float(number) for number in row.split(",")][:6] for row in rows])
        bias = float(re.search(r"bias: Float = (\S+)", text)[1])
        for logit in averaged(measures(read(sys.argv[2]))) @ weights + bias:
            print(f"    {1 / (1 + np.exp(-logit)):.5f},")
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    inputs, wanted = [], []
    for path in sorted(glob.glob(f"{folder}/*.raw")):
        name = os.path.basename(path)[:-4]
        inputs += [averaged(measures(read(path)))] * 2
        wanted += [labels(f"{folder}/{name}.csv")] * 2
    for sound, speech in other_rooms(folder, np.random.default_rng(77)):
        inputs.append(averaged(measures(sound)))
        wanted.append(speech)
    weights = fit(np.concatenate(inputs), np.concatenate(wanted))
    for name, part in (("short", weights[:6]), ("long", weights[6:12])):
        print(name + ": " + ", ".join(f"{weight:.5g}" for weight in part))
    print(f"bias: {weights[12]:.5g}")


if __name__ == "__main__":
    main()

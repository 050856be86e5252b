# SPDX-License-Identifier: MIT
"""Rooms, noises and features: what becomes of a clean utterance before the network has it.

No noise is white or pink, as in the measured sets: these are other colours, many voices at once, hum, chords and fans.
"""

import numpy

RATE, HOP, FRAME, BANDS = 16_000, 160, 400, 40
FRAMES = 160
# Powers of ten under the loudest value, below which everything counts as silence.
DEPTH = 4.0


def mel_matrix():
    """librosa's filters.mel(sr=16000, n_fft=400, n_mels=40), as MelFilterBank has it."""
    def hertz(mel):
        return numpy.where(mel < 15, mel * 200 / 3, 1000 * 6.4 ** ((mel - 15) / 27))
    corners = hertz(numpy.linspace(0, 15 + 27 * numpy.log(8) / numpy.log(6.4), BANDS + 2))
    bins = numpy.arange(FRAME // 2 + 1) * RATE / FRAME
    left, top, right = (corners[offset:offset + BANDS, None] for offset in range(3))
    return numpy.maximum(0, numpy.minimum((bins - left) / (top - left), (right - bins) / (right - top))) * 2 / (right - left)


MEL = mel_matrix().astype(numpy.float32).T
WINDOW = (0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(FRAME) / FRAME)).astype(numpy.float32)


def features(samples):
    """What PhraseNetwork.swift makes of a window of sound: frames × bands."""
    frames = numpy.lib.stride_tricks.sliding_window_view(samples.astype(numpy.float32), FRAME)[::HOP]
    power = numpy.abs(numpy.fft.rfft(frames * WINDOW)) ** 2
    values = numpy.log10(numpy.maximum(power.astype(numpy.float32) @ MEL, 1e-10))
    values = numpy.maximum(values, values.max() - DEPTH)
    return values - values.mean(0)


def coloured(generator, count):
    """Noise whose power falls or rises with frequency, never as white or pink noise does, through an uneven room."""
    spans = [(-2.4, -1.4), (-0.7, -0.3), (0.3, 0.9)]
    low, high = spans[generator.integers(3)]
    size = 1 << (count - 1).bit_length()
    spectrum = numpy.fft.rfft(generator.standard_normal(size))
    frequency = numpy.maximum(numpy.arange(len(spectrum)) * RATE / size, 30)
    bumps = numpy.interp(numpy.log(frequency), numpy.log(numpy.geomspace(30, 8000, 9)), generator.uniform(-0.5, 0.5, 9))
    return numpy.fft.irfft(spectrum * frequency ** (generator.uniform(low, high) / 2) * 10 ** bumps)[:count]


def hum(generator, count):
    time = numpy.arange(count) / RATE
    base = generator.choice([50, 60, 100, 120]) * generator.uniform(0.98, 1.02)
    tones = sum(generator.uniform(0, 1) / order ** 0.7 * numpy.sin(2 * numpy.pi * (base * order * time + generator.random()))
                for order in range(1, 30))
    return tones + 0.2 * numpy.std(tones) * coloured_unit(generator, count)


def chords(generator, count):
    time = numpy.arange(count) / RATE
    result = numpy.zeros(count)
    for _ in range(generator.integers(3, 8)):
        start, tone = generator.integers(count), 110 * 2 ** (generator.integers(0, 40) / 12)
        decay = numpy.exp(-numpy.maximum(time - time[start], 0) * generator.uniform(0.5, 6)) * (time >= time[start] * 0.5)
        result += decay * sum(numpy.sin(2 * numpy.pi * tone * order * time) / order for order in range(1, 6) if tone * order < 7000)
    return result + 0.05 * coloured_unit(generator, count)


def coloured_unit(generator, count):
    noise = coloured(generator, count)
    return noise / numpy.std(noise)


def babble(generator, count, speech):
    result = numpy.zeros(count)
    for _ in range(generator.integers(3, 8)):
        sound = speech[generator.integers(len(speech))]
        result += numpy.roll(numpy.resize(sound, count), generator.integers(count)) * generator.uniform(0.4, 1)
    return result


def noise(generator, count, speech):
    kind = generator.random()
    if kind < 0.62:
        return coloured_unit(generator, count)
    if kind < 0.74:
        swing = 1 + 0.6 * numpy.sin(2 * numpy.pi * (generator.uniform(0.5, 12) * numpy.arange(count) / RATE + generator.random()))
        return coloured_unit(generator, count) * swing
    made = babble(generator, count, speech) if kind < 0.86 else hum(generator, count) if kind < 0.93 else chords(generator, count)
    return made / (numpy.std(made) + 1e-9)


def room(generator, samples):
    length = int(generator.uniform(0.1, 0.5) * RATE)
    tail = generator.standard_normal(length) * numpy.exp(-6.9 * numpy.arange(length) / length)
    tail[:int(0.002 * RATE)] = 0
    tail *= generator.uniform(0.1, 0.7) / numpy.sqrt(numpy.sum(tail ** 2))
    size = 1 << (len(samples) + length).bit_length()
    wet = numpy.fft.irfft(numpy.fft.rfft(samples, size) * numpy.fft.rfft(tail, size), size)[:len(samples)]
    return samples + wet


def window(generator, sound, is_phrase, speech):
    """One window's features: the utterance at some place in it, in a room, with noise."""
    count = (FRAMES - 1) * HOP + FRAME
    loud = numpy.flatnonzero(numpy.abs(sound) > 0.02)
    begin = loud[0] if len(loud) else 0
    if generator.random() < 0.5:
        # Another speed makes another voice.
        factor = generator.uniform(0.9, 1.12)
        sound = numpy.interp(numpy.arange(int(len(sound) / factor)) * factor, numpy.arange(len(sound)), sound)
        begin = int(begin / factor)
    placed = numpy.zeros(count)
    # The phrase begins 0.05 to 0.5 s into the window; other speech anywhere.
    lead = int(generator.uniform(0.05, 0.5) * RATE)
    shift = begin - lead if is_phrase or len(sound) < count or generator.random() < 0.5 else int(generator.integers(0, len(sound) - count))
    first = max(0, shift)
    part = sound[first:shift + count]
    placed[first - shift:first - shift + len(part)] = part
    if shift > 0 and generator.random() < 0.5:
        placed[:max(0, lead - 800)] = 0
    if generator.random() < 0.15:
        # Other speech goes before or after it.
        other = speech[generator.integers(len(speech))]
        gap = int(generator.uniform(0, 0.2) * RATE)
        if is_phrase or generator.random() < 0.5:
            length = max(0, lead - gap)
            placed[:length] = other[-length:] if 0 < length <= len(other) else placed[:length]
    if generator.random() < 0.4:
        placed = room(generator, placed)
    power = numpy.mean(placed[numpy.abs(placed) > 0.02] ** 2) if (numpy.abs(placed) > 0.02).any() else 1e-3
    ratio = generator.uniform(3, 30) if generator.random() < 0.85 else generator.uniform(30, 60)
    placed = placed + noise(generator, count, speech) * numpy.sqrt(power) * 10 ** (-ratio / 20)
    if generator.random() < 0.3:
        placed = placed - generator.uniform(0.2, 0.9) * numpy.concatenate([[0], placed[:-1]])
    return features(placed * 10 ** (generator.uniform(-30, -3) / 20))

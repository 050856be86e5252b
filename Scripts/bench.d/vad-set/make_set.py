#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds a labelled set for voice-activity detectors.

usage: make_set.py FOLDER SEED [SECONDS]

Thirteen conditions (clean; white, pink and babble noise at 20, 10, 5 and 0 dB signal-to-noise ratio) of 78 seconds:
FOLDER/<condition>.raw is 16-bit mono sound at 16 kHz, FOLDER/<condition>.csv has a row per 10 ms with its label and
what speaks. Synthetic voices and alsa-utils' recordings of a real one, the same for a seed but for the last two units
of a sample (sox's dither). The set ranks detectors and does not promise field figures. Utterances are kept in $VADCACHE, by default FOLDER/../voices.

Needs numpy, sox, espeak-ng, flite, alsa-utils, and festival with festvox-us-slt-hts, -kallpc16k and -kdlpc16k.
"""

import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np

RATE, FRAME = 16000, 160
TEXTS = [
    "turn on the kitchen light and close the window", "what is the weather going to be like tomorrow morning",
    "please remind me to call my mother at six", "the quick brown fox jumps over the lazy dog",
    "she sells sea shells by the sea shore", "hey jarvis, how long does it take to boil an egg",
    "I would like to listen to some classical music", "seven, eight, nine, ten, eleven, twelve",
    "open the calendar and show me next week", "the fifth station is further away than I thought", "stop", "yes please",
    "good night", "thanks for asking, I am doing fine today", "Peter picked a peck of pickled peppers",
    "his first thesis was thick with theory and fresh facts", "cancel the alarm that I have set for half past seven",
    "we were away a year ago, early in the fall", "how much wood would a woodchuck chuck",
    "send the message to Jessica and finish the task"]
# Engine (e: eSpeak NG, f: flite, x: festival), voice and words a minute.
VOICES = [("e", voice, speed) for voice, speed in (
    ("en-us", 150), ("en-gb", 165), ("en-us+female2", 140), ("en-gb-scotland", 150), ("en-us+klatt4", 150),
    ("en-us+Annie", 160), ("en-gb+male7", 145), ("de", 150), ("fr", 155))]
VOICES += [("f", voice, 0) for voice in ("awb", "rms", "slt", "kal16")]
VOICES += [("x", voice, 0) for voice in ("cmu_us_slt_arctic_hts", "ked_diphone")]
BABBLERS = [
    ("e", "en-us+male3", 160), ("e", "en-gb+female4", 150), ("e", "es", 160), ("e", "it", 150), ("f", "rms", 0),
    ("f", "slt", 0), ("f", "awb", 0), ("x", "kal_diphone", 0)]
RECORDINGS = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left", "Side_Right"]
CONDITIONS = [("clean", None)] + [(kind, ratio) for kind in ("white", "pink", "babble") for ratio in (20, 10, 5, 0)]


class Voices:
    """Utterances, each made once."""

    def __init__(self, cache):
        self.cache = cache
        cache.mkdir(parents=True, exist_ok=True)

    @staticmethod
    def _convert(source, target):
        subprocess.run(["sox", "-V1", source, "-r", str(RATE), "-c", "1", "-b", "16", "-e", "signed", "-t", "raw",
                        target, "gain", "-n", "-3"], check=True)

    @staticmethod
    def _read(path):
        return np.fromfile(path, "<i2").astype(np.float64) / 32768

    def say(self, engine, voice, speed, text):
        name = hashlib.sha256(repr((engine, voice, speed, text)).encode()).hexdigest()[:32]
        path = self.cache / f"{name}.raw"
        if not path.exists():
            sound, words = self.cache / f"{name}.wav", self.cache / f"{name}.txt"
            words.write_text(text + "\n")
            command = {
                "e": ["espeak-ng", "-v", voice, "-s", str(speed), "-w", sound, text],
                "f": ["flite", "-voice", voice, "-t", text, "-o", sound],
                "x": ["text2wave", "-eval", f"(voice_{voice})", words, "-o", sound]}[engine]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            self._convert(sound, path)
            sound.unlink()
            words.unlink()
        return self._read(path)

    def recording(self, name):
        path = self.cache / f"{name}.raw"
        if not path.exists():
            self._convert(f"/usr/share/sounds/alsa/{name}.wav", path)
        return self._read(path)


def labels_of(sound, is_recording):
    """Frames within 38 dB of the utterance's 95th percentile (30 for recordings, which have the noise of a room) are
    speech, and so are gaps of up to 60 ms between them (closures of stops)."""
    frames = sound.reshape(-1, FRAME)
    level = 20 * np.log10(np.sqrt(np.mean(frames ** 2, 1) + 1e-20))
    speech = level > np.percentile(level, 95) - (30 if is_recording else 38)
    index = 0
    while index < len(speech):
        if speech[index]:
            index += 1
            continue
        end = index
        while end < len(speech) and not speech[end]:
            end += 1
        if 0 < index and end < len(speech) and end - index <= 6:
            speech[index:end] = True
        index = end
    return speech.astype(np.int8)


def track(voices, random, seconds):
    """Utterances with pauses of 0.6 to 3.2 s: the sound, a label for each frame, and who speaks."""
    count = int(seconds * RATE) // FRAME * FRAME
    sound, labels, sources = np.zeros(count), np.zeros(count // FRAME, np.int8), ["-"] * (count // FRAME)
    position = int(random.uniform(1.5, 2.5) * RATE) // FRAME * FRAME
    recordings = list(random.permutation(RECORDINGS)[:5])
    turns = set(random.choice(14, 5, replace=False))
    turn = 0
    while True:
        is_recording = turn in turns
        if is_recording:
            name = recordings.pop(0)
            utterance, source = voices.recording(name), f"real:{name}"
        else:
            voice = VOICES[random.integers(len(VOICES))]
            utterance, source = voices.say(*voice, TEXTS[random.integers(len(TEXTS))]), f"{voice[0]}:{voice[1]}"
        turn += 1
        utterance = utterance[:len(utterance) // FRAME * FRAME]
        label = labels_of(utterance, is_recording)
        if position + len(utterance) + RATE > count:
            return sound, labels, sources
        active = utterance.reshape(-1, FRAME)[label == 1]
        utterance = utterance * (0.05 / np.sqrt(np.mean(active ** 2))) * 10 ** (random.uniform(-3, 3) / 20)
        sound[position:position + len(utterance)] += utterance
        first = position // FRAME
        labels[first:first + len(label)] = label
        sources[first:first + len(label)] = [source] * len(label)
        position += len(utterance) + int(random.uniform(0.6, 3.2) * RATE) // FRAME * FRAME


def noise(kind, count, voices, random):
    result = random.standard_normal(count)
    if kind == "pink":
        size = 1 << int(np.ceil(np.log2(count)))
        bins = np.arange(size // 2 + 1)
        spectrum = np.fft.rfft(random.standard_normal(size)) / np.sqrt(np.maximum(bins, size * 20 / RATE))
        result = np.fft.irfft(spectrum, size)[:count]
    if kind == "babble":
        result = np.zeros(count)
        for voice in [voice for voice in BABBLERS for _ in range(2)]:
            parts, length = [], 0
            while length < count + RATE:
                parts.append(voices.say(*voice, TEXTS[random.integers(len(TEXTS))]))
                parts.append(np.zeros(int(random.uniform(0.02, 0.25) * RATE)))
                length += len(parts[-1]) + len(parts[-2])
            start = random.integers(0, RATE // 2)
            talk = np.concatenate(parts)[start:start + count]
            result += talk / np.sqrt(np.mean(talk ** 2)) * 10 ** (random.uniform(-3, 3) / 20)
    return result / np.sqrt(np.mean(result ** 2)) if kind != "clean" else result


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, random = pathlib.Path(sys.argv[1]), np.random.default_rng(int(sys.argv[2]))
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 78
    folder.mkdir(parents=True, exist_ok=True)
    voices = Voices(pathlib.Path(os.environ.get("VADCACHE", folder.parent / "voices")))
    tracks = {}
    for kind, ratio in CONDITIONS:
        if kind not in tracks:
            parts = track(voices, random, seconds)
            tracks[kind] = (*parts, noise(kind, len(parts[0]), voices, random))
        sound, labels, sources, background = tracks[kind]
        level = np.sqrt(np.mean(sound.reshape(-1, FRAME)[labels == 1] ** 2))
        # The clean condition has the noise of a good converter, and no gain.
        mixed = sound + background * (10 ** (-72 / 20) if ratio is None else level / 10 ** (ratio / 20))
        mixed = mixed * (1.0 if ratio is None else 10 ** (random.uniform(-8, 4) / 20))
        mixed = mixed * min(1, 0.95 / np.max(np.abs(mixed)))
        name = kind if ratio is None else f"{kind}_{ratio:02d}dB"
        np.round(mixed * 32767).astype("<i2").tofile(folder / f"{name}.raw")
        with open(folder / f"{name}.csv", "w", encoding="ascii") as table:
            table.write("frame,start_ms,speech,source\n")
            table.writelines(f"{index},{index * 10},{int(label)},{source}\n"
                             for index, (label, source) in enumerate(zip(labels, sources)))


if __name__ == "__main__":
    main()

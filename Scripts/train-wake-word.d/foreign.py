# SPDX-License-Identifier: MIT
"""Festival's Hindi, Telugu, Czech and Russian voices, which read English phones in the spelling of their language."""

import pathlib
import re
import subprocess
import tempfile

import numpy

import voices

DICTIONARY = pathlib.Path("/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict")
NAMES = "AA AE AH AO AW AY OY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW P R S SH T TH UH UW V W Y Z ZH".split()
CZECH = dict(zip(NAMES, "á a a ó au aj oj b č d d e er ej f g h i í dž k l m n ng ou p r s š t t u ú v v j z ž".split()))
RUSSIAN = dict(zip(NAMES, "а э а о ау ай ой б ч д д э эр эй ф г х и и дж к л м н нг оу п р с ш т т у у в в й з ж".split()))
CONSONANTS = dict(zip("B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split(),
                      "ब च द द फ ग ह ज क ल म न ङ प र स श ट थ व व य ज श".split()))
# A vowel that stands alone, and its sign after a consonant.
SIGNS = {"AA": "आ ा", "AE": "ऐ ै", "AH": "इ ि", "AO": "ओ ो", "AW": "औ ौ", "AY": "ऐ ै", "EH": "ए े", "EY": "ए े", "IH": "इ ि",
         "IY": "ई ी", "OW": "ओ ो", "OY": "ओ ो", "UH": "उ ु", "UW": "ऊ ू"}
VOICES = ["hindi_NSK_diphone", "hindi_NSK_diphone", "telugu_NSK_diphone", "czech_dita", "czech_krb", "czech_machac", "czech_ph",
          "msu_ru_nsh_clunits", "msu_ru_nsh_clunits"]


def dictionary():
    words = {}
    for line in DICTIONARY.read_text(encoding="utf-8").splitlines():
        word, *phones = line.split()
        words.setdefault(word, phones)
    return words


def devanagari(phones):
    text, is_open = "", False
    for phone in [part for phone in phones for part in (["AH", "R"] if phone == "ER" else [phone])]:
        if phone in CONSONANTS:
            text += ("्" if is_open else "") + CONSONANTS[phone]
            is_open = True
        else:
            alone, sign = SIGNS.get(phone, "अ ा").split()
            text += sign if is_open else alone
            is_open = False
    return text


def spelled(line, voice, words):
    if isinstance(line, str):
        parts = [words[word] for word in re.findall(r"[a-z']+", line.lower()) if word in words]
    else:
        parts = [line[:2], line[2:]] if line[:2] == ["HH", "EY"] and len(line) > 4 else [line]
    if voice.startswith("czech"):
        return " ".join("".join(CZECH[phone] for phone in part) for part in parts)
    if "_ru_" in voice:
        return " ".join("".join(RUSSIAN[phone] for phone in part) for part in parts)
    text = " ".join(devanagari(part) for part in parts)
    # Telugu's letters stand in the same order.
    return "".join(chr(ord(letter) + 0x300) if "ऀ" <= letter <= "ॿ" else letter for letter in text) if "telugu" in voice else text


def spoken(lines, generator):
    """Yields the sound of each line; None where a voice cannot say it."""
    words = dictionary()
    chosen = [VOICES[generator.integers(len(VOICES))] for _ in lines]
    stretches = generator.uniform(0.75, 1.15, len(lines))
    with tempfile.TemporaryDirectory() as folder:
        for voice in sorted(set(chosen)):
            todo = [index for index in range(len(lines)) if chosen[index] == voice]
            while todo:
                script = "".join(
                    f"(Parameter.set 'Duration_Stretch {stretches[index]:.2f})\n(utt.save.wave (utt.synth (eval (list 'Utterance "
                    f"'Text \"{spelled(lines[index], voice, words)}\"))) \"{folder}/{index}.wav\" 'riff)\n" for index in todo)
                path = pathlib.Path(folder, "script.scm")
                path.write_text(f"(voice_{voice})\n{script}", encoding="iso-8859-2" if "czech" in voice else "utf-8")
                subprocess.run(["festival", "-b", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                # A line that the voice cannot say ends the process.
                missing = [index for index in todo if not pathlib.Path(folder, f"{index}.wav").exists()]
                todo = missing[1:]
        for index in range(len(lines)):
            path = pathlib.Path(folder, f"{index}.wav")
            yield sound(path, generator) if path.exists() else None


def sound(path, generator):
    header = path.read_bytes()
    rate = int.from_bytes(header[24:28], "little")
    samples = numpy.frombuffer(header[44:len(header) // 2 * 2], "<i2") / 32768
    loud = numpy.flatnonzero(numpy.abs(samples) > 0.02)
    if len(loud) < 1000:
        return None
    samples = samples[max(0, loud[0] - 500):loud[-1] + 500]
    return voices.resampled(samples, rate * generator.uniform(0.85, 1.2))

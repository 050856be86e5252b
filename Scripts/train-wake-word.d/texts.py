# SPDX-License-Identifier: MIT
"""Texts and phone strings to speak: the phrases, what sounds nearly like them, and other speech.

A line is (phones or text, has "hey jarvis", has "jarvis"); None for "hey jarvis" where a window should not count. Phones are
those of the CMU dictionary, in a list.
"""

HEY, JARVIS = ["HH", "EY"], ["JH", "AA", "R", "V", "AH", "S"]
VOWELS = "AA AE AH AO AW AY EH ER EY IH IY OW UW".split()
CONSONANTS = "B CH D F G HH JH K L M N P R S SH T V W Y Z".split()
# A listener may take these for each other, above all in noise, and so may the network.
ALIKE = [{"JH", "CH"}, {"AH", "IH", "EH"}, {"S", "Z"}, {"V", "F"}, {"AA", "AO", "AH"}, {"EY", "EH"}, {"JH", "ZH"}, {"JH", "D"},
         {"S", "SH"}, {"V", "B"}, {"V", "W"}]
COMMANDS = [
    "what's the weather like", "tell me a joke", "turn the lamp off", "how far is the moon", "call my brother", "pause",
    "what day is it", "lock the door", "where is my phone", "next song", "dim the lights", "read the news", "louder",
    "is the oven still on", "wake me at seven", "who wrote this", "cancel that", "how old is the universe"]
OTHER = [
    "could you pass me the salt", "we should leave before it gets dark", "she said that nobody had called", "three plus four",
    "the bus was full again this morning", "I have never been to Portugal", "put it on the shelf above the sink", "maybe later",
    "he fixed the bicycle himself", "there is a cat in the tree", "what do you think about that", "no, the other one",
    "it costs about twelve dollars", "my phone is running out of power", "they moved to a smaller house last year", "okay",
    "the meeting starts at half past nine", "did you see the game on Saturday", "we are out of coffee", "sounds good to me",
    "her voice was hardly heard", "a large part of it is service work", "just a minute", "yes of course", "hey, come over here",
    "hey what are you doing", "hey you", "hey there", "say that again", "they are all here", "hey guys", "hey everyone"]
# Besides these, rivals() makes more from phones.
NEAR = [
    "hey travis", "hey charlie", "hey garvey", "hey mavis", "hey davis", "hey jonas", "hey carla", "hey java", "hey john",
    "hey jar", "hey service", "hey marcus", "hey jade", "hey jody", "hey paris", "hey chavez", "hey lars", "hey barbara",
    "hey darwin", "hey jamie", "hey larva", "hey carver", "hey chartist", "hey harvest", "hey john is", "hey jargon",
    "harvest", "harvester", "carver's", "jar of", "a jar of jam", "jars", "jarring", "jargon", "the jar is", "larvas", "marvellous",
    "starving", "charge us", "charters", "carve this", "they carve us", "they are varnished", "they charge this", "chart is",
    "jersey", "jervis", "nervous", "service", "serve us", "purpose", "java is", "java's", "job is", "jobless", "jams", "joyous",
    "jealous", "justice", "jaundice", "darkness", "artist", "parvis", "garment", "gardens", "the garage is", "giraffe is",
    "they are just", "day service", "day charter", "may harvest", "say jar", "say charles", "pay jars", "hay carts", "hey you just",
    "okay charlie", "okay, jars of it", "dear travis", "a charred face", "jar face", "gar fish", "far fists", "hard fist"]
LEADS = ["okay", "well", "hello", "thank you", "dear", "my", "mister", "ask", "so"]


def alike(one, other):
    return one == other or any(one in pair and other in pair for pair in ALIKE)


def rivals(generator, count, phrase):
    """The phrase with phones exchanged, left out or cut off: each so that a person hears another word."""
    made = []
    while len(made) < count:
        phones = list(phrase)
        first = len(phrase) - len(JARVIS)
        for _ in range(generator.integers(1, 4)):
            place = int(generator.integers(first, len(phones)))
            others = VOWELS if phones[place] in VOWELS else CONSONANTS
            phones[place] = others[generator.integers(len(others))]
        if generator.random() < 0.2:
            del phones[int(generator.integers(first, len(phones)))]
        elif generator.random() < 0.15:
            phones = phones[:int(generator.integers(first + 2, len(phones)))]
        changed = len(phones) != len(phrase) or any(not alike(a, b) for a, b in zip(phones, phrase))
        if changed:
            made.append(phones)
    return made


def lines(generator, count):
    """About `count` lines, a third of them with the phrase."""
    made = []
    for _ in range(count):
        kind = generator.random()
        command = COMMANDS[generator.integers(len(COMMANDS))]
        if kind < 0.20:
            made.append((HEY + JARVIS, True, True))
        elif kind < 0.28:
            made.append((("hey jarvis" + (", " if generator.random() < 0.5 else " ") + command), True, True))
        elif kind < 0.34:
            made.append((JARVIS if generator.random() < 0.6 else "jarvis, " + command, None, True))
        elif kind < 0.37:
            made.append((LEADS[generator.integers(len(LEADS))] + " jarvis", None, True))
        elif kind < 0.60:
            phrase = HEY + JARVIS if generator.random() < 0.75 else JARVIS
            made.append((rivals(generator, 1, phrase)[0], False, False))
        elif kind < 0.85:
            made.append((NEAR[generator.integers(len(NEAR))], False, False))
        else:
            made.append(((OTHER + COMMANDS)[generator.integers(len(OTHER + COMMANDS))], False, False))
    return made

# SPDX-License-Identifier: MIT
"""Prints known answers for the tests: each derivation of docs/sync-format.md, by hashlib and PyPI `cryptography`.

usage: known_answers.py >known_answers.txt
"""

import hashlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

LABELS = ("entry", "head", "key", "log", "membership", "pairing", "recovery", "secrets", "snapshot", "wrap")


def label(word):
    return f"parley sync 1 {word}\0".encode("ascii")


def derive(word, key, salt):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=label(word)).derive(key)


def sha256(message):
    return hashlib.sha256(message).digest()


def seal(key, nonce, context, message):
    return nonce + AESGCM(key).encrypt(nonce, message, context)


def number(value):
    out = b""
    while value > 0x7F:
        out += bytes([value % 128 + 128])
        value //= 128
    return out + bytes([value])


def string(value):
    return number(len(value)) + value


def padded(length):
    """The formula of the paper, with its logarithms counted out."""
    if length < 2:
        return length
    e = max(n for n in range(64) if 2**n <= length)
    s = max(n for n in range(64) if 2**n <= e) + 1 if e else 1
    last = max(0, e - s)
    return -(-length // 2**last) * 2**last


def pad(message):
    return message + b"\x80" + bytes(padded(len(message) + 1) - len(message) - 1)


def answer(name, value):
    print(name, value.hex() if isinstance(value, bytes) else value)


def public(private):
    return private.public_key().public_bytes_raw()


key, salt = bytes(range(32)), bytes(range(0xA0, 0xB0))
for word in LABELS:
    answer(f"derive-{word}", derive(word, key, salt))
for length in [*range(0, 40), 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 1025, 65537, 1 << 20, 3145729]:
    answer(f"padded-{length}", padded(length))
for value in (0, 1, 127, 128, 300, 2**32 - 1, 2**63, 2**64 - 1):
    answer(f"number-{value}", number(value))

# A device, and the phrase.
signing = ed25519.Ed25519PrivateKey.from_private_bytes(b"\x55" * 32)
agreement = x25519.X25519PrivateKey.from_private_bytes(b"\x66" * 32)
keys = public(signing) + public(agreement)
device = sha256(keys)[:16]
phrase_signing = ed25519.Ed25519PrivateKey.from_private_bytes(b"\x77" * 32)
phrase_agreement = x25519.X25519PrivateKey.from_private_bytes(b"\x78" * 32)
phrase = public(phrase_signing) + public(phrase_agreement)
answer("device", device)

# The founding record.
epoch_key = b"\x99" * 32
ephemeral = x25519.X25519PrivateKey.from_private_bytes(b"\x88" * 32)
head = b"PSM1" + number(1) + number(0) + device + keys + phrase + number(0)
context = sha256(head)
wraps = b""
for index, (party, reader) in enumerate(sorted([(device, agreement), (bytes(16), phrase_agreement)], key=lambda x: x[0])):
    shared = ephemeral.exchange(reader.public_key())
    wrap = derive("wrap", shared, public(ephemeral) + public(reader))
    wraps += party + seal(wrap, bytes([index]) * 12, context + party, epoch_key)
secrets = number(1) + device + string("Küche".encode())
box = seal(derive("secrets", epoch_key, context), b"\x01" * 12, context, pad(secrets))
body = head + public(ephemeral) + derive("key", epoch_key, context) + number(2) + wraps + number(0) + string(box)
record = body + signing.sign(label("membership") + body)
group = sha256(record)
answer("context", context)
answer("commitment", derive("key", epoch_key, context))
answer("record", record)
answer("group", group)

# Its log, with two entries.
change = number(2) + string(b"\x0c" * 16) + number(1) + number(2) + string(b"A title")
entries, log = b"", sha256(label("log") + group + device)
answer("head-0", log)
for n in (1, 2):
    content = number(1) + number(1_700_000_000_000) + number(n) + number(1) + change
    entry = seal(
        derive("entry", epoch_key, device), bytes([0xE0 + n]) * 12, group + group + device + number(n), pad(content))
    log = sha256(label("entry") + log + number(n) + group[:8] + entry)
    answer(f"head-{n}", log)
    entries += group[:8] + string(entry)
segment = b"PSL1" + device + number(1) + number(2) + entries
answer("log", segment + signing.sign(label("head") + group + device + number(2) + log))

# A snapshot of it.
position = group + device + number(7) + number(1) + number(1)
stamp = number(1_700_000_000_000) + number(2) + device
items = number(0) + device + number(2) + log + number(1) + stamp + number(2) + change
box = seal(derive("snapshot", epoch_key, device), b"\x51" * 12, position + group, pad(items))
snapshot = b"PSS1" + group[:8] + string(box)
answer("snapshot", snapshot + signing.sign(label("snapshot") + position + group[:8] + sha256(box)))

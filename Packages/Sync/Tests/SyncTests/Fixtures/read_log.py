# SPDX-License-Identifier: MIT
"""Reads what a group of devices left at a place, from docs/sync-format.md alone.

usage: read_log.py FOLDER KEYS GROUP [--flips]

FOLDER has the objects as files. KEYS are a device's private keys (Ed25519, then X25519) and GROUP is the id of its group, in
hexadecimal digits. Verifies every object and prints the state as JSON; ends with 1 if any object is to be refused. With
--flips it then reads the folder again with one bit flipped in every object, at several positions of each, and prints the
objects and the positions at which the flip was not noticed. Objects of which nothing is believed are left out: logs that end
before a snapshot's head, and snapshots of devices that were removed.
"""

import hashlib
import json
import os
import re
import sys

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

YEAR_2200 = 7_258_118_400_000
OBJECT_LIMIT = 1 << 22
RECORD_LIMIT = 1 << 20
CONTENT_LIMIT = 3 << 20
SHOWN = 8
PHRASE = bytes(16)
UNLIMITED = 1 << 64


class Refused(Exception):
    pass


class Newer(Refused):
    pass


# Notation


def label(word):
    return b"parley sync 1 " + word.encode() + b"\0"


def sha256(message):
    return hashlib.sha256(message).digest()


def derive(word, key, salt):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=label(word)).derive(key)


def unseal(key, context, sealed):
    if len(sealed) < 28:
        raise Refused("a seal is too short")
    try:
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], context)
    except InvalidTag:
        raise Refused("a seal does not open") from None


def check(word, key, signature, message):
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, label(word) + message)
    except (InvalidSignature, ValueError):
        raise Refused("a signature is false") from None


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def padded(length):
    if length < 2:
        return length
    e = length.bit_length() - 1
    s = e.bit_length()
    mask = (1 << max(0, e - s)) - 1
    return (length + mask) & ~mask


def unpad(message):
    end = len(message.rstrip(b"\0"))
    if end == 0 or message[end - 1] != 0x80 or padded(end) != len(message):
        raise Refused("the padding is wrong")
    return message[: end - 1]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def fixed(self, count):
        if count > len(self.data) - self.at:
            raise Refused("bytes are missing")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, limit=1 << 64, least=0):
        value, shift = 0, 0
        while True:
            byte = self.fixed(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise Refused("a number is too long")
        if byte == 0 and shift > 0 or not least <= value < limit:
            raise Refused("a number is out of range, or longer than it must be")
        return value

    def number32(self):
        return self.number(1 << 32)

    def sequence(self, least=1):
        return self.number(1 << 62, least)

    def string(self):
        return self.fixed(self.number())

    def sorted(self, item, key=lambda x: x):
        items = []
        for _ in range(self.number()):
            items.append(item())
            if len(items) > 1 and not key(items[-2]) < key(items[-1]):
                raise Refused("a list is out of order")
        return items

    def hash(self):
        return self.fixed(32)

    def magic(self, expected):
        found = self.fixed(4)
        if found[:3] != expected[:3]:
            raise Refused("this is another object")
        if found != expected:
            raise Newer("a newer program wrote this")

    def end(self):
        if self.at != len(self.data):
            raise Refused("there are bytes after the end")


# Records of devices


def device_id(public):
    return sha256(public)[:16]


class Record:
    def __init__(self, data):
        if len(data) > RECORD_LIMIT:
            raise Refused("a record is too long")
        r = Reader(data)
        r.magic(b"PSM1")
        self.kind = r.number()
        if not 1 <= self.kind <= 4:
            raise Refused("an unknown kind of record")
        self.hash = sha256(data)
        self.group = self.hash if self.kind == 1 else r.hash()
        self.parents = r.sorted(r.hash)
        if (self.kind == 1) != (not self.parents):
            raise Refused("a record has no parents, or the founding one has some")
        self.signer = r.fixed(16)
        self.added = r.fixed(64) if self.kind in (1, 2) else None
        self.phrase = r.fixed(64) if self.kind == 1 else None
        if self.kind == 3:
            self.removed = r.fixed(16)
            self.last = r.sequence(0)
            if self.removed == PHRASE:
                raise Refused("the phrase cannot be removed")
        self.seen = r.sorted(lambda: (r.fixed(16), r.sequence(0)), lambda x: x[0])
        self.context = sha256(data[: r.at])
        self.ephemeral = r.fixed(32)
        self.commitment = r.fixed(32)
        self.wraps = dict(r.sorted(lambda: (r.fixed(16), r.fixed(60)), lambda x: x[0]))
        self.carried = r.sorted(r.hash)
        self.secrets = r.string()
        self.message = data[: r.at]
        self.signature = r.fixed(64)
        r.end()

    def commits(self, key):
        return derive("key", key, self.context) == self.commitment

    def unwrap(self, party, private):
        public = private.public_key().public_bytes_raw()
        try:
            shared = private.exchange(x25519.X25519PublicKey.from_public_bytes(self.ephemeral))
        except ValueError:
            raise Refused("a public key is of small order") from None
        key = unseal(derive("wrap", shared, self.ephemeral + public), self.context + party, self.wraps[party])
        if not self.commits(key):
            raise Refused("a wrapped key is not the epoch's")
        return key

    def open_secrets(self, key):
        r = Reader(unpad(unseal(derive("secrets", key, self.context), self.context, self.secrets)))
        keys = {epoch: r.fixed(32) for epoch in self.carried}
        names = r.sorted(lambda: (r.fixed(16), r.string()), lambda x: x[0])
        r.end()
        return keys, dict(names)


class Group:
    """The graph of records, and what it comes to."""

    def __init__(self, records, group):
        self.records = {}
        self.id = group
        founding = records.pop(group, None)
        if founding is None or founding.kind != 1 or founding.signer != device_id(founding.added):
            raise Refused("the founding record is missing")
        check("membership", founding.added[:32], founding.signature, founding.message)
        self.phrase = founding.phrase
        self.keys = {founding.signer: founding.added, PHRASE: founding.phrase}
        self.records[group] = founding
        while records:
            ready = [
                r for r in records.values() if r.signer in self.keys and all(p in self.records for p in r.parents)
            ]
            if not ready:
                raise Refused("a record's parents or signer are missing")
            for r in ready:
                del records[r.hash]
                if r.group != group:
                    raise Refused("a record belongs to another group")
                check("membership", self.keys[r.signer][:32], r.signature, r.message)
                self.records[r.hash] = r
                if r.kind == 2:
                    self.keys[device_id(r.added)] = r.added
        self.evaluate()

    def order(self):
        depth = {}

        def depth_of(record):
            open_ = [record]
            while open_:
                r = open_[-1]
                missing = [self.records[p] for p in r.parents if p not in depth]
                if missing:
                    open_ += missing
                else:
                    depth[r.hash] = 1 + max((depth[p] for p in r.parents), default=-1)
                    open_.pop()

        for record in self.records.values():
            if record.hash not in depth:
                depth_of(record)
        basic = sorted(self.records.values(), key=lambda r: (depth[r.hash], r.hash))
        position = {r.hash: i for i, r in enumerate(basic)}
        rank = {}
        for r in basic:
            if r.added is None:
                continue
            device = device_id(r.added)
            if r.kind == 1 or r.signer == PHRASE:
                found = 0
            elif r.signer == device or r.signer not in rank:
                continue
            else:
                found = rank[r.signer] + 1
            rank[device] = min(found, rank.get(device, found))
        removals = sorted(
            (r for r in basic if r.kind == 3),
            key=lambda r: (
                -1 if r.signer == PHRASE else rank.get(r.signer, UNLIMITED), r.signer, depth[r.hash], r.hash),
        )
        result, taken = [], set()
        for removal in removals:
            past, open_ = set(), [removal.hash]
            while open_:
                h = open_.pop()
                if h in taken or h in past:
                    continue
                past.add(h)
                open_ += self.records[h].parents
            result += sorted(past, key=position.get)
            taken |= past
        return [self.records[h] for h in result] + [r for r in basic if r.hash not in taken]

    def evaluate(self):
        self.members, self.accepted = {}, []
        for r in self.order():
            if r.kind != 1 and r.signer != PHRASE and self.members.get(r.signer, 0) is not None:
                continue
            if r.kind == 2 and device_id(r.added) in self.members:
                continue
            if r.kind == 3 and r.removed not in self.members:
                continue
            self.accepted.append(r)
            if r.added is not None:
                self.members[device_id(r.added)] = None
            elif r.kind == 3:
                self.members[r.removed] = max(r.last, self.members[r.removed] or 0)

    def is_active(self, device):
        return device in self.members and self.members[device] is None

    def limit(self, device):
        last = self.members.get(device, 0)
        return UNLIMITED if last is None else last

    def writable(self):
        """The epochs in which a device may write, in order."""
        parties = {d for d in self.members if self.is_active(d)} | {PHRASE}
        leaked, open_ = set(), [r.hash for r in self.records.values() if not set(r.wraps) <= parties]
        while open_:
            h = open_.pop()
            if h not in leaked:
                leaked.add(h)
                open_ += [c for c in self.records[h].carried if c in self.records] if h in self.records else []
        return [r.hash for r in self.accepted if set(r.wraps) == parties and r.hash not in leaked]


def ring(group, party, private):
    """The keys that a party can read, and the names of the devices."""
    keys, names = {}, {}
    for r in group.records.values():
        if party in r.wraps:
            keys[r.hash] = r.unwrap(party, private)
    open_ = list(keys)
    while open_:
        h = open_.pop()
        r = group.records[h]
        carried, names[h] = r.open_secrets(keys[h])
        for epoch, key in carried.items():
            if epoch in group.records and epoch not in keys:
                if not group.records[epoch].commits(key):
                    raise Refused("a carried key is not the epoch's")
                keys[epoch] = key
                open_.append(epoch)
    shown = {}
    for r in group.accepted:
        shown.update(names.get(r.hash, {}))
    return keys, shown


# Logs


class Segment:
    def __init__(self, data):
        r = Reader(data)
        r.magic(b"PSL1")
        self.device = r.fixed(16)
        self.first = r.sequence()
        self.entries = [(r.fixed(8), r.string()) for _ in range(r.number())]
        self.last = self.first + len(self.entries) - 1
        if not self.entries or self.last >= 1 << 62:
            raise Refused("a log without entries")
        self.signature = r.fixed(64)
        r.end()


class Log:
    def __init__(self, group, device):
        self.group, self.device = group, device
        self.heads = {0: sha256(label("log") + group.id + device)}
        self.entries = {}
        # The entries up to here are in a snapshot.
        self.snapshot = 0
        self.unchecked, self.missing = [], []

    def add(self, segment):
        # The check goes on from the head before the first entry, or else from a snapshot's.
        starts = [n for n in self.heads if segment.first - 1 <= n <= segment.last]
        if self.snapshot >= segment.first and segment.first - 1 not in starts:
            self.unchecked.append(f"l-{self.device.hex()}-{segment.first}-{segment.last}")
            if self.snapshot >= segment.last:
                return
        if not starts:
            self.missing.append(f"{self.device.hex()} before {segment.first}")
            return
        n = min(starts)
        head = self.heads[n]
        heads = {}
        for sequence, (epoch, box) in enumerate(segment.entries, segment.first):
            if sequence > n:
                head = sha256(label("entry") + head + number(sequence) + epoch + box)
                heads[sequence] = head
        end = self.group.id + self.device + number(segment.last) + head
        check("head", self.group.keys[self.device][:32], segment.signature, end)
        for sequence, head in heads.items():
            if self.heads.setdefault(sequence, head) != head:
                raise Refused("a fork")
            self.entries[sequence] = segment.entries[sequence - segment.first]


def read_change(r):
    kind, identity = r.number32(), r.string()
    if not 1 <= len(identity) <= 64:
        raise Refused("an id has a wrong length")
    return kind, identity, r.sorted(lambda: (r.number32(), r.string()), lambda f: f[0])


def content(data):
    """An entry's stamp, and its changes as (kind, id, tag, value)."""
    if len(data) > CONTENT_LIMIT:
        raise Refused("a content is too long")
    r = Reader(data)
    if r.number() != 1:
        raise Newer("a newer program wrote this entry")
    stamp = (r.number(YEAR_2200), r.number32())
    changes = []

    def change():
        kind, identity, fields = read_change(r)
        changes.extend((kind, identity, *f) for f in fields)
        return kind, identity

    r.sorted(change)
    r.end()
    return stamp, changes


# State


class State:
    def __init__(self, group):
        self.group, self.fields = group, {}

    def add(self, kind, identity, tag, version):
        (_, _, device), sequence, _ = version
        if sequence > self.group.limit(device):
            return
        if kind == 0 and len(identity) not in (16, 32) or kind == 1 and identity != device:
            return
        self.fields.setdefault((kind, identity), {}).setdefault(tag, set()).add(version)

    @staticmethod
    def ranked(tag, versions):
        # Equal stamps go by sequence and value, the smallest first, under both rules.
        ordered = sorted(versions, key=lambda v: (v[1], v[2]))
        ordered.sort(key=lambda v: v[0], reverse=tag % 2 == 0)
        return ordered[: 1 if tag % 2 else SHOWN]

    def records(self):
        erased = {identity for kind, identity in self.fields if kind == 0}
        for (kind, identity), fields in sorted(self.fields.items()):
            if kind != 1 and (kind == 0 or not {identity[:16], identity[:32]} & erased):
                yield kind, identity, {tag: self.ranked(tag, versions) for tag, versions in sorted(fields.items())}


# Snapshots


def read_snapshot(group, keys, device, number_, parts, heads, state):
    """Merges a snapshot; False without its key."""
    own = {}
    for part, data in sorted(parts.items()):
        r = Reader(data)
        r.magic(b"PSS1")
        epoch, box = r.fixed(8), r.string()
        signature = r.fixed(64)
        r.end()
        position = group.id + device + number(number_) + number(part) + number(len(parts))
        check("snapshot", group.keys[device][:32], signature, position + epoch + sha256(box))
        found = open_box(keys, epoch, "snapshot", device, lambda e: position + e, box)
        if found is None:
            return False
        r = Reader(found)
        while r.at < len(found):
            item = r.number()
            if item == 0:
                log, n, head = r.fixed(16), r.sequence(), r.hash()
                if part != 1 or log in own:
                    raise Refused("a head in the wrong place")
                own[log] = (n, head)
            elif item == 1:
                stamp = (r.number(YEAR_2200), r.number32(), r.fixed(16))
                sequence = r.sequence()
                kind, identity, fields = read_change(r)
                for tag, value in fields if sequence <= own.get(stamp[2], (0,))[0] else []:
                    state.add(kind, identity, tag, (stamp, sequence, value))
            else:
                raise Refused("an unknown item of a snapshot")
    for log, found in own.items():
        heads[log] = max(heads.get(log, found), found)
    return True


def open_box(keys, prefix, word, device, context, box):
    """The padded content of a box; None without a key."""
    epochs = [e for e in keys if e[:8] == prefix]
    for index, epoch in enumerate(epochs):
        try:
            return unpad(unseal(derive(word, keys[epoch], device), context(epoch), box))
        except Refused:
            if index == len(epochs) - 1:
                raise
    return None


# All of it

NAMES = {
    "m": re.compile(r"m-([0-9a-f]{64})"),
    "l": re.compile(r"l-([0-9a-f]{32})-([1-9][0-9]*)-([1-9][0-9]*)"),
    "s": re.compile(r"s-([0-9a-f]{32})-(0|[1-9][0-9]*)-([1-9][0-9]*)-([1-9][0-9]*)"),
}


def read(objects, private, group_id):
    records, segments, snapshots = {}, [], {}
    for name, data in objects.items():
        if len(data) > OBJECT_LIMIT:
            raise Refused("an object is too long")
        match = NAMES[name[0]].fullmatch(name) if name[:1] in NAMES else None
        if match is None:
            continue
        if name[0] == "m":
            record = Record(data)
            if record.hash.hex() != match[1]:
                raise Refused("a record is not what its name says")
            records[record.hash] = record
        elif name[0] == "l":
            segment = Segment(data)
            if (segment.device.hex(), str(segment.first), str(segment.last)) != match.groups():
                raise Refused("a log is not what its name says")
            segments.append(segment)
        else:
            n, part, parts = (int(word) for word in match.groups()[1:])
            if n >= 1 << 62 or part > parts or parts >= 1 << 32:
                continue
            snapshots.setdefault((n, bytes.fromhex(match[1]), parts), {})[part] = data

    group = Group(records, group_id)
    signing = ed25519.Ed25519PrivateKey.from_private_bytes(private[:32])
    agreement = x25519.X25519PrivateKey.from_private_bytes(private[32:])
    own = device_id(signing.public_key().public_bytes_raw() + agreement.public_key().public_bytes_raw())
    keys, names = ring(group, own, agreement)

    state, heads, unusable = State(group), {}, []
    for (n, device, parts), found in sorted(snapshots.items()):
        if group.is_active(device) and len(found) == parts:
            read_snapshot(group, keys, device, n, found, heads, state)
        else:
            unusable += [f"s-{device.hex()}-{n}-{part}-{parts}" for part in found]
    logs = {}
    for segment in sorted(segments, key=lambda s: (s.device, s.first, s.last)):
        if segment.device not in group.members:
            raise Refused("a log of a device that no record names")
        if segment.device not in logs:
            logs[segment.device] = Log(group, segment.device)
            if segment.device in heads:
                n, head = heads[segment.device]
                logs[segment.device].heads[n] = head
                logs[segment.device].snapshot = n
        logs[segment.device].add(segment)

    without_key = []
    for device, log in sorted(logs.items()):
        for sequence, (epoch, box) in sorted(log.entries.items()):
            if sequence > group.limit(device):
                continue
            context = lambda e: group.id + e + device + number(sequence)
            message = open_box(keys, epoch, "entry", device, context, box)
            if message is None:
                without_key.append((device, sequence))
                continue
            stamp, changes = content(message)
            for kind, identity, tag, value in changes:
                state.add(kind, identity, tag, ((*stamp, device), sequence, value))

    writable = [e for e in group.writable() if e in keys]
    return {
        "devices": [
            {"id": d.hex(), "last": last, "name": names.get(d, b"").decode(errors="replace")}
            for d, last in sorted(group.members.items())
        ],
        "records": [
            {
                "kind": kind,
                "id": identity.hex(),
                "fields": [
                    {
                        "tag": tag,
                        "versions": [
                            {"milliseconds": ms, "counter": c, "device": d.hex(), "sequence": n, "value": value.hex()}
                            for (ms, c, d), n, value in versions
                        ],
                    }
                    for tag, versions in fields.items()
                ],
            }
            for kind, identity, fields in state.records()
        ],
        "missing": sorted(entries for log in logs.values() for entries in log.missing),
        "unchecked": unusable + [name for log in logs.values() for name in log.unchecked],
        "withoutKey": [f"{d.hex()} {n}" for d, n in without_key],
        "writingEpoch": writable[-1].hex() if writable else None,
    }


def main():
    folder, private, group = sys.argv[1], bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3])
    objects = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            objects[name] = file.read(OBJECT_LIMIT + 1)
    try:
        state = read(objects, private, group)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    unchecked = state.pop("unchecked")
    print(json.dumps(state, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    if "--flips" in sys.argv:
        unnoticed = []
        for name, data in objects.items():
            if name in unchecked:
                continue
            for at in sorted({0, len(data) - 1, *range(1, len(data), max(1, len(data) // 12))}):
                changed = bytearray(data)
                changed[at] ^= 1 << at % 8
                try:
                    read({**objects, name: bytes(changed)}, private, group)
                    unnoticed.append(f"{name} {at}")
                except Refused:
                    pass
        checked = sorted(set(objects) - set(unchecked))
        print(json.dumps({"checked": checked, "unnoticed": unnoticed}, sort_keys=True, separators=(",", ":")))
    return 0


sys.exit(main())

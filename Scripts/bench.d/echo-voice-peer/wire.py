# SPDX-License-Identifier: MIT
"""What a tap saw: the events of each voice session, with the instants at which they were whole on the client's side."""

import base64
import collections
import dataclasses
import json
import struct


@dataclasses.dataclass
class Event:
    at: int
    is_client: bool
    type: str
    body: dict


class Messages:
    """One direction of a WebSocket connection, piece by piece."""

    def __init__(self):
        self.rest, self.in_frames, self.parts = b"", False, b""

    def feed(self, piece):
        self.rest += piece
        if not self.in_frames:
            head, mark, after = self.rest.partition(b"\r\n\r\n")
            if not mark:
                return
            if b"websocket" not in head.lower():
                self.rest = b""
                return
            self.in_frames, self.rest = True, after
        while (frame := self.frame()) is not None:
            code, is_last, payload = frame
            if code >= 8:
                continue
            self.parts += payload
            if is_last:
                yield json.loads(self.parts)
                self.parts = b""

    def frame(self):
        data = self.rest
        if len(data) < 2:
            return None
        if data[0] & 0x70:
            raise SystemExit("echo-voice: the wire is compressed")
        size, place = data[1] & 0x7F, 2
        if size == 126:
            size, place = struct.unpack(">H", data[2:4].rjust(2, b"\0"))[0], 4
        elif size == 127:
            size, place = struct.unpack(">Q", data[2:10].rjust(8, b"\0"))[0], 10
        masked = data[1] & 0x80
        mask = data[place : place + 4] if masked else b""
        place += 4 if masked else 0
        if len(data) < place + size:
            return None
        payload = data[place : place + size]
        if masked:
            key = (mask * (size // 4 + 1))[:size]
            payload = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
        self.rest = data[place + size :]
        return data[0] & 0x0F, bool(data[0] & 0x80), payload


def sessions(path):
    """The events of each connection that was a voice session, in the order in which they were on the wire."""
    found = collections.defaultdict(list)
    streams = collections.defaultdict(Messages)
    with open(path, encoding="utf-8") as file:
        pieces = [json.loads(line) for line in file]
    for piece in sorted(pieces, key=lambda piece: piece["at"]):
        key = (piece["link"], piece["client"])
        for body in streams[key].feed(base64.b64decode(piece["bytes"])):
            found[piece["link"]].append(Event(piece["at"], piece["client"], body["type"], body))
    return list(found.values())


def numbers(event):
    """The numbers of the device's pieces in a message with sound of the user's."""
    sound = base64.b64decode(event.body["audio"])
    return [sound[place] | sound[place + 2] << 8 | sound[place + 4] << 16 for place in range(0, len(sound), 960)]

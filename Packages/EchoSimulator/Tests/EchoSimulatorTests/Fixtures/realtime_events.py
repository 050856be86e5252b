# SPDX-License-Identifier: MIT
"""Reads events of the simulator's voice sessions, one a line, and checks each against the SDK's model of its type.

Prints how many it has checked, or fails with every fault. Sessions have an id, an object and an end in the API that the
SDK's type, which is that of the request, lacks.
"""

import base64
import json
import sys
import typing

import strict

from openai.types.realtime import realtime_server_event


def kinds():
    """The models by their type: a union would only say that nothing fits."""
    members = typing.get_args(realtime_server_event.RealtimeServerEvent)
    members = typing.get_args(members[0]) if typing.get_origin(members[0]) is typing.Union else members
    return {
        typing.get_args(member.model_fields["type"].annotation)[0]: member
        for member in members
        if isinstance(member, type)
    }


KINDS = kinds()


def check(event):
    kind = KINDS.get(event.get("type"))
    if kind is None:
        raise strict.Fault("there is no such type")
    if "session" in event:
        event = dict(event, session={k: v for k, v in event["session"].items() if k not in ("id", "object", "expires_at")})
    strict.validate(kind, event)
    if event["type"] == "response.output_audio.delta":
        base64.b64decode(event["delta"], validate=True)


def main():
    count, faults = 0, []
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            event = json.loads(line)
            try:
                check(event)
            except strict.Fault as fault:
                faults.append(f"line {number}, {event.get('type')}: {fault}")
            count += 1
    if faults:
        sys.exit("\n".join(faults[:20]))
    print(count)


if __name__ == "__main__":
    main()

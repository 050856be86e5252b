# SPDX-License-Identifier: MIT
"""Reads client events of a voice session, one a line, and checks each against both of the SDK's descriptions of them:
the TypedDicts of requests, and the pydantic models. Fields that they do not have are faults.

Prints how many it has checked, or fails with every fault.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[5] / "EchoSimulator/Tests/EchoSimulatorTests/Fixtures"))

import strict  # noqa: E402

from openai.types.realtime import realtime_client_event, realtime_client_event_param  # noqa: E402

KINDS = [realtime_client_event_param.RealtimeClientEventParam, realtime_client_event.RealtimeClientEvent]


def main():
    count, faults = 0, []
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            value = json.loads(line)
            for kind in KINDS:
                try:
                    strict.validate(kind, value)
                except strict.Fault as fault:
                    faults.append(f"line {number}, {value.get('type')}: {fault}")
            count += 1
    if faults:
        sys.exit("\n".join(faults[:20]))
    print(count)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Reads requests as `parley-server simulate-openai --record` writes them, and checks each body against the SDK's types.

Prints how many it has checked, or fails with every fault.
"""

import json
import sys

import strict

from openai.types import EmbeddingCreateParams
from openai.types.chat import completion_create_params as chat
from openai.types.realtime import realtime_client_event_param as realtime
from openai.types.responses import response_create_params as responses


def kind(path, body):
    isStreamed = body.get("stream") is True
    if path.endswith("/responses"):
        return responses.ResponseCreateParamsStreaming if isStreamed else responses.ResponseCreateParamsNonStreaming
    if path.endswith("/chat/completions"):
        return chat.CompletionCreateParamsStreaming if isStreamed else chat.CompletionCreateParamsNonStreaming
    if path.endswith("/embeddings"):
        return EmbeddingCreateParams
    if path.endswith("/realtime"):
        return realtime.RealtimeClientEventParam
    raise strict.Fault(f"no type for {path}")


def main():
    count, faults = 0, []
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            entry = json.loads(line)
            try:
                strict.validate(kind(entry["path"], entry["body"]), entry["body"])
            except strict.Fault as fault:
                faults.append(f"line {number}, {entry['path']}: {fault}")
            count += 1
    if faults:
        sys.exit("\n".join(faults))
    print(count)


if __name__ == "__main__":
    main()

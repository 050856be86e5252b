# SPDX-License-Identifier: MIT
"""Reads lines of {"kind": …, "value": …} from a file and checks each value against the SDK's type of that kind. A kind
with a "?" may have more fields than the type, as those of other servers than OpenAI's have.

Prints how many it has checked, or fails at the first fault.
"""

import json
import sys

import strict

from openai.types import CreateEmbeddingResponse, Model
from openai.types.audio import Transcription, TranscriptionVerbose
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent

KINDS = {
    "response": Response,
    "event": ResponseStreamEvent,
    "embeddings": CreateEmbeddingResponse,
    "model": Model,
    "transcription": Transcription,
    "transcription_verbose": TranscriptionVerbose,
    "chat": ChatCompletion,
    "chunk": ChatCompletionChunk,
}


def main():
    count = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            entry = json.loads(line)
            try:
                kind = entry["kind"]
                strict.validate(KINDS[kind.rstrip("?")], entry["value"], forbidsUnknown=not kind.endswith("?"))
            except strict.Fault as fault:
                sys.exit(f"line {number}, {entry['kind']} {entry['value'].get('type', '')}: {fault}")
            count += 1
    print(count)


if __name__ == "__main__":
    main()

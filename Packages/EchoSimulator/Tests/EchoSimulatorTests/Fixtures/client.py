# SPDX-License-Identifier: MIT
"""OpenAI's Python SDK as a client of the simulator: sync and async. Arguments: the base URL and a part's name."""

import asyncio
import json
import sys

import strict  # noqa: F401  before the SDK
import openai
import pydantic
from openai.types import CreateEmbeddingResponse, Model
from openai.types.audio import Transcription, TranscriptionStreamEvent, TranscriptionVerbose
from openai.types.responses import Response
from openai.types.responses.response_item_list import ResponseItemList

WEATHER = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather at a place",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"location": {"type": "string"}},
        "required": ["location"],
        "additionalProperties": False,
    },
}


def same(found, wanted):
    if found != wanted:
        raise SystemExit(f"{found!r} is not {wanted!r}")


class Profile(pydantic.BaseModel):
    name: str
    age: int
    tags: list[str]


def conversation(client):
    first = client.responses.create(model="gpt-5", input="Hello there")
    strict.validate(Response, first.to_dict(mode="json"))
    same(first.output_text, "You said: “Hello there” (2 words).")
    second = client.responses.create(model="gpt-5", input="And again", previous_response_id=first.id)
    same(second.output_text, "You said: “And again” (2 words). This was message 2 of yours.")
    assert second.usage.input_tokens > first.usage.input_tokens
    same(client.responses.retrieve(second.id).output_text, second.output_text)
    items = client.responses.input_items.list(second.id)
    same(len(items.data), 3)
    strict.validate(ResponseItemList, items.to_dict(mode="json"))
    client.responses.delete(first.id)
    try:
        client.responses.retrieve(first.id)
    except openai.NotFoundError:
        pass
    else:
        raise SystemExit("a deleted response is still there")


def stream(client):
    with client.responses.stream(
        model="gpt-5-mini", input="Stream this", reasoning={"effort": "low", "summary": "auto"}
    ) as events:
        text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        final = events.get_final_response()
    same(text, "You said: “Stream this” (2 words).")
    same(final.output_text, text)
    same(final.output[0].type, "reasoning")


def tools(client):
    first = client.responses.create(model="gpt-5", input="Please get_weather in Paris", tools=[WEATHER])
    call = first.output[0]
    same((call.type, call.name, json.loads(call.arguments)), ("function_call", "get_weather", {"location": "Paris"}))
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain"}
    second = client.responses.create(model="gpt-5", input=[output], previous_response_id=first.id, tools=[WEATHER])
    same(second.output_text, "get_weather answered: Rain")
    history = [{"role": "user", "content": "Please get_weather in Paris"}, call.to_dict(), output]
    same(client.responses.create(model="gpt-5", input=history, store=False).output_text, second.output_text)


def structured(client):
    response = client.responses.parse(model="gpt-5", input='Make "Ada" of 36', text_format=Profile)
    same(response.output_parsed, Profile(name="Ada", age=36, tags=["tags"]))
    completion = client.chat.completions.parse(
        model="gpt-5", messages=[{"role": "user", "content": 'Make "Ada" of 36'}], response_format=Profile
    )
    same(completion.choices[0].message.parsed, response.output_parsed)


def embeddings(client):
    texts = ["a cat sat on the mat", "the cat sits on a mat", "interest rates rose"]
    vectors = [item.embedding for item in client.embeddings.create(model="text-embedding-3-small", input=texts).data]
    same([len(vector) for vector in vectors], [1536] * 3)

    def likeness(first, second):
        return sum(x * y for x, y in zip(first, second))

    assert likeness(vectors[0], vectors[1]) > likeness(vectors[0], vectors[2]) + 0.2
    answer = client.embeddings.create(
        model="text-embedding-3-small", input=texts[0], dimensions=64, encoding_format="float"
    )
    strict.validate(CreateEmbeddingResponse, answer.to_dict(mode="json"))
    plain = answer.data[0].embedding
    same(len(plain), 64)
    short = client.embeddings.create(model="text-embedding-3-small", input=texts[0], dimensions=64).data[0].embedding
    assert max(abs(x - y) for x, y in zip(plain, short)) < 1e-6


def transcription(client):
    sound = b"RIFF" + (36 + 32000).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    sound += b"\x01\x00\x01\x00" + (8000).to_bytes(4, "little") + (16000).to_bytes(4, "little") + b"\x02\x00\x10\x00"
    sound += b"data" + (32000).to_bytes(4, "little") + bytes(32000)
    file = ("speech.wav", sound, "audio/wav")
    result = client.audio.transcriptions.create(model="whisper-1", file=file, language="en")
    same(result.text, "This is a recording of 2 seconds.")
    strict.validate(Transcription, result.to_dict(mode="json"))
    verbose = client.audio.transcriptions.create(
        model="whisper-1", file=file, response_format="verbose_json", timestamp_granularities=["word"]
    )
    same((verbose.duration, len(verbose.words)), (2.0, 7))
    # The API has a `task` that the SDK's type lacks.
    strict.validate(TranscriptionVerbose, {k: v for k, v in verbose.to_dict(mode="json").items() if k != "task"})
    events = list(client.audio.transcriptions.create(model="gpt-4o-transcribe", file=file, stream=True))
    same(events[-1].type, "transcript.text.done")
    for event in events:
        strict.validate(TranscriptionStreamEvent, event.to_dict(mode="json"))
    same(client.audio.transcriptions.create(model="whisper-1", file=file, response_format="text").strip(), result.text)


def background(client):
    queued = client.responses.create(model="gpt-5", input="Take your time", background=True)
    same(queued.status, "queued")
    same([client.responses.retrieve(queued.id).status for _ in range(2)], ["in_progress", "completed"])
    other = client.responses.create(model="gpt-5", input="Never mind", background=True)
    same(client.responses.cancel(other.id).status, "cancelled")
    same(client.responses.retrieve(other.id).status, "cancelled")
    events = list(client.responses.create(model="gpt-5", input="Resume me", background=True, stream=True))
    rest = list(client.responses.retrieve(events[0].response.id, stream=True, starting_after=3))
    same([event.sequence_number for event in rest], list(range(4, len(events))))


def errors(client):
    def expect(kind, code, param, **arguments):
        try:
            client.responses.create(**({"model": "gpt-5", "input": "x"} | arguments))
        except kind as error:
            same((error.code, error.param), (code, param))
        else:
            raise SystemExit(f"{arguments} was accepted")

    expect(openai.BadRequestError, "unknown_parameter", "telepathy", extra_body={"telepathy": True})
    expect(openai.BadRequestError, "invalid_type", "store", store="yes")
    expect(openai.BadRequestError, "unsupported_parameter", "temperature", temperature=0.5)
    expect(openai.NotFoundError, "model_not_found", "model", model="gpt-1")
    expect(openai.BadRequestError, "previous_response_not_found", "previous_response_id", previous_response_id="resp_0")
    loose = WEATHER | {"parameters": {"type": "object", "properties": {}}}
    expect(openai.BadRequestError, "invalid_function_parameters", "tools[0].parameters", tools=[loose])
    try:
        openai.OpenAI(base_url=client.base_url, api_key="wrong").models.list()
    except openai.AuthenticationError as error:
        same(error.code, "invalid_api_key")
    else:
        raise SystemExit("a wrong key was accepted")


def retries(client):
    """The scenario fails four times, once in each form of Retry-After, before each answer."""
    for _ in range(5):
        same(client.with_options(max_retries=2).responses.create(model="gpt-5", input="Hi").output_text, "Hello again")


def chat(client):
    tool = {"type": "function", "function": {key: WEATHER[key] for key in ("name", "description", "parameters")}}
    messages = [{"role": "user", "content": "Please get_weather in Oslo"}]
    with client.chat.completions.stream(
        model="gpt-5", messages=messages, tools=[tool], stream_options={"include_usage": True}
    ) as events:
        for _ in events:
            pass
        completion = events.get_final_completion()
    message = completion.choices[0].message
    call = message.tool_calls[0]
    same((call.function.name, json.loads(call.function.arguments)), ("get_weather", {"location": "Oslo"}))
    same(completion.choices[0].finish_reason, "tool_calls")
    assert completion.usage.total_tokens > 0
    function = {"name": call.function.name, "arguments": call.function.arguments}
    messages += [
        {"role": "assistant", "tool_calls": [{"id": call.id, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call.id, "content": "Snow"},
    ]
    answer = client.chat.completions.create(model="gpt-5", messages=messages, tools=[tool])
    same(answer.choices[0].message.content, "get_weather answered: Snow")


async def asynchronous(url):
    client = openai.AsyncOpenAI(base_url=url, api_key="test", max_retries=0)
    answers = await asyncio.gather(
        *(client.responses.create(model="gpt-5", input=f"Number {number}") for number in range(8))
    )
    same([answer.output_text for answer in answers], [f"You said: “Number {n}” (2 words)." for n in range(8)])
    async with client.responses.stream(model="gpt-5", input="In pieces") as events:
        same((await events.get_final_response()).output_text, "You said: “In pieces” (2 words).")
    models = [model async for model in client.models.list()]
    assert len(models) > 5
    for model in models:
        strict.validate(Model, model.to_dict(mode="json"))
    await client.close()


def main():
    url = sys.argv[1]
    client = openai.OpenAI(base_url=url, api_key="test", max_retries=0)
    for name in sys.argv[2:]:
        if name == "asynchronous":
            asyncio.run(asynchronous(url))
        else:
            globals()[name](client)


if __name__ == "__main__":
    main()

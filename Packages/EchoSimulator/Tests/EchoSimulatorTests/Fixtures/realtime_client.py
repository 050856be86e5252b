# SPDX-License-Identifier: MIT
"""OpenAI's Python SDK in voice sessions with the simulator. Arguments: the base URL and the parts' names.

Every event that comes is checked as it came, before the SDK makes an object of it, which it does without checking.
"""

import asyncio
import base64
import json
import math
import struct
import sys

import realtime_events
import strict  # noqa: F401  before the SDK
import openai
import websockets


def same(found, wanted):
    if found != wanted:
        raise SystemExit(f"{found!r} is not {wanted!r}")


def tone(milliseconds):
    """A voice of 200 Hz, loud enough."""
    count = 24 * milliseconds
    return struct.pack(f"<{count}h", *(int(9000 * math.sin(place * 200 * 2 * math.pi / 24000)) for place in range(count)))


def silence(milliseconds):
    return bytes(48 * milliseconds)


class Session:
    def __init__(self, connection):
        self.connection, self.events = connection, []

    async def next(self):
        message = await self.connection.recv_bytes()
        event = json.loads(message)
        try:
            realtime_events.check(event)
        except strict.Fault as fault:
            raise SystemExit(f"{event}: {fault}")
        self.events.append(event)
        return self.connection.parse_event(message)

    async def until(self, kind):
        """The events up to the first of that type."""
        events = []
        while not events or events[-1].type != kind:
            events.append(await self.next())
            if events[-1].type == "error" and kind != "error":
                raise SystemExit(f"{events[-1]}")
        return events

    async def say(self, sound):
        for place in range(0, len(sound), 4800):
            audio = base64.b64encode(sound[place : place + 4800]).decode()
            await self.connection.input_audio_buffer.append(audio=audio)

    async def write(self, text):
        content = [{"type": "input_text", "text": text}]
        await self.connection.conversation.item.create(item={"type": "message", "role": "user", "content": content})


async def begin(client, **session):
    connection = await client.realtime.connect(model="gpt-realtime").enter()
    session_ = Session(connection)
    same([(await session_.next()).type for _ in range(2)], ["session.created", "conversation.created"])
    if session:
        await connection.session.update(session={"type": "realtime", **session})
        updated = (await session_.until("session.updated"))[-1].session
        same(updated.type, "realtime")
    return session_


async def text(client):
    session = await begin(client, output_modalities=["text"], instructions="Be brief.")
    await session.write("Hello there")
    await session.connection.response.create()
    events = await session.until("response.done")
    same("".join(e.delta for e in events if e.type == "response.output_text.delta"), "You said: “Hello there” (2 words).")
    same(events[-1].response.status, "completed")
    await session.connection.response.create(
        response={"conversation": "none", "metadata": {"a": "b"}, "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Aside"}]}]}
    )
    events = await session.until("response.done")
    same((events[-1].response.metadata, events[-1].response.conversation_id), ({"a": "b"}, None))
    same([e.type for e in events if e.type.startswith("conversation.item")], [])
    await session.connection.close()


async def audio(client):
    session = await begin(client, audio={"input": {"transcription": {"model": "gpt-4o-transcribe"}}})
    await session.say(silence(300) + tone(1200) + silence(900))
    events = await session.until("response.done")
    kinds = [event.type for event in events]
    same(kinds[:2], ["input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped"])
    transcript = next(e.transcript for e in events if e.type.endswith("transcription.completed"))
    assert transcript.startswith("This is speech of"), transcript
    sound = b"".join(base64.b64decode(e.delta) for e in events if e.type == "response.output_audio.delta")
    assert len(sound) > 24_000, len(sound)
    item = next(e.item for e in events if e.type == "response.output_item.done")
    # What was heard of the answer.
    await session.connection.conversation.item.truncate(item_id=item.id, content_index=0, audio_end_ms=300)
    same((await session.until("conversation.item.truncated"))[-1].audio_end_ms, 300)
    await session.connection.conversation.item.retrieve(item_id=item.id)
    short = (await session.until("conversation.item.retrieved"))[-1].item
    same(len(base64.b64decode(short.content[0].audio)), 300 * 48)
    await session.connection.conversation.item.truncate(item_id=item.id, content_index=0, audio_end_ms=400)
    error = (await session.until("error"))[-1].error
    assert "already shorter" in error.message, error
    await session.connection.conversation.item.delete(item_id=item.id)
    same((await session.until("conversation.item.deleted"))[-1].item_id, item.id)
    await session.connection.close()


async def push_to_talk(client):
    session = await begin(client, audio={"input": {"turn_detection": None, "format": {"type": "audio/pcmu"}}})
    await session.say(bytes(range(256)) * 10)
    await session.connection.input_audio_buffer.commit()
    await session.until("conversation.item.done")
    await session.say(bytes(10))
    await session.connection.input_audio_buffer.clear()
    await session.until("input_audio_buffer.cleared")
    await session.connection.input_audio_buffer.commit(event_id="mine")
    error = (await session.until("error"))[-1].error
    same((error.code, error.event_id), ("input_audio_buffer_commit_empty", "mine"))
    await session.connection.close()


async def tools(client):
    tool = {
        "type": "function", "name": "get_weather", "description": "The weather at a place",
        "parameters": {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]},
    }
    session = await begin(client, tools=[tool], tool_choice="auto")
    await session.write("Please get_weather in Paris")
    await session.connection.response.create()
    done = next(e for e in await session.until("response.done") if e.type == "response.function_call_arguments.done")
    same((done.name, json.loads(done.arguments)), ("get_weather", {"location": "Paris"}))
    await session.connection.conversation.item.create(
        item={"type": "function_call_output", "call_id": done.call_id, "output": "Rain"}
    )
    await session.connection.response.create()
    events = await session.until("response.done")
    same(
        next(e.transcript for e in events if e.type == "response.output_audio_transcript.done"),
        "get_weather answered: Rain",
    )
    await session.connection.close()


async def cancel(client):
    """The scenario's first answer is slow."""
    session = await begin(client)
    await session.write("A long story")
    await session.connection.response.create()
    await session.until("response.output_audio.delta")
    await session.connection.response.create(event_id="second")
    error = (await session.until("error"))[-1].error
    same((error.code, error.event_id), ("conversation_already_has_active_response", "second"))
    await session.connection.response.cancel()
    events = await session.until("response.done")
    same((events[-1].response.status, events[-1].response.status_details.reason), ("cancelled", "client_cancelled"))
    same(events[-1].response.output[0].status, "incomplete")
    await session.until("rate_limits.updated")
    await session.connection.response.cancel(event_id="third")
    error = (await session.until("error"))[-1].error
    same((error.code, error.event_id), ("response_cancel_not_active", "third"))
    await session.connection.close()


async def closed(client):
    """Prints the code that each of as many sessions as asked for ends with, after what its text turn brings."""
    codes = []
    for _ in range(int(sys.argv[3])):
        session = await begin(client)
        try:
            await session.write("Hello")
            await session.connection.response.create()
            while True:
                await session.next()
        except websockets.ConnectionClosed as error:
            codes.append(error.rcvd.code if error.rcvd else 1006)
    print(*codes)


async def main():
    client = openai.AsyncOpenAI(base_url=sys.argv[1], api_key="test", max_retries=0)
    names = sys.argv[2:] if sys.argv[2] != "closed" else ["closed"]
    for name in names:
        await asyncio.wait_for(globals()[name](client), 200)
    await client.close()


if __name__ == "__main__":
    asyncio.run(main())

# SPDX-License-Identifier: MIT
"""A client of a Wyoming server, by the reference library.

usage: wyoming_client.py URI info
       wyoming_client.py URI transcribe FILE...       one after another, each on a connection of its own
       wyoming_client.py URI together COUNT FILE      as many clients at once
       wyoming_client.py URI wake FILE...
       wyoming_client.py URI speak whole|streaming VOICE OUT TEXT
       wyoming_client.py URI broken                   what is no frame, and clients that have gone or read nothing

Prints a line of JSON for each result.
"""

import asyncio
import json
import sys
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop, wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped, SynthesizeVoice
from wyoming.wake import Detect, Detection, NotDetected

URI = sys.argv[1]


def show(value):
    print(json.dumps(value), flush=True)


def sound(path):
    with wave.open(path, "rb") as file:
        return list(wav_to_chunks(file, samples_per_chunk=1024, start_event=True, stop_event=True))


async def answer(client, *kinds):
    """The next event of one of the kinds; an error ends the program."""
    while True:
        event = await client.read_event()
        assert event is not None, "the server has hung up"
        assert not Error.is_type(event.type), event.data
        if any(kind.is_type(event.type) for kind in kinds):
            return event


async def info():
    async with AsyncClient.from_uri(URI) as client:
        await client.write_event(Describe().event())
        return Info.from_event(await answer(client, Info))


async def transcript(path):
    async with AsyncClient.from_uri(URI) as client:
        await client.write_event(Transcribe(language="en").event())
        for part in sound(path):
            await client.write_event(part.event())
        return Transcript.from_event(await answer(client, Transcript)).text


async def wake(path):
    async with AsyncClient.from_uri(URI) as client:
        await client.write_event(Detect(names=["hey_jarvis"]).event())
        for part in sound(path):
            await client.write_event(part.event())
        event = await answer(client, Detection, NotDetected)
        return Detection.from_event(event).name if Detection.is_type(event.type) else None


async def speak(mode, voice, path, text):
    async with AsyncClient.from_uri(URI) as client:
        chosen = SynthesizeVoice(name=voice)
        if mode == "streaming":
            await client.write_event(SynthesizeStart(voice=chosen).event())
            for word in text.split(" "):
                await client.write_event(SynthesizeChunk(text=word + " ").event())
            # As Home Assistant does, for servers that do not stream.
            await client.write_event(Synthesize(text=text, voice=chosen).event())
            await client.write_event(SynthesizeStop().event())
        else:
            await client.write_event(Synthesize(text=text, voice=chosen).event())
        starts, file = 0, None
        with wave.open(path, "wb") as file:
            while True:
                event = await answer(client, AudioStart, AudioChunk, AudioStop, SynthesizeStopped)
                if AudioStart.is_type(event.type):
                    start = AudioStart.from_event(event)
                    if starts == 0:
                        file.setframerate(start.rate)
                        file.setsampwidth(start.width)
                        file.setnchannels(start.channels)
                    starts += 1
                elif AudioChunk.is_type(event.type):
                    file.writeframes(AudioChunk.from_event(event).audio)
                elif SynthesizeStopped.is_type(event.type) or mode == "whole":
                    return starts


async def broken():
    async def code(data):
        """The code of the error that the bytes get."""
        client = AsyncClient.from_uri(URI)
        await client.connect()
        client._writer.write(data)
        try:
            event = await client.read_event()
        except ConnectionError:
            event = None
        client._writer.close()
        return event and Error.from_event(event).code

    for data in [b"GET / HTTP/1.1\r\n\r\n", b'{"type": "x", "payload_length": -1}\n', b'{"type": "x", "data_length": 2}\n[]',
                 b'{"type": "x", "payload_length": 104857600}\n', b'{"type": "no-such-event"}\n']:
        show(await code(data))
    # A header of 100 MB: the server hangs up at its limit, and does not read on.
    assert await code(b"x" * (100 << 20)) in ("invalid-frame", None)
    # Half a frame, and a request for sound that nobody reads.
    gone = AsyncClient.from_uri(URI)
    await gone.connect()
    gone._writer.write(b'{"type": "audio-chunk", "payload_length": 1000}\nabc')
    gone._writer.close()
    deaf = AsyncClient.from_uri(URI)
    await deaf.connect()
    deaf._writer.transport.pause_reading()
    await deaf.write_event(Synthesize(text="What is the capital of Texas? " * 2000).event())
    await deaf.write_event(Event(type="ping"))
    async with AsyncClient.from_uri(URI) as client:
        await client.write_event(Ping(text="still there").event())
        show(Pong.from_event(await answer(client, Pong)).text)


async def main():
    command, arguments = sys.argv[2], sys.argv[3:]
    if command == "info":
        found = await info()
        show({"asr": [model.name for program in found.asr for model in program.models],
              "tts": [voice.name for program in found.tts for voice in program.voices],
              "languages": sorted({tag for program in found.tts for voice in program.voices for tag in voice.languages}),
              "wake": [model.phrase for program in found.wake for model in program.models],
              "version": found.asr[0].version})
    elif command == "transcribe":
        for path in arguments:
            show(await transcript(path))
    elif command == "together":
        for text in await asyncio.gather(*[transcript(arguments[1]) for _ in range(int(arguments[0]))]):
            show(text)
    elif command == "wake":
        for path in arguments:
            show(await wake(path))
    elif command == "speak":
        show(await speak(*arguments))
    else:
        await broken()


asyncio.run(main())

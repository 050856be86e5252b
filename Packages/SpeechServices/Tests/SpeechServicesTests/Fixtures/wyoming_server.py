# SPDX-License-Identifier: MIT
"""A Wyoming server over the reference library: hears one sentence, and says a tone.

usage: wyoming_server.py [rate=HZ] [streaming] [error=TEXT] [no-voice]

Prints its port. The sound of an utterance is counted, and its length printed, so that a test can compare it.
"""

import array
import asyncio
import sys

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

OPTIONS = dict(word.partition("=")[::2] for word in sys.argv[1:])
RATE = int(OPTIONS.get("rate") or 22050)
STREAMING = "streaming" in OPTIONS
TONE = array.array("h", [(index % 50) * 400 - 10_000 for index in range(6_000)]).tobytes()
AUTHOR = Attribution(name="Parley", url="https://example.org")


def artifact(name):
    return {"name": name, "attribution": AUTHOR, "installed": True, "description": name.title(), "version": "1"}


INFO = Info(
    asr=[AsrProgram(**artifact("whisper"), models=[AsrModel(**artifact("base"), languages=["en"])],
                    supports_transcript_streaming=STREAMING)],
    tts=[TtsProgram(**artifact("piper"), voices=[TtsVoice(**artifact("amy"), languages=["en_US"])],
                    supports_synthesize_streaming=STREAMING)])


class Handler(AsyncEventHandler):
    heard = 0
    texts = None

    async def handle_event(self, event):
        if "error" in OPTIONS or "no-voice" in OPTIONS:
            if event.type in ("synthesize", "synthesize-stop", "audio-stop"):
                code = "voice-not-found" if "no-voice" in OPTIONS else None
                await self.write_event(Error(text=OPTIONS.get("error") or "gone", code=code).event())
            return True
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Transcribe.is_type(event.type):
            self.heard = 0
        elif AudioStart.is_type(event.type):
            AudioStart.from_event(event)
        elif AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            assert (chunk.rate, chunk.width, chunk.channels) == (16000, 2, 1)
            self.heard += chunk.samples
        elif AudioStop.is_type(event.type):
            if STREAMING:
                await self.write_event(TranscriptStart(language="en").event())
                for text in ("Turn on", " the light."):
                    await self.write_event(TranscriptChunk(text=text).event())
            await self.write_event(Transcript(text=" Turn on the light.", language="en").event())
            if STREAMING:
                await self.write_event(TranscriptStop().event())
            print("heard", self.heard, flush=True)
        elif SynthesizeStart.is_type(event.type):
            self.texts = []
        elif SynthesizeChunk.is_type(event.type):
            self.texts.append(SynthesizeChunk.from_event(event).text)
            await self.say()
        elif SynthesizeStop.is_type(event.type):
            await self.write_event(SynthesizeStopped().event())
            print("said", "".join(self.texts), flush=True)
        elif Synthesize.is_type(event.type) and self.texts is None:
            request = Synthesize.from_event(event)
            await self.say()
            print("said", request.text, request.voice.name if request.voice else "", flush=True)
        return True

    async def say(self):
        await self.write_event(AudioStart(rate=RATE, width=2, channels=1).event())
        for start in range(0, len(TONE), 2048):
            piece = TONE[start:start + 2048]
            await self.write_event(AudioChunk(rate=RATE, width=2, channels=1, audio=piece).event())
        await self.write_event(AudioStop().event())


async def main():
    server = await asyncio.start_server(lambda reader, writer: Handler(reader, writer).run(), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())

# SPDX-License-Identifier: MIT
"""OpenAI's Python SDK in the place of Echo: the same turns with the same device, as `echo-voice-client talk`.

usage: talk.py BASE JOURNAL TURNS PERIODS SILENCE GAP [interrupt]
"""

import asyncio
import base64
import json
import resource
import struct
import sys
import threading
import time

import openai

PERIOD = 480
PATIENCE = 10


def context_switches():
    """Of all threads of this process, voluntary or not."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_nvcsw + usage.ru_nivcsw


class Device:
    """A microphone and a loudspeaker with the clock of real ones, on a thread of their own, whose instants are noted."""

    def __init__(self, loop):
        self.loop, self.sounds, self.journal = loop, asyncio.Queue(), []
        self.lock, self.queued, self.place, self.wanted, self.is_closed = threading.Lock(), bytearray(), 0, 0, False
        self.silent = asyncio.Event()
        self.silent.set()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def note(self, what, **members):
        self.journal.append({"what": what, "at": time.monotonic_ns(), **members})

    def run(self):
        following, number = time.monotonic_ns(), 0
        while not self.is_closed:
            following += 20_000_000
            time.sleep(max(0, following - time.monotonic_ns()) / 1e9)
            with self.lock:
                had_sound = self.place < len(self.queued)
                self.place = min(len(self.queued), self.place + 2 * PERIOD)
                if had_sound and self.place == len(self.queued):
                    self.loop.call_soon_threadsafe(self.silent.set)
                is_loud = self.wanted > 0
                self.wanted -= is_loud
            sound = LOUD if is_loud else SILENT
            sound = struct.pack("<3h", number & 0xFF, number >> 8 & 0xFF, number >> 16) + sound[6:]
            self.note("captured", number=number, loud=int(is_loud))
            self.loop.call_soon_threadsafe(self.sounds.put_nowait, sound)
            number += 1

    def say(self, periods):
        with self.lock:
            self.wanted += periods

    def play(self, sound):
        self.note("play", frames=len(sound) // 2)
        with self.lock:
            del self.queued[: self.place]
            self.place = 0
            self.queued += sound
        self.silent.clear()

    def flush(self):
        """Drops what was not heard, and says how much of the last answer was."""
        with self.lock:
            dropped, self.queued, self.place = (len(self.queued) - self.place) // 2, bytearray(), 0
        self.note("flush", dropped=dropped)
        self.silent.set()
        return dropped

    def close(self):
        self.is_closed = True
        self.thread.join()


LOUD = struct.pack(f"<{PERIOD}h", *(9_000 if place // 60 % 2 == 0 else -9_000 for place in range(PERIOD)))
SILENT = bytes(2 * PERIOD)


async def send(device, connection):
    while True:
        sound = await device.sounds.get()
        await connection.input_audio_buffer.append(audio=base64.b64encode(sound).decode())


async def receive(device, connection, answered):
    item, frames = None, 0
    async for event in connection:
        if event.type == "input_audio_buffer.speech_started":
            if not device.silent.is_set():
                heard = frames - device.flush()
                await connection.conversation.item.truncate(
                    item_id=item, content_index=0, audio_end_ms=max(1, heard // 24))
        elif event.type == "input_audio_buffer.committed":
            await connection.response.create()
        elif event.type == "response.output_audio.delta":
            sound = base64.b64decode(event.delta)
            if event.item_id != item:
                item, frames = event.item_id, 0
            frames += len(sound) // 2
            device.play(sound)
        elif event.type == "response.done":
            if event.response.status != "completed":
                raise SystemExit(f"talk.py: {event}")
            answered.put_nowait(event)
        elif event.type == "error":
            raise SystemExit(f"talk.py: {event}")


async def main():
    base, journal = sys.argv[1:3]
    turns, periods, silence, gap = map(int, sys.argv[3:7])
    interrupts = sys.argv[7:] == ["interrupt"]
    client = openai.AsyncOpenAI(base_url=base, api_key="bench", max_retries=0)
    async with client.realtime.connect(model="gpt-realtime") as connection:
        detection = {"type": "server_vad", "threshold": 0.5, "silence_duration_ms": silence, "prefix_padding_ms": 300,
                     "create_response": False, "interrupt_response": False}
        sound = {"input": {"format": {"type": "audio/pcm", "rate": 24_000}, "turn_detection": detection,
                           "transcription": {"model": "whisper-1"}},
                 "output": {"format": {"type": "audio/pcm", "rate": 24_000}}}
        await connection.session.update(
            session={"type": "realtime", "output_modalities": ["audio"], "audio": sound})
        while (await connection.recv()).type != "session.updated":
            pass
        device = Device(asyncio.get_running_loop())
        answered = asyncio.Queue()
        tasks = [asyncio.create_task(send(device, connection)),
                 asyncio.create_task(receive(device, connection, answered))]

        async def turn(number):
            device.note("turn")
            device.say(periods)
            waiting = asyncio.create_task(answered.get())
            done, _ = await asyncio.wait([waiting, *tasks], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if waiting not in done:
                for task in done:
                    task.result()
                raise SystemExit(f"talk.py: no answer within {PATIENCE} s")
            if not interrupts:
                await asyncio.wait_for(device.silent.wait(), PATIENCE)
            await asyncio.sleep(0.02 * (gap + number if interrupts else gap))

        try:
            await turn(0)
            start, processor, switches = time.monotonic_ns(), time.process_time_ns(), context_switches()
            device.note("begin")
            for number in range(turns):
                await turn(number)
            with open("/proc/self/status", encoding="utf-8") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
            device.note("end", processor=time.process_time_ns() - processor, wall=time.monotonic_ns() - start,
                        switches=context_switches() - switches, kilobytes=peak)
        finally:
            device.close()
            for task in tasks:
                task.cancel()
    with open(journal, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in device.journal)


if __name__ == "__main__":
    asyncio.run(main())

# SPDX-License-Identifier: MIT
"""Lets ElevenLabs' own SDK speak a text by the server at an address, and list its models and voices.

usage: elevenlabs_judge.py BASE KEY

Prints the number of bytes that it heard, the id of each model, and the id and name of each voice.
"""

import sys

from elevenlabs import VoiceSettings
from elevenlabs.client import ElevenLabs

client = ElevenLabs(base_url=sys.argv[1], api_key=sys.argv[2])
sound = client.text_to_speech.stream(
    "21m00Tcm4TlvDq8ikWAM", text="Grüß Gott, it is “nine”.", model_id="eleven_flash_v2_5", language_code="en",
    output_format="pcm_24000", seed=7,
    voice_settings=VoiceSettings(stability=0.75, similarity_boost=0.75, style=0.5, speed=1.5, use_speaker_boost=True))
print("bytes", sum(map(len, sound)))
for model in client.models.list():
    print("model", model.model_id)
for voice in client.voices.get_all().voices:
    print("voice", voice.voice_id, voice.name)

# SPDX-License-Identifier: MIT
"""Prints server events of a voice session, one a line, made from the SDK's models: each with its required fields alone,
and with every field, once for each variant of its unions. Every text and number is another, so that it can be found
again in what is made of it.
"""

import base64
import inspect
import json
import sys
import typing

typing.Iterable = typing.List

import pydantic  # noqa: E402

from openai.types.realtime import realtime_server_event  # noqa: E402


# Which fields a part of content has, by the end of its kind's name: the models allow all of them at once.
PARTS = {"text": ["type", "text"], "audio": ["type", "audio", "transcript"], "image": ["type", "image_url", "detail"]}


class Maker:
    def __init__(self, variant, full):
        self.variant, self.full, self.count = variant, full, 0
        self.variants = 1

    def next(self):
        self.count += 1
        return self.count

    def make(self, kind, name=""):
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if origin is typing.Annotated:
            return self.make(arguments[0], name)
        if origin is typing.Literal:
            self.variants = max(self.variants, len(arguments) if name == "type" else 1)
            return arguments[self.variant % len(arguments)]
        if origin is typing.Union:
            members = [member for member in arguments if member is not type(None)]
            members = [member for member in members if typing.get_origin(member) is not typing.Literal] or members
            self.variants = max(self.variants, len(members))
            return self.make(members[self.variant % len(members)], name)
        if origin is list:
            return [self.make(arguments[0], name)]
        if origin is dict:
            return {f"key{self.next()}": self.make(arguments[1], name)}
        if inspect.isclass(kind) and issubclass(kind, pydantic.BaseModel):
            value = {
                field.alias or name: self.make(field.annotation, name)
                for name, field in kind.model_fields.items()
                if self.full or field.is_required()
            }
            if kind.__name__ in ("Content", "Part") and "type" in value:
                names = PARTS[value["type"].split("_")[-1]]
                value = {name: value[name] for name in names if name in value}
            return value
        if kind is str:
            text = f"text{self.next()}"
            return base64.b64encode(text.encode()).decode() if name == "audio" else text
        if kind is bool:
            return True
        if kind is int:
            return 70000 + self.next()
        if kind is float:
            return 80000.5 + self.next()
        return {f"key{self.next()}": f"text{self.next()}"}


def main():
    kinds = typing.get_args(realtime_server_event.RealtimeServerEvent)
    kinds = typing.get_args(kinds[0]) if typing.get_origin(kinds[0]) is typing.Union else kinds
    for kind in kinds:
        if not inspect.isclass(kind):
            continue
        for full in (False, True):
            variant, variants = 0, 1
            while variant < variants:
                maker = Maker(variant, full)
                value = maker.make(kind)
                if value["type"] == "response.output_audio.delta":
                    value["delta"] = base64.b64encode(b"sound").decode()
                # The model itself has the last word on whether that is such an event.
                pydantic.TypeAdapter(kind).validate_python(value, strict=True)
                json.dump(value, sys.stdout)
                print()
                variants = maker.variants
                variant += 1


if __name__ == "__main__":
    main()

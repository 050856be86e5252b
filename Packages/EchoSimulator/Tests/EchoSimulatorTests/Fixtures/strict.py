# SPDX-License-Identifier: MIT
"""Checks JSON against the types of OpenAI's Python SDK, strictly.

The SDK itself constructs without validating, and lets unknown fields pass. So values go through pydantic's TypeAdapter
here, and then every object is walked beside its type, in search of fields that the type does not have.
"""

import types
import typing

# Iterable fields are checked lazily, and unions of them not at all, unless they are lists. Before the SDK is imported.
typing.Iterable = typing.List

import pydantic  # noqa: E402
import typing_extensions  # noqa: E402


class Fault(Exception):
    pass


_adapters = {}


def adapter(kind):
    key = repr(kind)
    if key not in _adapters:
        _adapters[key] = pydantic.TypeAdapter(kind)
    return _adapters[key]


def validate(kind, value, path="$", forbidsUnknown=True):
    """Raises Fault where `value` is no `kind`, or has a field that `kind` does not have."""
    try:
        adapter(kind).validate_python(value, strict=True)
    except pydantic.ValidationError as error:
        raise Fault(f"{path}: {error}") from None
    faults = unknown(kind, value, path) if forbidsUnknown else []
    if faults:
        raise Fault("unknown fields: " + ", ".join(faults))


def plain(kind):
    """A type without Annotated, Required and aliases around it."""
    while True:
        origin = typing.get_origin(kind)
        if isinstance(kind, typing_extensions.TypeAliasType):
            kind = kind.__value__
        elif origin is typing.Annotated or str(origin).endswith((".Required", ".NotRequired")):
            kind = typing.get_args(kind)[0]
        else:
            return kind


def fields(kind):
    """The names of a model's or a TypedDict's fields and their types; None for other types."""
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        return {(field.alias or name): field.annotation for name, field in kind.model_fields.items()}
    if typing_extensions.is_typeddict(kind) or typing.is_typeddict(kind):
        return typing_extensions.get_type_hints(kind)
    return None


def fits(kind, value):
    try:
        adapter(kind).validate_python(value, strict=True)
        return True
    except pydantic.ValidationError:
        return False


def unknown(kind, value, path):
    """The paths of the fields that the type does not have."""
    kind = plain(kind)
    origin = typing.get_origin(kind)
    if origin is typing.Union or isinstance(kind, getattr(types, "UnionType", ())):
        # The variant that explains most.
        fitting = [member for member in typing.get_args(kind) if fits(member, value)]
        found = [unknown(member, value, path) for member in fitting]
        return min(found, key=len, default=[f"{path} fits nothing"])
    if isinstance(value, list):
        arguments = typing.get_args(kind)
        if not arguments:
            return []
        return [name for index, element in enumerate(value) for name in unknown(arguments[0], element, f"{path}[{index}]")]
    if isinstance(value, dict):
        known = fields(kind)
        if known is None:
            arguments = typing.get_args(kind)
            if origin is dict and len(arguments) == 2:
                return [name for key, member in value.items() for name in unknown(arguments[1], member, f"{path}.{key}")]
            return []
        found = []
        for name, member in value.items():
            if name not in known:
                found.append(f"{path}.{name}")
            else:
                found += unknown(known[name], member, f"{path}.{name}")
        return found
    return []

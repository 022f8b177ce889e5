"""What is wanted of a batch, in words: options of the verb and of the readers, by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_type_hints

from animato.errors import OptionError, unknown_name
from animato.formats import ClipReading

_CHECKING = ("keep_reference_pose", "soles")
_MAPPED = {"mimic": {"capture_hz": "rate_hz"}}
"""Readers' options that have another name here, because the verb has an option of that name."""


@dataclass(frozen=True)
class Wishes:
    """What is wanted.

    Attributes:
        options: Of the verb, all of them, those that were not given as they are by default.
        reading: What files do not say about themselves, see `ClipReading`; only what was given.
        mapping: For mimic: the file of a mapping, "" where it is to be found.
    """

    options: dict[str, Any] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)
    mapping: str = ""


def wishes_of(verb: str, given: Mapping[str, Any] | None) -> Wishes:
    """Sorts options by whom they are for and checks them, before anything runs.

    Args:
        verb: Of the batch.
        given: By name; or the verb's own `Options`.

    Raises:
        UnknownNameError: There is no such option.
        OptionError: A value is out of range.
    """
    asked = asdict(given) if dataclasses.is_dataclass(given) and not isinstance(given, type) else dict(given or {})
    own = _own_options(verb)
    renamed = _MAPPED.get(verb, {})
    readers = {name for name in get_type_hints(ClipReading) if name not in own} | set(renamed)
    allowed = [*own, *sorted(readers)]
    for name in asked:
        if name not in allowed:
            raise unknown_name("option", name, allowed, f"a batch of {verb}")
    reading = {renamed.get(name, name): _plain(value) for name, value in asked.items() if name not in own}
    mapping = ""
    if verb == "mimic" and "mapping" in reading:
        mapping = str(reading.pop("mapping"))
    options = {name: value for name, value in asked.items() if name in own}
    if verb != "check":
        try:
            options = asdict(_options_class(verb)(**options))
        except TypeError as error:
            raise OptionError(f"An option of {verb} is of the wrong kind: {error}") from None
    return Wishes({name: _plain(value) for name, value in options.items()}, reading, mapping)


def parsed_options(words: Sequence[str]) -> dict[str, Any]:
    """Options from words such as "time=0.5", "protect=[neck_pan, 1.2-1.6]" or "balance=false".

    Raises:
        OptionError: A word is no name and value.
    """
    import yaml

    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        try:
            parsed = yaml.safe_load(value)
        except yaml.YAMLError:
            parsed, equals = None, ""
        if not equals or not name.strip():
            raise OptionError(
                f"`option` is a name and a value, such as time=0.5 or points=[head, hand]; given '{word}'."
            )
        found[name.strip().replace("-", "_")] = parsed
    return found


def options_of(verb: str, wishes: Wishes) -> Any:
    """The verb's `Options` that wishes state."""
    made = {name: tuple(value) if isinstance(value, list) else value for name, value in wishes.options.items()}
    return _options_class(verb)(**made)


def _own_options(verb: str) -> tuple[str, ...]:
    return _CHECKING if verb == "check" else tuple(one.name for one in fields(_options_class(verb)))


def _options_class(verb: str) -> Any:
    if verb == "fix":
        from animato.fix import Options as FixOptions

        return FixOptions
    if verb == "mimic":
        from animato.mimic.options import Options as MimicOptions

        return MimicOptions
    from animato.steady import Options as SteadyOptions

    return SteadyOptions


def _plain(value: Any) -> Any:
    """As JSON holds it, so that what was sent in a file is what was given."""
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)

"""Changes single values of a servo map, as a person types them."""

from __future__ import annotations

from collections.abc import Sequence

from animato.character import Character
from animato.errors import OptionError, UnknownNameError, did_you_mean
from animato.formats.character_yaml import servo_map_data
from animato.formats.files import Value
from animato.stage.servos.map_file import MapFile, save_changes

BUS_KEYS = ("kind", "port", "baud", "rate")
SERVO_KEYS = ("bus", "id", "zero", "sign", "gear", "lowest", "highest", "travel", "reverse", "current")


def set_values(file: MapFile, character: Character, name: str, words: Sequence[str]) -> Character:
    """Writes values into the entry of a joint or a bus; an entry that is not there is made.

    Args:
        file: Where the map stands.
        character: With the map as it is.
        name: Of a coordinate, or of a bus.
        words: KEY=VALUE each, as they would stand in the file, such as current=400 mA; nothing behind the equals sign
            takes the key out.

    Raises:
        OptionError: A word is no KEY=VALUE, or the key is not known.
        UnknownNameError: There is neither a coordinate nor a bus of that name.
        FileFormatError: A value is not right; the file is as it was.
    """
    is_servo = name in character.coordinate_names
    said = [word.partition("=") for word in words]
    if not is_servo and name not in [bus.name for bus in character.buses] and "kind" not in [key for key, _, _ in said]:
        known = (*character.actuated_coordinate_names, *(bus.name for bus in character.buses))
        raise UnknownNameError(
            f"'{name}' is neither a joint of '{character.name}' nor a bus of its servo map.{did_you_mean(name, known)} "
            f"There are: {', '.join(known)}."
        )
    keys = SERVO_KEYS if is_servo else BUS_KEYS
    section = servo_map_data(character).get("servos" if is_servo else "buses", {})
    assert isinstance(section, dict)
    had = section.get(name, {})
    entry: dict[str, Value] = dict(had) if isinstance(had, dict) else {}
    if not words:
        raise OptionError(f"Say what is to be set: KEY=VALUE, with KEY one of {', '.join(keys)}.")
    for word, (key, equals, value) in zip(words, said, strict=True):
        if not equals:
            raise OptionError(f"'{word}' is no KEY=VALUE, such as zero=2048.")
        if key not in keys:
            what = "servo" if is_servo else "bus"
            raise OptionError(f"A {what} has no '{key}'.{did_you_mean(key, keys)} It has {', '.join(keys)}.")
        if value.strip():
            entry[key] = _typed(value.strip())
        else:
            entry.pop(key, None)
    changes = {name: entry}
    return save_changes(file, character, {} if is_servo else changes, changes if is_servo else {})


def _typed(text: str) -> Value:
    """A value as it is written without quotes: a number, true or false; else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text

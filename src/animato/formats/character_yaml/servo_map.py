"""The servo map of a character: a part of its file, or a file of its own beside a robot that comes as URDF or MJCF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path

from animato.character import Bus, Character, Wire
from animato.errors import unknown_name
from animato.formats.character_yaml import schema
from animato.formats.character_yaml.reading_sections import section_of
from animato.formats.files import Places, Value, read_text_whole, write_whole, yaml_text

LARGEST_MAP = 4_000_000  # bytes; a thousand servos take a tenth of it


def wiring_of(
    buses: Mapping[str, schema.BusSection],
    servos: Mapping[str, schema.ServoSection],
    coordinates: Iterable[str],
    owner: str,
    places: Places,
) -> tuple[tuple[Bus, ...], tuple[Wire, ...]]:
    """Buses and wires of the two sections, each trouble named with its line."""
    lines, wires = [], []
    known = tuple(coordinates)
    for name, bus in buses.items():
        with places.at("buses", name):
            lines.append(Bus(name, bus.kind, bus.port, bus.baud, bus.rate))
    for name, servo in servos.items():
        with places.at("servos", name):
            if name not in known:
                raise unknown_name("coordinate", name, known, owner)
        with places.at("servos", name, "bus"):
            if servo.bus not in buses:
                raise unknown_name("bus", servo.bus, buses, owner)
        with places.at("servos", name):
            wires.append(Wire(name, **{key: getattr(servo, key) for key in schema.ServoSection.model_fields}))
    return tuple(lines), tuple(wires)


def with_servo_map(character: Character, path: str | Path) -> Character:
    """The character with the servo map that stands in a file of its own.

    Args:
        character: Of any file; a servo map that it has is replaced.
        path: A YAML file that starts with `animato: 1` and holds `buses` and `servos` as a character file does.

    Raises:
        FileFormatError: Something is wrong in it; the message names the line.
    """
    return servo_map_from_text(character, read_text_whole(path, largest=LARGEST_MAP), path)


def servo_map_from_text(character: Character, text: str, source: str | Path) -> Character:
    """The same, of what stands in such a file; `source` is what errors call it."""
    section, places = section_of(text, source, schema.ServoMapSection, "servo map")
    with places.at("servos"):
        buses, wires = wiring_of(section.buses, section.servos, character.coordinate_names, character.name, places)
        return replace(character, buses=buses, wires=wires)


def save_servo_map(path: str | Path, character: Character) -> Path:
    """Writes the servo map of a character as a file of its own, whole or not at all."""
    data: dict[str, Value] = {"animato": 1, "name": character.name}
    return write_whole(path, yaml_text(data | servo_map_data(character)))


def servo_map_data(character: Character) -> dict[str, Value]:
    """The sections `buses` and `servos`; what has its default value is left out."""
    buses: dict[str, Value] = {}
    for bus in character.buses:
        said = {"port": bus.port or None, "baud": bus.baud, "rate": bus.rate_hz}
        buses[bus.name] = {"kind": bus.kind.value, **{key: value for key, value in said.items() if value is not None}}
    servos: dict[str, Value] = {wire.coordinate: _servo(wire) for wire in character.wires}
    sections: dict[str, Value] = {"buses": buses, "servos": servos}
    return {name: section for name, section in sections.items() if section}


def _servo(wire: Wire) -> dict[str, Value]:
    usual = {one.name: one.default for one in fields(Wire)}
    kept = {one.name: getattr(wire, one.name) for one in fields(Wire) if one.name != "coordinate"}
    return {key: value for key, value in kept.items() if value != usual[key]}

"""Reads a mapping from YAML."""

from __future__ import annotations

from pathlib import Path

from animato.character import Sole
from animato.errors import did_you_mean
from animato.formats.files import (
    Data,
    Dimension,
    PathInFile,
    Places,
    described,
    parse_yaml,
    quantity,
    read_text_whole,
)
from animato.mimic.anatomy import BodyPoint
from animato.mimic.mapping.mapping import Mapping
from animato.mimic.person import LANDMARKS, SIDES

LARGEST_FILE = 1_000_000  # bytes
_KEYS = ("animato_mapping", "person", "robot", "soles", "weights")


def load_mapping(path: str | Path) -> Mapping:
    """Reads a mapping file.

    Raises:
        FileFormatError: Something is wrong in it; the line, what was given and what is allowed are named.
    """
    document = parse_yaml(read_text_whole(path, largest=LARGEST_FILE), path)
    places = Places(path, document)
    data = document.data
    if not isinstance(data, dict) or "animato_mapping" not in data:
        raise places.error((), "a mapping of a person and a robot starts with 'animato_mapping: 1'.")
    if data["animato_mapping"] != "1":
        raise places.error(("animato_mapping",), f"must be 1, not {described(data['animato_mapping'])}.")
    _check_keys(data, _KEYS, (), places)
    reader = _Reader(places)
    with places.at():
        return Mapping(
            tuple((name, reader.names(("person", name), value)) for name, value in reader.section(data, "person")),
            tuple(reader.point(name, value) for name, value in reader.section(data, "robot")),
            tuple(reader.sole(name, value) for name, value in reader.section(data, "soles", SIDES)),
            tuple((name, reader.weight(name, value)) for name, value in reader.section(data, "weights")),
        )


class _Reader:
    """Reads the parts of a file and says where they are wrong."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def section(self, data: dict[str, Data], key: str, allowed: tuple[str, ...] = LANDMARKS) -> list[tuple[str, Data]]:
        """Names and values of a section, none where it is absent."""
        section = data.get(key)
        if section is None:
            return []
        if not isinstance(section, dict):
            raise self.places.error((key,), f"must be a mapping of names to values, not {described(section)}.")
        _check_keys(section, allowed, (key,), self.places)
        return list(section.items())

    def names(self, path: PathInFile, value: Data) -> tuple[str, ...]:
        """A name, or names in brackets."""
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self.places.error(path, f"must be names of bones or markers in brackets, not {described(value)}.")
        return tuple(str(name) for name in names)

    def point(self, landmark: str, value: Data) -> BodyPoint:
        """A place on a body; its origin where no place is given."""
        path = ("robot", landmark)
        entries = self._entries(path, value, ("body", "at"))
        at = entries.get("at")
        position = (0.0, 0.0, 0.0) if at is None else self._vector((*path, "at"), at)
        return BodyPoint(landmark, self._body(path, entries), position)

    def sole(self, side: str, value: Data) -> Sole:
        """An outline on a body."""
        path = ("soles", side)
        entries = self._entries(path, value, ("body", "corners"))
        corners = entries.get("corners")
        if not isinstance(corners, list) or len(corners) < 3:
            raise self.places.error(
                (*path, "corners"), f"must be a list of 3 or more corners, not {described(corners)}."
            )
        outline = tuple(self._vector((*path, "corners", index), corner) for index, corner in enumerate(corners))
        return Sole(side, self._body(path, entries), outline)

    def weight(self, landmark: str, value: Data) -> float:
        """A number of at least 0."""
        path = ("weights", landmark)
        with self.places.at(*path):
            weight = quantity(value, Dimension.NUMBER)
        if weight < 0.0:
            raise self.places.error(path, f"must be a number of at least 0, not {described(value)}.")
        return weight

    def _entries(self, path: PathInFile, value: Data, keys: tuple[str, ...]) -> dict[str, Data]:
        if not isinstance(value, dict):
            raise self.places.error(path, f"must be {{{keys[0]}: ..., {keys[1]}: ...}}, not {described(value)}.")
        _check_keys(value, keys, path, self.places)
        return value

    def _body(self, path: PathInFile, entries: dict[str, Data]) -> str:
        body = entries.get("body")
        if not isinstance(body, str):
            raise self.places.error((*path, "body"), f"must be the name of a body, not {described(body)}.")
        return body

    def _vector(self, path: PathInFile, value: Data) -> tuple[float, float, float]:
        if not isinstance(value, list) or len(value) != 3:
            raise self.places.error(path, f"must be three lengths in brackets, not {described(value)}.")
        with self.places.at(*path):
            x, y, z = (quantity(one, Dimension.LENGTH) for one in value)
        return x, y, z


def _check_keys(data: dict[str, Data], allowed: tuple[str, ...], path: PathInFile, places: Places) -> None:
    for key in data:
        if key not in allowed:
            hint = did_you_mean(key, allowed)
            raise places.error((*path, key), f"is not known.{hint} Allowed: {', '.join(allowed)}.")

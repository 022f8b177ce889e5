"""Writes a mapping as YAML that people like to read and change."""

from __future__ import annotations

from pathlib import Path

from animato.character import Vector3
from animato.errors import OptionError
from animato.formats.files import Value, write_whole, yaml_text
from animato.mimic.mapping.mapping import Mapping

SUFFIXES = (".yaml", ".yml")
_HEAD = """\
# Which places of a person and of a robot belong together. Change what is wrong and leave out what is right:
# what is not named here is found by itself. Lengths are metres where no unit is written; 12 cm and 3 mm work too.
"""
_COMMENTS = {
    "person": "# Landmark: the bones or markers whose mean it is; [] leaves the landmark out.",
    "robot": "# Landmark: the body of the robot it is on, and where in that body's frame.",
    "soles": "# What touches the floor: convex outlines in the frame of a body.",
    "weights": "# How much a landmark counts; 1 where it is not named.",
}


def save_mapping(path: str | Path, mapping: Mapping) -> Path:
    """Writes a mapping (.yaml or .yml), whole or not at all.

    Raises:
        OptionError: The path has another ending.
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise OptionError(f"A mapping is written as .yaml, not as '{Path(path).name}'.")
    return write_whole(path, mapping_text(mapping))


def mapping_text(mapping: Mapping) -> str:
    """The text of the file."""
    sections: dict[str, dict[str, Value]] = {
        "person": {landmark: list(names) for landmark, names in mapping.person},
        "robot": {point.landmark: {"body": point.body, "at": _vector(point.position)} for point in mapping.robot},
        "soles": {
            sole.name: {"body": sole.body, "corners": [_vector(corner) for corner in sole.corners]}
            for sole in mapping.soles
        },
        "weights": dict(mapping.weights),
    }
    text = _HEAD + yaml_text({"animato_mapping": 1.0})
    for key, section in sections.items():
        if section:
            text += f"\n{_COMMENTS[key]}\n" + yaml_text({key: section})
    return text


def _vector(values: Vector3) -> list[Value]:
    # -0.0 is a number that nobody wants to read.
    return [value + 0.0 for value in values]

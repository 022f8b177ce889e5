"""XML written element by element, with numbers that come back bit for bit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

import numpy as np

from animato.errors import CharacterError
from animato.formats.files import XmlElement
from animato.spatial.rigid_transform import RigidTransform

# What XML cannot say at all, and line ends, which its readers turn into spaces.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def element(tag: str, *children: XmlElement, **attributes: str | float | Iterable[float]) -> XmlElement:
    """An element; attributes are texts, numbers or several numbers. A `_` behind a name is left out (`class_`)."""
    texts = {key.rstrip("_"): value if isinstance(value, str) else numbers(value) for key, value in attributes.items()}
    return XmlElement(tag, texts, 0, list(children))


def numbers(values: float | Iterable[float]) -> str:
    """One or several numbers, the shortest that are read as the same bits."""
    parts = [float(values)] if isinstance(values, int | float) else [float(value) for value in values]
    return " ".join(str(int(one)) if one == int(one) and abs(one) < 1e6 else repr(one) for one in parts)


def xml_text(root: XmlElement) -> str:
    """The whole document.

    Raises:
        CharacterError: A name has characters that XML cannot hold.
    """
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', *_lines(root, "")]) + "\n"


def _lines(one: XmlElement, margin: str) -> list[str]:
    head = f"{margin}<{one.tag}" + "".join(f" {key}={_quoted(value)}" for key, value in one.attributes.items())
    if not one.children:
        return [f"{head}/>"]
    inside = [line for child in one.children for line in _lines(child, margin + "  ")]
    return [f"{head}>", *inside, f"{margin}</{one.tag}>"]


def _quoted(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise CharacterError(f"The name {text[:60]!r} has characters that XML cannot hold; rename it.")
    return quoteattr(text)


def roll_pitch_yaw(transform: RigidTransform) -> tuple[float, float, float]:
    """Turns about the fixed x, then y, then z axis [rad], to the last digits also where pitch is a right angle."""
    matrix = transform.rotation
    yaw = math.atan2(matrix[1, 0], matrix[0, 0])
    pitch = math.atan2(-matrix[2, 0], math.hypot(matrix[0, 0], matrix[1, 0]))
    # What yaw and pitch leave over is a turn about x; read off so, it makes up for their rounding.
    cos, sin = math.cos(yaw), math.sin(yaw)
    y_axis = np.array((-sin, cos, 0.0))
    roll = math.atan2(-float(y_axis @ matrix[:, 2]), float(y_axis @ matrix[:, 1]))
    return roll, pitch, yaw

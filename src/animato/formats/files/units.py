"""Numbers with units: "-90 deg", "12 cm", "77 rpm" become SI."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum

from animato.errors import OptionError


class Dimension(StrEnum):
    """What kind of quantity a number is; the value is how an error calls it."""

    NUMBER = "number"
    LENGTH = "length"
    ANGLE = "angle"
    MASS = "mass"
    SPEED = "speed"
    ANGULAR_SPEED = "angular speed"
    ACCELERATION = "acceleration"
    ANGULAR_ACCELERATION = "angular acceleration"
    JERK = "jerk"
    ANGULAR_JERK = "angular jerk"
    FORCE = "force"
    TORQUE = "torque"
    INERTIA = "inertia"
    TIME = "time"
    RATE = "rate"
    CURRENT = "current"
    PRESSURE = "pressure"
    DENSITY = "density"


_EXACT = Context(prec=60, traps=[])
_TURN = math.pi / 180.0

UNITS: dict[Dimension, dict[str, str | float]] = {
    Dimension.NUMBER: {},
    Dimension.LENGTH: {"m": "1", "cm": "0.01", "mm": "0.001"},
    Dimension.ANGLE: {"rad": "1", "deg": _TURN},
    Dimension.MASS: {"kg": "1", "g": "0.001"},
    Dimension.SPEED: {"m/s": "1", "cm/s": "0.01", "mm/s": "0.001"},
    Dimension.ANGULAR_SPEED: {"rad/s": "1", "deg/s": _TURN, "rpm": 2.0 * math.pi / 60.0},
    Dimension.ACCELERATION: {"m/s^2": "1"},
    Dimension.ANGULAR_ACCELERATION: {"rad/s^2": "1", "deg/s^2": _TURN},
    Dimension.JERK: {"m/s^3": "1"},
    Dimension.ANGULAR_JERK: {"rad/s^3": "1", "deg/s^3": _TURN},
    Dimension.FORCE: {"N": "1"},
    Dimension.TORQUE: {"N.m": "1", "mN.m": "0.001", "kgf.cm": "0.0980665"},
    Dimension.INERTIA: {"kg.m^2": "1"},
    Dimension.TIME: {"s": "1", "ms": "0.001"},
    Dimension.RATE: {"1/s": "1", "Hz": "1"},
    Dimension.CURRENT: {"A": "1", "mA": "0.001"},
    Dimension.PRESSURE: {"Pa": "1", "kPa": "1e3", "MPa": "1e6", "GPa": "1e9"},
    Dimension.DENSITY: {"kg/m^3": "1", "g/cm^3": "1000"},
}
"""How much of the SI unit, which stands first, each unit is: exact decimals as text, the rest as a float.

Decimals are multiplied exactly, so that 2.6 cm is the float nearest to 0.026; 2.6 * 0.01 is not.
"""

_DIMENSION_OF_UNIT = {unit: dimension for dimension, units in UNITS.items() for unit in units}
_QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*)?", re.ASCII)
_SHOWN = 60

LARGEST = 1e100
"""No number in a file may be larger; products of larger ones overflow."""


@dataclass(frozen=True)
class Quantity:
    """A number in SI and what its unit said it is.

    Attributes:
        value: SI.
        dimension: None where no unit was written, so that it can be anything.
        text: As it was written, for errors.
    """

    value: float
    dimension: Dimension | None
    text: str


def read_quantity(value: object, *allowed: Dimension) -> Quantity:
    """Reads a number, or text with a unit.

    Args:
        value: An int, a float, or text such as "0.3", "1e-5" or "12 cm".
        *allowed: What the unit may measure.

    Raises:
        OptionError: It is not a finite number, or its unit is unknown or of another dimension.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = repr(float(value))
    if not isinstance(value, str):
        raise OptionError(f"must be {wanted(*allowed)}, not {described(value)}.")
    match = _QUANTITY.fullmatch(value.strip())
    if match is None:
        raise OptionError(f"must be {wanted(*allowed)}, not {described(value)}.")
    number, unit = float(match[1]), match[2]
    dimension = None
    if unit is not None:
        unit = _with_dots(unit)
        dimension = _DIMENSION_OF_UNIT.get(unit)
        if dimension is None:
            raise OptionError(f"has the unit '{shortened(unit)}', which is not known; it must be {wanted(*allowed)}.")
        if dimension not in allowed:
            raise OptionError(f"is {with_article(dimension)} ({shortened(value)}); it must be {wanted(*allowed)}.")
        scale = UNITS[dimension][unit]
        exact = isinstance(scale, str)
        number = float(_EXACT.multiply(Decimal(match[1]), Decimal(scale))) if exact else number * float(scale)
    if not abs(number) <= LARGEST:
        raise OptionError(f"must be a number of a possible size (at most {LARGEST:.0e}), not {described(value)}.")
    return Quantity(number, dimension, value.strip())


def quantity(value: object, dimension: Dimension) -> float:
    """A number in SI from a number (taken as SI) or from text with a unit of that dimension."""
    return read_quantity(value, dimension).value


def described(value: object) -> str:
    """A value as an error shows it, shortened."""
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping of keys to values"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return f"'{shortened(str(value))}'"


def shortened(text: str) -> str:
    """At most so many characters of a text that an error stays readable, on one line."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "..."


def _with_dots(unit: str) -> str:
    """The unit as the table writes it: "N m", "N*m" and "Nm" are N.m."""
    plain = re.sub(r"\s*[*·.]\s*|\s+", ".", unit).replace("²", "^2").replace("³", "^3")
    return {"Nm": "N.m", "mNm": "mN.m"}.get(plain, plain)


def wanted(*allowed: Dimension) -> str:
    """What is allowed, with the units: "a length (m, cm, mm; m where no unit is written)"."""
    kinds = [dimension for dimension in allowed if dimension is not Dimension.NUMBER]
    if not kinds:
        return "a number"
    return " or ".join(
        f"{with_article(kind)} ({', '.join(UNITS[kind])}; {next(iter(UNITS[kind]))} where no unit is written)"
        for kind in kinds
    )


def with_article(dimension: Dimension) -> str:
    """The name of a dimension with "a" or "an" before it."""
    return f"{'an' if dimension.value[0] in 'aei' else 'a'} {dimension.value}"

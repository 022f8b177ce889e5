"""The values of a character file: names, numbers with units, vectors, directions, words.

Each is a type for the models of `character_schema`, which reads the text that stood in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import PlainValidator
from pydantic_core import PydanticCustomError

from animato.character import AXES, BusKind, JointRole, JointType, MaterialModel, Quaternion, Vector, Vector3
from animato.errors import AnimatoError, did_you_mean
from animato.formats.files import Dimension, Quantity, described, quantity, read_quantity, shortened

VERSION = 1

Choice = TypeVar("Choice", bound=Enum)


def problem(message: str, key: str | int | None = None) -> PydanticCustomError:
    """An error at the place that is being read, or at a key below it."""
    return PydanticCustomError("animato", "{message}", {"message": message, "key": key})


def _explained(read: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a reader of animato and hands its error on in the way pydantic collects them."""
    try:
        return read(*arguments)
    except AnimatoError as error:
        raise problem(str(error)) from None


def _number(dimension: Dimension, value: object) -> float:
    number: float = _explained(quantity, value, dimension)
    return number


def _axis_quantity(dimensions: tuple[Dimension, ...], value: object) -> Quantity:
    result: Quantity = _explained(read_quantity, value, *dimensions)
    return result


def _list(value: object, counts: tuple[int, ...], what: str) -> list[object]:
    allowed = " or ".join(str(count) for count in counts)
    if not isinstance(value, list):
        raise problem(f"must be {what}, {allowed} numbers in brackets, not {described(value)}.")
    if len(value) not in counts:
        raise problem(f"must be {what}, {allowed} numbers, not {len(value)}.")
    return value


def _numbers(dimension: Dimension, counts: tuple[int, ...], what: str, value: object) -> Vector:
    numbers = []
    for index, item in enumerate(_list(value, counts, what)):
        try:
            numbers.append(quantity(item, dimension))
        except AnimatoError as error:
            raise problem(str(error), index) from None
    return tuple(numbers)


def _quantities(dimensions: tuple[Dimension, ...], value: object) -> tuple[Quantity, ...]:
    if not isinstance(value, list):
        raise problem(f"must be a list of numbers in brackets, not {described(value)}.")
    return tuple(_axis_quantity(dimensions, item) for item in value)


def _direction(value: object) -> Vector:
    if isinstance(value, str):
        if value.strip() not in AXES:
            raise problem(f"must be one of {', '.join(AXES)} or three numbers in brackets, not '{shortened(value)}'.")
        return AXES[value.strip()]
    return _numbers(Dimension.NUMBER, (3,), "a direction", value)


def _colour(value: object) -> Vector:
    parts = _numbers(Dimension.NUMBER, (3, 4), "a colour (red, green, blue and perhaps opacity)", value)
    return parts if len(parts) == 4 else (*parts, 1.0)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise problem(f"must be text, not {described(value)}.")
    return value


def _name(value: object) -> str:
    if not _text(value):
        raise problem("must be a name, not empty.")
    return _text(value)


def _true_or_false(value: object) -> bool:
    words = {"true": True, "false": False}
    if not isinstance(value, str) or value.lower() not in words:
        raise problem(f"must be true or false, not {described(value)}.")
    return words[value.lower()]


def _choice(kind: type[Choice], value: object) -> Choice:
    allowed = [str(one.value) for one in kind]
    if not isinstance(value, str) or value not in allowed:
        hint = did_you_mean(value, allowed) if isinstance(value, str) else ""
        raise problem(f"must be one of {', '.join(allowed)}, not {described(value)}.{hint}")
    return kind(value)


def _whole_number(value: object) -> int:
    number = _number(Dimension.NUMBER, value)
    if number != int(number):
        raise problem(f"must be a whole number, not {described(value)}.")
    return int(number)


def none_as_empty(value: object) -> object:
    """A section that was begun and left empty holds nothing."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise problem(f"must be a mapping of names to what they are, not {described(value)}.")
    return value


def _pair(value: object) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise problem(f"must be two bodies in brackets, not {described(value)}.")
    return _name(value[0]), _name(value[1])


def _version(value: object) -> int:
    if value != str(VERSION):
        raise problem(
            f"is the version of the format and must be {VERSION}, not {described(value)}. "
            f"A file of a later version needs a later animato."
        )
    return VERSION


Name = Annotated[str, PlainValidator(_name)]
Text = Annotated[str, PlainValidator(_text)]
Flag = Annotated[bool, PlainValidator(_true_or_false)]
Number = Annotated[float, PlainValidator(partial(_number, Dimension.NUMBER))]
Whole = Annotated[int, PlainValidator(_whole_number)]
Angle = Annotated[float, PlainValidator(partial(_number, Dimension.ANGLE))]
Current = Annotated[float, PlainValidator(partial(_number, Dimension.CURRENT))]
Length = Annotated[float, PlainValidator(partial(_number, Dimension.LENGTH))]
Mass = Annotated[float, PlainValidator(partial(_number, Dimension.MASS))]
Density = Annotated[float, PlainValidator(partial(_number, Dimension.DENSITY))]
Pressure = Annotated[float, PlainValidator(partial(_number, Dimension.PRESSURE))]
Time = Annotated[float, PlainValidator(partial(_number, Dimension.TIME))]
Rate = Annotated[float, PlainValidator(partial(_number, Dimension.RATE))]
Position = Annotated[Vector3, PlainValidator(partial(_numbers, Dimension.LENGTH, (3,), "a position or size"))]
Factors = Annotated[Vector3, PlainValidator(partial(_numbers, Dimension.NUMBER, (3,), "a scale"))]
Gravity = Annotated[Vector3, PlainValidator(partial(_numbers, Dimension.ACCELERATION, (3,), "a vector"))]
Turn = Annotated[Quaternion, PlainValidator(partial(_numbers, Dimension.NUMBER, (4,), "a quaternion (w, x, y, z)"))]
Inertia6 = Annotated[
    Vector, PlainValidator(partial(_numbers, Dimension.INERTIA, (6,), "an inertia (xx, yy, zz, xy, xz, yz)"))
]
RoleWord = Annotated[JointRole, PlainValidator(partial(_choice, JointRole))]
TypeWord = Annotated[JointType, PlainValidator(partial(_choice, JointType))]
ModelWord = Annotated[MaterialModel, PlainValidator(partial(_choice, MaterialModel))]
BusWord = Annotated[BusKind, PlainValidator(partial(_choice, BusKind))]
BodyPair = Annotated[tuple[str, str], PlainValidator(_pair)]
Version = Annotated[int, PlainValidator(_version)]
Direction = Annotated[Vector3, PlainValidator(_direction)]
Colour = Annotated[Vector, PlainValidator(_colour)]

# Quantities of a joint axis turn or slide; which of the two is checked where the joint's type is known.
_POSITION = (Dimension.ANGLE, Dimension.LENGTH)
_SPEED = (Dimension.ANGULAR_SPEED, Dimension.SPEED)
_TORQUE = (Dimension.TORQUE, Dimension.FORCE)
AxisPosition = Annotated[Quantity, PlainValidator(partial(_axis_quantity, _POSITION))]
AxisSpeed = Annotated[Quantity, PlainValidator(partial(_axis_quantity, _SPEED))]
AxisAcceleration = Annotated[
    Quantity, PlainValidator(partial(_axis_quantity, (Dimension.ANGULAR_ACCELERATION, Dimension.ACCELERATION)))
]
AxisJerk = Annotated[Quantity, PlainValidator(partial(_axis_quantity, (Dimension.ANGULAR_JERK, Dimension.JERK)))]
AxisTorque = Annotated[Quantity, PlainValidator(partial(_axis_quantity, _TORQUE))]
AxisInertia = Annotated[Quantity, PlainValidator(partial(_axis_quantity, (Dimension.INERTIA, Dimension.MASS)))]
AxisPositions = Annotated[tuple[Quantity, ...], PlainValidator(partial(_quantities, _POSITION))]
AxisSpeeds = Annotated[tuple[Quantity, ...], PlainValidator(partial(_quantities, _SPEED))]
AxisTorques = Annotated[tuple[Quantity, ...], PlainValidator(partial(_quantities, _TORQUE))]

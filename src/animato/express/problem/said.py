"""All that one line can say to a loop: what to face, what to hold, and in which character to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from animato.character import MANNER_WORDS
from animato.errors import MotionError, OptionError
from animato.express.options import Options, PerJoint
from animato.express.problem.target import SHAPES, TARGET_WORDS, Numbers, Target, object_of, parse_target

SaidPosture = str | Mapping[str, float] | Numbers | tuple[Numbers, ...]
"""A posture's name; joint positions by name or in order [rad or m]; or where the joints and the tip are [m]."""

WEIGHT_WORDS = ("orientation_weight", "posture_weight")
FILTER_WORDS = MANNER_WORDS
"""The character of the motion, as `MotionFilter.tune` takes it."""

_OTHER_WORDS = ("posture", "blend_s", "release", *WEIGHT_WORDS, *FILTER_WORDS)
_MOST = 1000  # joints of a posture
_LONGEST_BLEND_S = 3600.0


@dataclass(frozen=True)
class Said:
    """What a line says; whatever it leaves out stays as it is.

    Attributes:
        target: What to face from now on.
        release: Whether `end_point`, or where that is not given every end-point, is to face nothing any more.
        end_point: What is released; a target has its own.
        posture: What to hold from now on.
        blend_s: Time in which the held posture becomes that one; the loop's own where not given [s].
        weights: Of the errors, by the names in `WEIGHT_WORDS`.
        character: Of the motion, by the names in `FILTER_WORDS`, each one number or one a joint.
        time_s: When it was said, or is to be played [s].
    """

    target: Target | None = None
    release: bool = False
    end_point: str | None = None
    posture: SaidPosture | None = None
    blend_s: float | None = None
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    character: Mapping[str, PerJoint] = field(default_factory=lambda: MappingProxyType({}))
    time_s: float | None = None


def parse_line(line: str) -> Said:
    """What a line of text says.

    Args:
        line: A target as `parse_target` reads it; or a JSON object that has besides, or instead, `posture` (a name,
            joint positions by name or in order [rad or m], or points [m] of the joints and the tip), `blend_s`,
            `release`, `orientation_weight`, `posture_weight`, and the character of the motion, such as `smoothness`.
            A line never names a file: whoever can send one must not make the program read what it likes.

    Raises:
        MotionError: The line says something else; the message says what it should.
    """
    said = object_of(line)
    if said is None:
        return Said(parse_target(line))
    unknown = [name for name in said if name not in TARGET_WORDS and name not in _OTHER_WORDS]
    if unknown:
        allowed = ", ".join((*TARGET_WORDS, *_OTHER_WORDS))
        raise MotionError(f"A line cannot say {unknown[0]!r:.40}; it can say {allowed}.")
    given = {name: said[name] for name in said if name in TARGET_WORDS}
    release, target = _flag(said), None
    if any(name in SHAPES for name in said) or not (release or any(name in _OTHER_WORDS for name in said)):
        target = Target(**given)
    elif "roll_rad" in said:
        raise MotionError("`roll_rad` belongs to a `direction` or a `point`; the line has neither.")
    if target is not None and release:
        raise MotionError("A line has either something to face or `release`, not both.")
    if not release and target is None and "end_point" in said:
        raise MotionError("`end_point` goes with something to face or with `release`; the line has neither.")
    return Said(
        target,
        release,
        _end_point(given) if release else None,
        _posture(said.get("posture")),
        _number(said, "blend_s", _LONGEST_BLEND_S),
        _checked({name: said[name] for name in WEIGHT_WORDS if name in said}),
        _checked({name: said[name] for name in FILTER_WORDS if name in said}),
        _time(said) if target is None else target.time_s,
    )


def _flag(said: Mapping[str, Any]) -> bool:
    """Whether an end-point is released."""
    value = said.get("release", False)
    if not isinstance(value, bool):
        raise MotionError(f"`release` must be true or false, not {value!r:.60}.")
    return value


def _end_point(given: Mapping[str, Any]) -> str | None:
    """Name of what is released."""
    name = given.get("end_point")
    if name is not None and not isinstance(name, str):
        raise MotionError(f"`end_point` must be the name of an end-point, not {name!r:.60}.")
    return name


def _time(said: Mapping[str, Any]) -> float | None:
    """When a line without a target is to be played [s]."""
    value = said.get("time_s")
    if value is None:
        return None
    return Target(point=(0.0, 0.0, 0.0), time_s=value).time_s


def _number(said: Mapping[str, Any], name: str, most: float) -> float | None:
    """A number from 0 on; None where it is not said."""
    value = said.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= most:
        raise MotionError(f"`{name}` must be a number from 0 to {most:g}, not {value!r:.60}.")
    return float(value)


def _checked(chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options that may change while a loop runs, each as `Options` allows it."""
    try:
        options = Options(**chosen)
    except (OptionError, OverflowError) as error:
        raise MotionError(str(error)) from None
    except TypeError:
        raise MotionError(f"{', '.join(f'`{name}`' for name in chosen)} must be numbers.") from None
    return MappingProxyType({name: getattr(options, name) for name in chosen})


def _posture(value: Any) -> SaidPosture | None:
    """A posture as far as it can be checked without the character."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, dict | list) or not 0 < len(value) <= _MOST:
        raise MotionError(f"`posture` must be {_POSTURES}, not {value!r:.60}.")
    if isinstance(value, dict):
        return MappingProxyType(dict(zip(value, _finite(list(value.values())), strict=True)))
    if not isinstance(value[0], list):
        return _finite(value)
    points = tuple(_finite(one) if isinstance(one, list) else () for one in value)
    if any(len(one) != 3 for one in points):
        raise MotionError(f"`posture` of points must be [x, y, z] each [m], not {value!r:.60}.")
    return points


_POSTURES = "a name, joint positions by name or in order, or [x, y, z] of the joints and the tip"


def _finite(values: list[Any]) -> Numbers:
    """Finite numbers."""
    sound = all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < 1e100 for one in values)
    if not sound:
        raise MotionError(f"`posture` must be {_POSTURES}, all finite numbers, not {values!r:.60}.")
    return tuple(float(one) for one in values)

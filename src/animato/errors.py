"""Every exception that animato raises on purpose.

An error says what is wrong, what was given, what is allowed and what to do. The command line prints
it as one line; a traceback is only for errors that are not in this family.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class AnimatoError(Exception):
    """What a user can do something about. The root of the family."""


class CharacterError(AnimatoError):
    """A character contradicts itself or lacks something that was asked of it."""


class MechanismError(CharacterError):
    """A mechanism that cannot be assembled, driven or followed: loops that do not close, bodies that move freely."""


class MotionError(AnimatoError):
    """A clip, stroke, posture or capture contradicts itself, or does not fit its character."""


class SimulationError(AnimatoError):
    """A simulation that cannot begin or go on: the message says when, and what would help."""


class OptionError(AnimatoError):
    """An option has a value that is not allowed."""


class SplineError(AnimatoError):
    """Knots, samples or control points from which no spline can be made."""


class UnknownNameError(AnimatoError):
    """A name that is not there; the message lists the names that are."""


class MissingDependencyError(AnimatoError):
    """A part of animato whose extra dependency is not installed."""


class FileFormatError(AnimatoError):
    """A file that cannot be read as what it claims to be.

    Attributes:
        path: The file, as given.
        line: 1-based line of the trouble, or None where a file has no lines.
    """

    def __init__(self, path: str | Path, message: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        place = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{place}: {message}")


def unknown_name(kind: str, given: str, allowed: Iterable[str], owner: str) -> UnknownNameError:
    """Builds the error for a name that does not exist.

    Args:
        kind: What the name should have named, in the singular ("joint").
        given: The name that was asked for.
        allowed: The names that exist.
        owner: The thing they exist in ("heron").

    Returns:
        An error such as "Joint 'elbw' is not in 'heron'. Did you mean 'elbow'? Joints: elbow, neck."
    """
    names = list(allowed)
    message = f"{kind.capitalize()} {given!r} is not in {owner!r}."
    message += did_you_mean(given, names)
    shown = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    message += f" {plural(kind).capitalize()}: {shown}." if names else f" It has no {plural(kind)}."
    return UnknownNameError(message)


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """The question "Did you mean 'elbow'?" after a space, or nothing where no allowed name is near."""
    close = difflib.get_close_matches(given, list(allowed), n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""


def plural(noun: str) -> str:
    """The plural of an English noun, as far as the names of this package need it."""
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def missing_dependency(package: str, extra: str, purpose: str) -> MissingDependencyError:
    """Builds the error for an extra that is not installed.

    Args:
        package: The package that failed to import.
        extra: The extra of animato that brings it.
        purpose: What it is needed for, as the start of a sentence ("Reading URDF").
    """
    return MissingDependencyError(
        f"{purpose} needs the package '{package}', which is not installed. "
        f"Install it with: pip install 'animato[{extra}]'."
    )

"""The problem of `trace`: a robot, what was drawn, and what is wanted of the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from animato.character import Character
from animato.described import Described, shortened
from animato.errors import MotionError, OptionError
from animato.loading import as_character
from animato.motion import Posture, Stroke
from animato.trace.options import Options
from animato.trace.path import PathProblem, PathTerm, build_path_problem
from animato.trace.sketch import DrawnTiming, Sketch, build_sketch, load_strokes, with_body_points

LONGEST_NAME = 40  # a source longer than this tells a story, which is no name


@dataclass(frozen=True, repr=False, eq=False)
class Problem(Described):
    """A sketch that a robot is to perform.

    Attributes:
        character: The robot.
        sketch: What was drawn, in the world.
        options: What is wanted.
        path: The geometric part: equation 5 of Luo and Hauser (2012) as arrays.
        terms: What was added to it.
        name: Of the stroke, for people.
    """

    character: Character
    sketch: Sketch
    options: Options
    path: PathProblem
    terms: tuple[PathTerm, ...] = ()
    name: str = "the stroke"

    @cached_property
    def drawn(self) -> DrawnTiming:
        """The timing to mimic."""
        return DrawnTiming.from_sketch(self.sketch)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "stroke": self.name,
            "robot": self.character.name,
            "points": shortened(self.sketch.points),
            "length": f"{self.sketch.length:.3g} m",
            "drawn in": f"{self.drawn.duration:.3g} s",
            "control points": str(self.path.control_point_count),
            "method": self.options.method,
        }


def build(
    character: Character | str | Path,
    motion: Sketch | Mapping[str, Stroke] | str | Path,
    options: Options | None = None,
    *,
    terms: Sequence[PathTerm] = (),
    posture: Posture | None = None,
    name: str = "",
) -> Problem:
    """Prepares a trace: as near to the drawing, in place and in time, as the robot's limits allow.

    Args:
        character: The robot; or its name or file.
        motion: What its points shall follow, in the world; or strokes in space by point; or the name or file of
            strokes, which `load_strokes` puts where the robot can follow.
        options: What is wanted.
        terms: Directions that points shall keep, and relations between points.
        posture: A start that has no name, in place of `options.start`.
        name: Of the stroke, for people; that of its file or source where not given.

    Raises:
        AnimatoError: A point or posture that does not exist, or strokes without a place in the world.
    """
    character = as_character(character)
    if isinstance(motion, str | Path):
        name = name or Path(motion).stem
        motion = load_strokes(motion, character)
    if not isinstance(motion, Sketch | Mapping):
        raise MotionError(
            "`motion` must be a Sketch, strokes by point, or the name or file of strokes; given "
            f"a {type(motion).__name__}."
        )
    options = options or Options()
    sketch = motion if isinstance(motion, Sketch) else build_sketch(motion)
    if sketch.air and options.method != "decoupled":
        raise OptionError(
            f"The {options.method} `method` draws one line; here are {len(sketch.air) + 1} with the pen lifted between "
            f"them. Leave `method` at decoupled, or trace the lines one by one."
        )
    character = with_body_points(character, sketch.points)
    path = build_path_problem(character, sketch, options, terms=terms, posture=posture)
    return Problem(character, sketch, options, path, tuple(terms), name or _short(sketch.source))


def _short(source: str) -> str:
    """A source that is short enough to be a name."""
    return source if 0 < len(source) <= LONGEST_NAME else "the stroke"

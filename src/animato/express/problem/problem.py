"""A character that holds a posture, and what its end-point is to face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character, EndPoint, Limits
from animato.described import Described
from animato.errors import CharacterError, MotionError, OptionError, unknown_name
from animato.express.facing import FacingProblem, facing_problem_of, numbers
from animato.express.options import Options
from animato.express.postures import MotionFrame, SomePosture, clip_of_motion, posture_of
from animato.express.problem.end_points import with_end_points
from animato.express.problem.moving import Moving, find_moving, held_positions
from animato.express.problem.target import Target, as_target
from animato.loading import as_character
from animato.mechanics.loops.constraints import Mechanism
from animato.mechanics.tree import Chain
from animato.motion import Clip, Posture


@dataclass(frozen=True, repr=False, eq=False)
class Problem(Described):
    """A posture to hold and targets to face. Made by `build`.

    Attributes:
        character: Who moves; or its name or file.
        posture: What it holds.
        targets: What it faces, each from its `time_s` on; those without follow the one before at the options'
            `target_rate_hz`. None where they come live, to a `Loop`.
        options: How.
        moving: The coordinates that move, and the end-points that face.
        held: The posture of the coordinates that move [rad or m], [n].
        clip: What runs underneath: the posture that is held moves as it says. None where it stands.
    """

    character: Character
    posture: Posture
    targets: tuple[Target, ...]
    options: Options
    moving: Moving
    held: np.ndarray
    clip: Clip | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Coordinates that move, in the order of positions: over all chains, those of the first end-point first."""
        return self.moving.names

    @property
    def limits(self) -> tuple[Limits, ...]:
        """Of the coordinates that move."""
        return self.moving.limits

    @property
    def end_points(self) -> tuple[EndPoint, ...]:
        """What faces, the most important first."""
        return self.moving.end_points

    @property
    def chains(self) -> tuple[Chain, ...]:
        """To each end-point; none where they hang on closed loops."""
        return self.moving.chains

    @property
    def chain(self) -> Chain:
        """To the most important end-point.

        Raises:
            CharacterError: It hangs on closed loops or gears, and no chain of joints alone moves it.
        """
        if not self.moving.chains:
            raise CharacterError(
                f"End-point '{self.end_points[0].name}' of '{self.character.name}' hangs on closed loops or gears, so "
                f"there is no chain to it; use what takes the whole problem, such as express.solve or express.Loop."
            )
        return self.moving.chains[0]

    @property
    def mechanism(self) -> Mechanism | None:
        """Of the closed loops or gears on which the end-points hang; None where there are chains."""
        return self.moving.mechanism

    def columns(self, end_point: str) -> np.ndarray:
        """Where the coordinates of one chain are among `names`, [m]."""
        chain = next(one for one in self.chains if one.end_point.name == end_point)
        return np.array([self.names.index(name) for name in chain.names])

    def alone(self, end_point: str) -> Problem:
        """The same with one of its end-points only, which then has its whole chain to itself.

        Raises:
            UnknownNameError: It is not among them.
        """
        names = [one.name for one in self.end_points]
        if end_point not in names:
            raise unknown_name("end-point", end_point, names, "what faces")
        moving = find_moving(self.character, (end_point,))
        held = np.array([self.held[self.names.index(name)] for name in moving.names])
        held.flags.writeable = False
        options = replace(self.options, end_point=end_point, also_facing=())
        return Problem(self.character, self.posture, self.targets, options, moving, held, self.clip)

    def facts(self) -> dict[str, str]:
        """What is worth knowing at a glance."""
        source = self.posture.source if self.clip is None else self.clip.source or "a clip"
        return {
            "of": self.character.name,
            "holding": source.removesuffix(f" of {self.character.name}") or "a posture",
            "facing with": f"{', '.join(one.name for one in self.end_points)} ({len(self.names)} joints)",
            "targets": str(len(self.targets)) if self.targets else "live",
        }

    def facing(self, roll_tolerance_rad: float | None = None) -> FacingProblem:
        """The same for single targets of the first end-point: what `express.facing.solve_facing` and `look_at` take.

        Args:
            roll_tolerance_rad: Turn about the facing axis that costs nothing [rad]; as the options say where not given,
                and exact where they leave it open.
        """
        chosen = self.options
        if roll_tolerance_rad is not None:
            chosen = replace(chosen, roll_tolerance_rad=roll_tolerance_rad)
        return facing_problem_of(self.chain, self.held[: len(self.chain.names)], chosen)


def build(
    character: Character | str | Path,
    posture: SomePosture | Clip,
    targets: Target | Iterable[Target] | ArrayLike | None = None,
    options: Options | None = None,
    *,
    clip: Clip | None = None,
) -> Problem:
    """Makes a problem ready, and says what cannot work before anything moves.

    Args:
        character: Who moves; or its name or file.
        posture: What it holds: a posture, the name of one of its own, joint positions by name or in order, points of
            the chain's joints and its end-point, a moment of a motion (`postures.MotionFrame`, or a file as text:
            FILE or FILE@SECONDS); or a clip, as for `clip`.
        targets: What to face: one target or several, or points in the world [m], [3] or [m, 3], or orientations wxyz,
            [4] or [m, 4]. Those that say no time follow the one before at `target_rate_hz`. None where they come live.
        options: How; the default ones where not given.
        clip: What runs underneath; coordinates that it does not name keep the posture.

    Raises:
        UnknownNameError: The character has no such posture, coordinate or end-point.
        CharacterError: It has no chain of two or more joints to the end-point, and no closed loops that move it.
        MotionError: The posture is outside the limits, or a target is none.
        OptionError: An argument is something else than it should be, or `idle` is asked of more than one chain.
    """
    character = as_character(character)
    chosen = Options() if options is None else options
    if not isinstance(chosen, Options):
        raise OptionError(f"`options` must be express.Options, not {options!r:.60}.")
    character, names = with_end_points(character, chosen)
    moving = find_moving(character, names)
    if chosen.idle and len(moving.chains) != 1:
        why = f"{len(names)} end-points face" if moving.chains else f"'{names[0]}' hangs on closed loops or gears"
        raise OptionError(
            f"`idle` moves what one chain of joints has left over while it faces, but {why}. Leave `idle` out"
            f"{', or face with one end-point' if moving.chains else ''}."
        )
    chain = moving.chains[0] if moving.chains else None
    if isinstance(posture, Clip):
        clip, posture = posture, MotionFrame(posture)
    held = posture_of(character, posture, names=moving.names, chain=chain)
    if clip is not None:
        clip = clip_of_motion(character, chain, clip)
        held = posture_of(character, MotionFrame(clip), names=moving.names, chain=chain, onto=held)
    return Problem(character, held, _some(targets), chosen, moving, held_positions(moving, held), clip)


def _some(targets: Target | Iterable[Target] | ArrayLike | None) -> tuple[Target, ...]:
    """One target or several, as several."""
    if targets is None:
        return ()
    if isinstance(targets, Target):
        return (targets,)
    if isinstance(targets, str):
        raise MotionError(
            f"`targets` must be targets or an array of them, not {targets!r:.60}; read a file first: "
            f"express.load_targets({targets!r:.60})."
        )
    if isinstance(targets, Sequence) and any(isinstance(one, Target) for one in targets):
        return tuple(as_target(one) for one in targets)
    rows = np.atleast_2d(numbers(np.asarray(targets), "`targets`"))
    if rows.ndim != 2 or rows.shape[1] not in (3, 4) or not len(rows):
        raise MotionError(
            f"`targets` must be points [m, 3] or quaternions wxyz [m, 4]; given an array of shape {rows.shape}."
        )
    return tuple(as_target(row) for row in rows)

"""A character that holds a posture, and what its end-point is to face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.described import Described
from animato.errors import CharacterError, MotionError, OptionError
from animato.express.facing import FacingProblem, checked_posture, facing_problem_of, numbers
from animato.express.options import Options
from animato.express.problem.target import Target, as_target
from animato.loading import as_character
from animato.mechanics.tree import Chain, build_chain
from animato.motion import Posture


@dataclass(frozen=True, repr=False, eq=False)
class Problem(Described):
    """A posture to hold and targets to face. Made by `build`.

    Attributes:
        character: Who moves; or its name or file.
        posture: What it holds.
        targets: What it faces, each from its `time_s` on; those without follow the one before at the options'
            `target_rate_hz`. None where they come live, to a `Loop`.
        options: How.
        chain: The joints that move, and the end-point that faces.
        held: The posture of the chain's joints [rad or m], [n].
    """

    character: Character
    posture: Posture
    targets: tuple[Target, ...]
    options: Options
    chain: Chain
    held: np.ndarray

    def facts(self) -> dict[str, str]:
        """What is worth knowing at a glance."""
        return {
            "of": self.character.name,
            "holding": self.posture.source.removesuffix(f" of {self.character.name}") or "a posture",
            "facing with": f"{self.chain.end_point.name} ({len(self.chain.names)} joints)",
            "targets": str(len(self.targets)) if self.targets else "live",
        }

    def facing(self, roll_tolerance_rad: float | None = None) -> FacingProblem:
        """The same for single targets: what `express.facing.solve_facing` and `look_at` take.

        Args:
            roll_tolerance_rad: Turn about the facing axis that costs nothing [rad]; as the options say where not given,
                and exact where they leave it open.
        """
        chosen = self.options
        if roll_tolerance_rad is not None:
            chosen = replace(chosen, roll_tolerance_rad=roll_tolerance_rad)
        return facing_problem_of(self.chain, self.held, chosen)


def build(
    character: Character | str | Path,
    posture: Posture | str,
    targets: Target | Iterable[Target] | ArrayLike | None = None,
    options: Options | None = None,
) -> Problem:
    """Makes a problem ready, and says what cannot work before anything moves.

    Args:
        character: Who moves; or its name or file.
        posture: What it holds, or the name of one of its postures.
        targets: What to face: one target or several, or points in the world [m], [3] or [m, 3], or orientations wxyz,
            [4] or [m, 4]. Those that say no time follow the one before at `target_rate_hz`. None where they come live.
        options: How; the default ones where not given.

    Raises:
        UnknownNameError: The character has no such posture or end-point.
        CharacterError: It has no chain of two or more joints to the end-point.
        MotionError: The posture is outside the limits, or a target is none.
        OptionError: An argument is something else than it should be.
    """
    character = as_character(character)
    if not isinstance(posture, str | Posture):
        raise OptionError(
            f"`posture` must be a Posture, or the name of one of '{character.name}', not {posture!r:.60}."
        )
    chosen = Options() if options is None else options
    if not isinstance(chosen, Options):
        raise OptionError(f"`options` must be express.Options, not {options!r:.60}.")
    chain = build_chain(character, _facing_end_point(character, chosen.end_point))
    held = Posture.named(character, posture) if isinstance(posture, str) else posture
    return Problem(character, held, _some(targets), chosen, chain, checked_posture(chain, held))


def _facing_end_point(character: Character, name: str | None) -> str:
    """The end-point that faces; the only one where none is named."""
    names = [one.name for one in character.end_points]
    if name is None and len(names) != 1:
        many = f"has the end-points {', '.join(names)}; say which one" if names else "has no end-point that could face"
        raise CharacterError(f"'{character.name}' {many} (`end_point`)." if names else f"'{character.name}' {many}.")
    return character.end_point(names[0] if name is None else name).name


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

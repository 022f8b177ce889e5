"""What is held and what counts, made ready once so that targets can be solved one after another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import CharacterError, MotionError, OptionError
from animato.express.facing.arrays import WEIGHT, FacingArrays, facing_arrays
from animato.express.facing.errors import (
    BendMeasure,
    ErrorWeights,
    bend_measure,
    checked_roll,
    checked_weights,
    weights_of,
)
from animato.express.facing.once import write_errors
from animato.express.facing.packed_problem import Scored, pack_problem
from animato.express.facing.packed_turns import PackedTurns, pack_turns, ways_of_turning, with_locked_turns
from animato.express.facing.vertex_choices import vertex_choices
from animato.express.facing.vertex_table import Vertices, none_of
from animato.express.facing.vertices import build_vertices
from animato.express.options import Minimized, Options
from animato.mechanics.tree import Chain
from animato.motion import Posture

CORNERS = 192
"""Corner configurations that a problem has ready."""

_INSIDE = 1e-9  # [rad or m] by which a posture may miss a limit, as numbers in files do

Roll = float | Literal["exact", "free"]
"""Turn about the facing axis that costs nothing: a tolerance either way [rad], none, or any."""

Scoring = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float, bool, float]


@dataclass(frozen=True, eq=False)
class FacingProblem:
    """A posture to hold while an end-point faces targets. Made by `build_facing_problem`.

    Attributes:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        weights: Of equation 19.
        roll_tolerance: Turn about the facing axis that costs nothing, either way, 0 to pi [rad].
        minimized: The error that is minimized beside the orientation.
        turns: The turning joints; behind them the roll joint, where there is one, and joints that are locked.
        measure: What the errors need of the turning joints, without the roll joint.
        arrays: What the kernels take.
        vertices: Corner configurations.
        frame: The end-point's orientation at zero, half a turn about its facing axis, and that axis, [3, 4].
        psi: Angles of the turning joints in the posture, 0 for those behind them [rad], [m].
        scoring: Frame, measure, posture weight, symmetry and roll tolerance, as the kernels take them.
        packed: All of it for `once.face_all`.
    """

    chain: Chain
    posture: np.ndarray
    weights: ErrorWeights
    roll_tolerance: float
    minimized: Minimized
    turns: PackedTurns
    measure: BendMeasure
    arrays: FacingArrays
    vertices: Vertices
    frame: np.ndarray
    psi: np.ndarray
    scoring: Scoring
    packed: np.ndarray

    def write_errors(
        self, target: np.ndarray, angles: np.ndarray, found: np.ndarray, psi: np.ndarray | None = None
    ) -> None:
        """Writes the errors of angles of the turning joints [rad].

        Args:
            target: Orientation that is asked for, wxyz of unit length, [1, 4].
            angles: [1, m].
            found: Columns as in `once`, [1, 5].
            psi: Another posture of the turning joints than the problem's [rad], [m].
        """
        weights = (self.weights.orientation, self.weights.posture)
        write_errors(
            self.arrays.axis,
            self.frame,
            self.measure,
            weights,
            self.weights.symmetric,
            self.roll_tolerance,
            self.psi if psi is None else psi,
            target,
            angles,
            0,
            found,
        )

    def holding(self, posture: Posture | ArrayLike, *, corners: bool = True) -> FacingProblem:
        """The same problem with another posture.

        Args:
            posture: What to hold [rad or m], [n], or a posture that names all joints of the chain.
            corners: Whether to make corner configurations of it, which takes most of the time. Without them the problem
                is for `reach="local"` only.

        Raises:
            MotionError: The posture does not fit the chain, is not a number, or is outside its limits.
        """
        held = checked_posture(self.chain, posture)
        psi, arrays = _holding_arrays(self.turns, self.measure, held, self.weights, self.minimized)
        symmetric = self.weights.symmetric
        vertices = _corners(arrays, self.turns, self.minimized, symmetric) if corners else self.vertices
        scored = Scored(self.frame, self.measure, held, self.turns.columns, *self.scoring[-3:])
        packed = pack_problem(arrays, vertices if corners else none_of(vertices), scored)
        return replace(self, posture=held, arrays=arrays, vertices=vertices, psi=psi, packed=packed)


def build_facing_problem(
    chain: Chain,
    posture: Posture | ArrayLike,
    *,
    weights: ErrorWeights | None = None,
    roll: Roll = "exact",
    minimize: Minimized = Options.minimize,
) -> FacingProblem:
    """Makes a problem ready.

    Args:
        chain: The joints and the end-point.
        posture: What to hold [rad or m], [n], or a posture that names all joints of the chain.
        weights: Of equation 19; the paper's where not given, symmetric as the end-point says.
        roll: Whether the roll about the facing axis is exact or free, or a tolerance either way [rad].
        minimize: "posture" for the error of the paper, which does not see the sign of a bend, or "shape" for the
            signed shape error. Both are always reported.

    Raises:
        MotionError: The posture does not fit the chain, is not a number, or is outside its limits.
        CharacterError: The limits of a joint are reversed.
        OptionError: An option is out of its range.
    """
    if minimize not in ("posture", "shape"):
        raise OptionError(f"`minimize` must be 'posture' or 'shape', not {minimize!r}.")
    held = checked_posture(chain, posture)
    chosen = checked_weights(weights or weights_of(chain))
    tolerance = _tolerance(roll)
    turns = with_locked_turns(pack_turns(chain, tolerance))
    measure = _turning_measure(bend_measure(chain, chosen.aggravation), turns.columns)
    psi, arrays = _holding_arrays(turns, measure, held, chosen, minimize)
    frame = np.zeros((3, 4))
    frame[0], frame[1], frame[2, :3] = turns.rest_wxyz, turns.half_turn_wxyz, turns.forward
    vertices = _corners(arrays, turns, minimize, chosen.symmetric)
    scoring = (frame, *measure, chosen.posture, chosen.symmetric, tolerance)
    return FacingProblem(
        chain,
        held,
        chosen,
        tolerance,
        minimize,
        turns,
        measure,
        arrays,
        vertices,
        frame,
        psi,
        scoring,
        pack_problem(arrays, vertices, Scored(frame, measure, held, turns.columns, *scoring[-3:])),
    )


def facing_problem_of(chain: Chain, posture: Posture | ArrayLike, options: Options) -> FacingProblem:
    """The same from options; the roll is exact where they leave it open."""
    return build_facing_problem(
        chain,
        posture,
        weights=weights_of(chain, options),
        roll=options.roll_tolerance_rad or "exact",
        minimize=options.minimize,
    )


def _holding_arrays(
    turns: PackedTurns, measure: BendMeasure, held: np.ndarray, weights: ErrorWeights, minimized: Minimized
) -> tuple[np.ndarray, FacingArrays]:
    """Angles of the turning joints in a posture, 0 for those behind them [rad], [m]; and what the kernels take."""
    added = len(turns.axis) - len(turns.columns)
    psi = np.append(held[turns.columns], np.zeros(added))
    return psi, facing_arrays(turns, _with_idle(measure, added), psi, weights, signed=minimized == "shape")


def _corners(arrays: FacingArrays, turns: PackedTurns, minimized: Minimized, symmetric: bool) -> Vertices:
    """The corner configurations of a posture."""
    choices = vertex_choices(arrays.cost[:, WEIGHT], ways_of_turning(turns), mirrored=minimized == "posture")
    return build_vertices(arrays, choices, turns.facing, symmetric=symmetric, count=CORNERS)


def checked_posture(chain: Chain, posture: Posture | ArrayLike) -> np.ndarray:
    """Positions of a posture in the order of the chain's joints, [n], read-only.

    Raises:
        MotionError: It does not fit the chain, is not a number, or is outside the limits.
        CharacterError: The limits of a joint are reversed.
    """
    names, arrays = chain.names, chain.arrays
    if isinstance(posture, Posture):
        values = np.array([posture.value(name) for name in names])
    else:
        try:
            values = np.array(posture, dtype=np.float64)
        except (TypeError, ValueError):
            raise MotionError(
                f"A posture must be positions of {', '.join(names)}, or a Posture, not {posture!r:.60}. "
                f"Posture.named(character, name) gives one of the character's own."
            ) from None
    if values.shape != (len(names),):
        raise MotionError(
            f"A posture of this chain has {len(names)} positions ({', '.join(names)}); given an array of shape "
            f"{values.shape}."
        )
    inside = (arrays.lower - _INSIDE <= values) & (values <= arrays.upper + _INSIDE) & (arrays.lower <= arrays.upper)
    wrong = np.flatnonzero(~(inside & np.isfinite(values)))
    for i in wrong[:1]:
        name, value, lower, upper = names[i], values[i], arrays.lower[i], arrays.upper[i]
        if not lower <= upper:
            raise CharacterError(
                f"The limits of joint '{name}' are reversed: lower {lower:g} is above upper {upper:g}."
            )
        if not np.isfinite(value):
            raise MotionError(f"The posture has {value} for joint '{name}'; it must be a number.")
        raise MotionError(
            f"The posture has joint '{name}' at {value:.6g}, outside its limits {lower:.6g} to {upper:.6g}. Move it "
            f"inside, or widen the limits in the character file."
        )
    values = np.clip(values, arrays.lower, arrays.upper)
    values.flags.writeable = False
    return values


def _tolerance(roll: Roll) -> float:
    if roll == "exact":
        return 0.0
    if roll == "free":
        return float(np.pi)
    if isinstance(roll, str):
        raise OptionError(f"`roll` must be 'exact', 'free' or a tolerance in radians, not {roll!r}.")
    return checked_roll(roll)


def _turning_measure(measure: BendMeasure, columns: np.ndarray) -> BendMeasure:
    return BendMeasure(*(np.ascontiguousarray(array[columns]) for array in measure))


def _with_idle(measure: BendMeasure, count: int) -> BendMeasure:
    """The measure with joints behind the others that cost nothing."""
    if count == 0:
        return measure
    return BendMeasure(
        np.append(measure.weight, np.zeros(count)),
        np.vstack([measure.cosine, np.tile((1.0, 0.0, 0.0), (count, 1))]),
        np.append(measure.reach, np.zeros(count)),
    )

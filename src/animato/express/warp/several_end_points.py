"""Several end-points of one character, each facing its own target, by priority.

Chains of a tree share their joints near the root. The first end-point is solved with its whole chain. Each further one
finds the shared joints decided; only those behind the branching point are its own. Their base moves with the shared
joints, so the target is expressed in the branching frame: with R_branch the orientation of the last shared joint's
frame, the own joints are asked for R_branch^-1 T. Nothing that is decided changes any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MotionError, OptionError, unknown_name
from animato.express.facing import ErrorWeights, FacingError, Roll, checked_weights, facing_errors, weights_of
from animato.express.warp.following import SETTLE_S, FacingFollower
from animato.mechanics.tree import Chain, build_chain
from animato.motion import Posture
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class SeveralFacing:
    """One answer for all end-points.

    Attributes:
        posture: Where all coordinates of the character are.
        errors: Of each end-point that had a target, over its whole chain.
        held: End-points whose target was not a quaternion, so that the one before it holds, or the posture.
    """

    posture: Posture
    errors: dict[str, FacingError]
    held: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Branch:
    """What one end-point decides.

    Attributes:
        chain: From the root.
        columns: Of its joints among the character's coordinates, [n].
        shared: How many of its joints are decided before.
        follower: Of its own joints, None where it has none.
    """

    chain: Chain
    columns: list[int]
    shared: int
    follower: FacingFollower | None


class SeveralEndPoints:
    """Holds a posture while several end-points face.

    Args:
        character: A tree character. A floating one is seen from its root body.
        posture: To hold; coordinates that it does not name are neutral, those in no chain stay as they are.
        end_points: Names, most important first.
        settle_s: Time in which a warp that is not needed any more goes away [s].
        roll: Of some end-points, whether the roll about the facing axis is free, or a tolerance either way [rad].
        weights: Of the errors; the paper's where not given, symmetric as each end-point says.

    Attributes:
        own_joints: Coordinates that each end-point decides; fewer than three can face some targets only, none at
            all is carried by the end-points before it.
    """

    def __init__(
        self,
        character: Character,
        posture: Posture,
        end_points: Sequence[str],
        *,
        settle_s: float = SETTLE_S,
        roll: Mapping[str, Roll] | None = None,
        weights: ErrorWeights | None = None,
    ) -> None:
        if not end_points or len(set(end_points)) < len(end_points):
            raise OptionError(f"end_points must be one or more different names, not {list(end_points)}.")
        if not (np.isfinite(settle_s) and settle_s >= 0.0):
            raise OptionError(f"settle_s must be a number, 0 or more, not {settle_s}.")
        rolls = dict(roll or {})
        for name in rolls:
            if name not in end_points:
                raise unknown_name("end-point", name, end_points, "these end-points")
        self._names = character.coordinate_names
        self._posture = _whole(character, posture)
        self._weights = weights
        self._targets: dict[str, np.ndarray] = {}
        self._branches: dict[str, _Branch] = {}
        decided: set[str] = set()
        for name in end_points:
            chain = build_chain(character, name)
            shared = sum(joint in decided for joint in chain.names)  # the first ones: it is a tree
            decided.update(chain.names)
            follower = None
            if not np.all(chain.arrays.slides[shared:]):
                follower = FacingFollower(
                    chain.behind(shared),
                    self._weights_of(chain),
                    settle_s=float(settle_s),
                    roll=rolls.get(name, "exact"),
                )
            columns = [self._names.index(joint) for joint in chain.names]
            self._branches[name] = _Branch(chain, columns, shared, follower)
        self.own_joints = {name: branch.chain.names[branch.shared :] for name, branch in self._branches.items()}

    def _weights_of(self, chain: Chain) -> ErrorWeights:
        own = weights_of(chain)
        return own if self._weights is None else checked_weights(self._weights)._replace(symmetric=own.symmetric)

    def forget(self) -> None:
        """Begins anew: the next step does not depend on those before it."""
        for branch in self._branches.values():
            if branch.follower is not None:
                branch.follower.forget()
        self._targets.clear()

    def step(self, targets_wxyz: Mapping[str, ArrayLike], elapsed_s: float = 0.02) -> SeveralFacing:
        """Faces all targets, the most important end-point first; never raises on values.

        Args:
            targets_wxyz: Orientation asked of each end-point, in the world, [4]. One without a target holds the
                posture with its own joints.
            elapsed_s: Time since the step before [s].

        Raises:
            UnknownNameError: A target is for an end-point that is not among them.
            MotionError: A target is not four numbers.
        """
        held = tuple(name for name in targets_wxyz if not self._take(name, targets_wxyz[name]))
        positions = self._posture.copy()
        errors: dict[str, FacingError] = {}
        for name, branch in self._branches.items():
            if name not in targets_wxyz or name not in self._targets:
                continue
            target = self._targets[name]
            own = branch.columns[branch.shared :]
            if branch.follower is not None:
                seen = quaternions.multiply(quaternions.conjugate(_branching(branch, positions)), target)
                positions[own] = branch.follower.step(self._posture[own], seen, elapsed_s)
            errors[name] = self._error(branch, positions, target)
        return SeveralFacing(Posture(self._names, positions, "several end-points that face"), errors, held)

    def _take(self, name: str, target_wxyz: ArrayLike) -> bool:
        """Remembers a target; False where it is none."""
        if name not in self._branches:
            raise unknown_name("end-point", name, self._branches, "these end-points")
        target = np.asarray(target_wxyz, dtype=np.float64)
        if target.shape != (4,):
            raise MotionError(
                f"The target of end-point '{name}' must be a quaternion (w, x, y, z), not an array {target.shape}."
            )
        norm = float(np.linalg.norm(target))
        good = bool(np.isfinite(norm) and norm > 1e-9)
        if good:
            self._targets[name] = target / norm
        return good

    def _error(self, branch: _Branch, positions: np.ndarray, target: np.ndarray) -> FacingError:
        """Of one end-point, over its whole chain."""
        columns, weights = branch.columns, self._weights_of(branch.chain)
        found = facing_errors(
            branch.chain,
            positions[None, columns],
            self._posture[columns],
            target[None],
            weights,
            roll_tolerance=0.0 if branch.follower is None else branch.follower.roll_tolerance,
        )
        return FacingError(
            float(found.combined[0]), float(found.orientation[0]), float(found.posture[0]), float(found.shape[0])
        )


def _branching(branch: _Branch, positions: np.ndarray) -> np.ndarray:
    """Orientation of the frame before the first own joint, as `Chain.behind` has it at identity, wxyz, [4]."""
    if branch.shared == 0:
        return np.array([1.0, 0.0, 0.0, 0.0])
    return branch.chain.orientations(positions[None, branch.columns], branch.shared)[0]


def _whole(character: Character, posture: Posture) -> np.ndarray:
    """Positions of all coordinates of the character."""
    positions = np.array([value for joint in character.free_joints for value in joint.neutral])
    for name, value in zip(posture.names, posture.positions, strict=True):
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
        positions[character.coordinate_names.index(name)] = value
    return positions

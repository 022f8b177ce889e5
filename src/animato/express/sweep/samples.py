"""The evaluation sweep of Ribeiro and Paiva (2019), section 4.0.3: every posture with every target.

Postures are the union of regular grids with 1, 2 ... k divisions of each swept joint's range; all joints
are swept but a twister at the root and one at the end-point, which do not shape a posture. With k = 10
that gives the paper's 33, 377 and 3789 postures (skeletons A; B; C to E), with k = 7 its 8305 (F) and with
k = 4 its 19657 (G). Sample i is posture i // targets with target i % targets, so any part of the sweep can
be made anywhere from its indices alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.errors import CharacterError, OptionError
from animato.mechanics.tree import Chain
from animato.spatial import quaternions

# Most divisions by the number of swept joints, as in the paper for 1 to 4 and 6; more joints get fewer.
_DIVISIONS = {1: 10, 2: 10, 3: 10, 4: 7, 5: 5, 6: 4}
# Most divisions of yaw, pitch and roll. 7607 targets, the nearest to the paper's 7609 among unions of
# regular grids with up to 18 divisions of each angle.
TARGET_DIVISIONS = (13, 10, 10)


@dataclass(frozen=True, eq=False)
class Sweep:
    """All samples of a chain.

    Attributes:
        chain: Whose postures these are.
        postures: Positions of its joints [rad or m], [p, n].
        targets_wxyz: Orientations of its end-point in the world, [t, 4].
    """

    chain: Chain
    postures: np.ndarray
    targets_wxyz: np.ndarray

    @property
    def count(self) -> int:
        """Samples: postures times targets."""
        return len(self.postures) * len(self.targets_wxyz)


@dataclass(frozen=True, eq=False)
class Samples:
    """Some of a sweep.

    Attributes:
        indices: Of the samples in the sweep, [m].
        postures: One for each [rad or m], [m, n].
        targets_wxyz: One for each, [m, 4].
    """

    indices: np.ndarray
    postures: np.ndarray
    targets_wxyz: np.ndarray


def grid_union(most_divisions: tuple[int, ...]) -> np.ndarray:
    """The union of regular grids on the unit cube with 1, 2 ... divisions of each axis, up to its most, sorted.

    Shares are compared as whole numbers, so no two points differ by rounding only.

    Args:
        most_divisions: Of each axis, [axes]; an axis that has reached its most stays there.

    Returns:
        Points, [m, axes], from 0 to 1, ends included.
    """
    common = math.lcm(*range(1, max(most_divisions) + 1))
    rows = []
    for divisions in range(1, max(most_divisions) + 1):
        axes = [common // min(divisions, most) * np.arange(min(divisions, most) + 1) for most in most_divisions]
        rows.append(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes)))
    points: np.ndarray = np.unique(np.concatenate(rows), axis=0) / common
    return points


def swept_postures(chain: Chain, divisions: int | None = None) -> np.ndarray:
    """The posture sweep; joints that are not swept are zero, or at the limit nearest to it.

    Args:
        chain: Joints; one without limits is swept over a whole turn.
        divisions: Most divisions of a joint's range; as in the paper where not given.

    Returns:
        Positions [rad or m], [p, n].

    Raises:
        OptionError: Fewer than 1 division.
        CharacterError: No joint is left to sweep, or a sliding one has no limits.
    """
    arrays = chain.arrays
    count = len(chain.names)
    swept = [k for k in range(count) if not (arrays.twister[k] and k in (0, count - 1))]
    if not swept:
        raise CharacterError(
            "A chain whose only joints twist at the root and at the end-point has no postures to sweep."
        )
    most = _DIVISIONS.get(len(swept), 3) if divisions is None else divisions
    if most < 1:
        raise OptionError(f"A sweep needs at least 1 division of a joint's range, given {most}.")
    lower = np.where(np.isfinite(arrays.lower), arrays.lower, np.where(arrays.slides, np.nan, -np.pi))
    upper = np.where(np.isfinite(arrays.upper), arrays.upper, np.where(arrays.slides, np.nan, np.pi))
    for k in swept:
        if not np.isfinite(upper[k] - lower[k]):
            raise CharacterError(
                f"Joint '{chain.names[k]}' slides without limits, so it cannot be swept; give it limits."
            )
    shares = grid_union((most,) * len(swept))
    postures = np.tile(np.clip(0.0, arrays.lower, arrays.upper), (len(shares), 1))
    postures[:, swept] = lower[swept] + shares * (upper - lower)[swept]
    return postures


def swept_targets(most_divisions: tuple[int, int, int] = TARGET_DIVISIONS) -> np.ndarray:
    """Target orientations: yaw, pitch and roll from -pi to pi, composed in that order.

    At zero the end-point faces forward, the way a positive bend about x leads (the paper's Z, our -y), with
    pitch it rises or sinks, and roll turns it about its facing axis, z of its frame:
    Rz(yaw) Rx(pi / 2 + pitch) Rz(roll).

    Args:
        most_divisions: Of yaw, pitch and roll.

    Returns:
        Unit quaternions, wxyz, [t, 4]; some of them are the same orientation under two names, as in the paper.
    """
    yaw, pitch, roll = ((2.0 * grid_union(most_divisions) - 1.0) * np.pi).T
    up, side = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    tilted = quaternions.multiply(
        quaternions.quaternion_about(up, yaw), quaternions.quaternion_about(side, pitch + 0.5 * np.pi)
    )
    return quaternions.multiply(tilted, quaternions.quaternion_about(up, roll))


def build_sweep(
    chain: Chain, *, divisions: int | None = None, target_divisions: tuple[int, int, int] = TARGET_DIVISIONS
) -> Sweep:
    """The sweep of a chain.

    Args:
        chain: Joints and end-point.
        divisions: Most divisions of a joint's range; as in the paper where not given.
        target_divisions: Most divisions of yaw, pitch and roll.
    """
    facing = quaternions.shortest_turn((0.0, 0.0, 1.0), chain.end_point.forward)
    targets = quaternions.multiply(swept_targets(target_divisions), quaternions.conjugate(facing))
    return Sweep(chain, swept_postures(chain, divisions), targets)


def samples_at(sweep: Sweep, indices: np.ndarray) -> Samples:
    """The samples with given indices, [m], each from 0 to sweep.count - 1."""
    postures, targets = np.divmod(indices, len(sweep.targets_wxyz))
    return Samples(indices, sweep.postures[postures], sweep.targets_wxyz[targets])


def samples(sweep: Sweep, start: int, stop: int, every: int = 1) -> Samples:
    """The samples from index `start` up to, but without, `stop`; what lies beyond the sweep is left out.

    Args:
        sweep: From `build_sweep`.
        start: First.
        stop: Before which it ends.
        every: Only each so many-th of them.
    """
    return samples_at(sweep, np.arange(max(0, start), min(stop, sweep.count), every))


def random_samples(sweep: Sweep, count: int, seed: int) -> Samples:
    """Different samples chosen by a seed, in the order of their indices.

    Raises:
        OptionError: More are asked for than the sweep has.
    """
    if not 0 < count <= sweep.count:
        raise OptionError(f"The sweep has {sweep.count} samples; 1 to {sweep.count} can be drawn, not {count}.")
    chosen = np.random.default_rng(seed).choice(sweep.count, size=count, replace=False)
    return samples_at(sweep, np.sort(chosen))

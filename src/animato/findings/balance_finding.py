"""Whether a character that stands on its soles would tip: the worst moment of its balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.findings.finding import NEAR_SHARE, intervals_over
from animato.findings.human_units import seconds
from animato.mechanics.contact import FLIGHT_SHARE, LEAST_STANDING, Balance, balance_of, outside_distance, weight_of
from animato.mechanics.limits import Floor
from animato.mechanics.tree import centre_of_mass, packed_tree, states_of_clip
from animato.motion import Clip
from animato.spatial import quaternions

OUTSIDE_TOLERANCE = 1e-4
"""What the ZMP may be outside the soles before it is told of [m]: files of motions have as many digits."""

_WAYS = ("forward", "to its left", "backward", "to its right")


@dataclass(frozen=True, eq=False)
class BalanceFinding:
    """The worst moment of a character's balance.

    Attributes:
        share: Of the way from the middle of what touches to its rim that the ZMP takes; 1 is on the rim, infinity
            where only a line or a point touches and the ZMP is beside it.
        outside: How far the ZMP is outside of what touches [m], negative inside.
        time: Of that moment [s].
        frame: The clip's frame nearest to it, counted from 0.
        direction: Where it would tip to: "forward", "backward", "to its left", "to its right".
        outside_at_rest: The same of the ZMP that it would have if it stood still in the pose of that moment [m].
        intervals: (start, end) of each stretch of time in which the ZMP is outside [s].
        balance: Over the whole clip.
    """

    share: float
    outside: float
    time: float
    frame: int
    direction: str
    outside_at_rest: float
    intervals: tuple[tuple[float, float], ...]
    balance: Balance

    kind = "balance"

    @property
    def is_over(self) -> bool:
        """Whether it would tip."""
        return self.outside > OUTSIDE_TOLERANCE

    @property
    def is_near(self) -> bool:
        """Whether it stays up, but only just."""
        return not self.is_over and self.share > NEAR_SHARE

    @property
    def falls_at_rest(self) -> bool:
        """Whether it would tip even if it stood still in the pose of that moment."""
        return self.outside_at_rest > OUTSIDE_TOLERANCE

    @property
    def time_over(self) -> float:
        """How long the ZMP is outside, all stretches together [s]."""
        return sum(end - start for start, end in self.intervals)

    @property
    def hover_share(self) -> float:
        """Share of the moments at which something must carry the character and nothing touches."""
        balance = self.balance
        return float(np.mean(~balance.support.touching.any(axis=1) & (balance.weight_share >= FLIGHT_SHARE)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What balance was taken from."""
        if self.hover_share < 0.01:
            return ()
        first = float(self.balance.times[np.argmin(self.balance.support.touching.any(axis=1))])
        return (
            f"At {100.0 * self.hover_share:.0f} % of the moments, first at {seconds(first)}, no sole is near the floor "
            "(z = 0) although the motion is no free flight; balance was not checked there.",
        )


def find_balance(
    character: Character, clip: Clip, times: np.ndarray, first_frame: int = 0, *, floor: Floor | None = None
) -> BalanceFinding | None:
    """The worst moment of balance; None where there is none to keep.

    There is balance to keep of a tree character that floats, weighs something and has soles, one of
    which touches the floor at half of the moments that are no flight.

    Args:
        character: Who should perform.
        clip: What should be performed.
        times: Moments to look at [s], [time].
        first_frame: What the first frame of the clip is called: its number in the file.
        floor: What the floor gives at these moments, where it is known already.
    """
    if not (character.soles and character.floats and topology_of(rigidified(character)).is_tree and len(times)):
        return None
    if not packed_tree(character).has_free_root or weight_of(character) <= 0.0:
        return None
    if floor is None:
        states = states_of_clip(character, clip, times)
        balance = balance_of(character, states)
    else:
        states = floor.states
        balance = balance_of(character, states, forces=floor.forces, corners=floor.corners, support=floor.support)
    if balance.flight.all():
        return None
    touching = np.asarray(balance.support.touching.any(axis=1))
    if touching[balance.weight_share >= FLIGHT_SHARE].mean() < LEAST_STANDING:
        return None
    worst = int(np.nanargmax(balance.outside))
    corners, touching = balance.corners.positions[worst, :, :2], balance.support.touching[worst]
    away = balance.zmp[worst] - corners[touching].mean(axis=0)
    still = centre_of_mass(character, states)[worst, :2]
    at_rest = outside_distance(still[None], corners[None], touching[None])[0]
    time = float(times[worst])
    return BalanceFinding(
        share=float(balance.reach[worst]),
        outside=float(balance.outside[worst]),
        time=time,
        frame=first_frame + int(np.argmin(np.abs(clip.times - time))),
        direction=_direction(away, states.root[worst, 3:7]),
        outside_at_rest=float(at_rest),
        intervals=intervals_over(times, 1.0 + balance.outside - OUTSIDE_TOLERANCE),
        balance=balance,
    )


def _direction(away: np.ndarray, root_wxyz: np.ndarray) -> str:
    """A direction on the floor as the character would say it; it looks along x of its root."""
    front = quaternions.rotate(root_wxyz, np.array([1.0, 0.0, 0.0]))
    angle = np.arctan2(away[1], away[0]) - np.arctan2(front[1], front[0])
    return _WAYS[int(np.rint(angle / (0.5 * np.pi))) % 4]

"""Whether a character stays on its feet, and how far it is from falling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.mechanics.contact.corners import Corners, corners_of
from animato.mechanics.contact.friction import FRICTION
from animato.mechanics.contact.polygon import outside_and_reach
from animato.mechanics.contact.support import Support, corner_forces
from animato.mechanics.contact.zmp import (
    FLIGHT_SHARE,
    points_of_no_moment,
    root_wrench,
    vertical_share,
    weight_of,
)
from animato.mechanics.tree import GeneralizedForces, States, inverse_dynamics

OUTSIDE_TOLERANCE = 1e-6
"""What the ZMP may be outside of what touches before balance counts as lost [m]: rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Balance(Described):
    """How the floor carries a character over time.

    Attributes:
        times: [s], [time].
        zmp: On the floor [m], [time, 2]; NaN in flight.
        outside: How far the ZMP is outside the convex hull of what touches, negative inside [m], [time]; NaN in flight.
        reach: Share of the way from the middle of that hull to its border, 1 on the border, [time]; NaN in flight.
        flight: Nothing touches, or what is given from outside is less than `FLIGHT_SHARE` of the weight, [time].
        weight_share: What must be pushed up from outside as a share of the weight, [time].
        residual_share: Force that the contacts cannot give as a share of the weight, [time]; in flight all
            that would have to come from nowhere.
        corners: That may touch.
        support: Forces at them, and torques with them.
    """

    times: np.ndarray
    zmp: np.ndarray
    outside: np.ndarray
    reach: np.ndarray
    flight: np.ndarray
    weight_share: np.ndarray
    residual_share: np.ndarray
    corners: Corners
    support: Support

    def facts(self) -> dict[str, str]:
        """At a glance."""
        standing = self.outside[~self.flight]
        return {
            "moments": str(len(self.times)),
            "in flight": f"{100.0 * np.mean(self.flight):.0f} %",
            "out of balance": f"{100.0 * self.lost_share:.1f} %",
            "farthest outside": f"{1000.0 * float(np.max(standing)):.1f} mm" if standing.size else "never stands",
        }

    @property
    def lost(self) -> np.ndarray:
        """Where the ZMP leaves what touches, [time]."""
        return np.nan_to_num(self.outside, nan=-1.0) > OUTSIDE_TOLERANCE

    @property
    def lost_share(self) -> float:
        """Share of the moments outside flight at which balance is lost; 0 where all is flight."""
        standing = ~self.flight
        return float(np.mean(self.lost[standing])) if standing.any() else 0.0


def balance_of(
    character: Character,
    states: States,
    touching: np.ndarray | None = None,
    *,
    forces: GeneralizedForces | None = None,
    corners: Corners | None = None,
    friction: float = FRICTION,
    support: Support | None = None,
) -> Balance:
    """Balance over a motion.

    Args:
        character: With a floating base.
        states: What it does.
        touching: Which corners touch, [time, corner]; those that are near the floor where not given.
        forces: Its inverse dynamics without contact, where they are known already.
        corners: Points that may touch the floor; those of all soles where not given.
        friction: Coefficient of the soles on the floor.
        support: What the floor gives with all this, where it is known already.

    Raises:
        CharacterError: The character is held by the ground, or weighs nothing.
    """
    free = forces or inverse_dynamics(character, states)
    wrench = root_wrench(character, states, free)
    share = vertical_share(character, wrench)
    where = corners or corners_of(character, states)
    touches = where.touching if touching is None else np.asarray(touching, dtype=bool)
    support = support or corner_forces(character, where, free, touches, friction=friction)
    flight = ~touches.any(axis=1) | (share < FLIGHT_SHARE)
    zmp = np.where(flight[:, None], np.nan, points_of_no_moment(wrench, share))
    outside, reach = outside_and_reach(zmp, where.positions[..., :2], touches)
    return Balance(
        times=states.times,
        zmp=zmp,
        outside=outside,
        reach=reach,
        flight=flight,
        weight_share=share,
        residual_share=np.linalg.norm(support.imbalance[:, :3], axis=1) / weight_of(character),
        corners=where,
        support=support,
    )

"""What markers ask of the robot: configuration, rates, torques and zero moment point of every frame, by one fit.

Each frame's rows are functions of the markers of three frames. They come through q(V) and finite differences, by the
chain rule; nothing is differentiated numerically.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import contact_torques, rnea_derivatives
from animato.mimic.published.fitting import Fit, MarkerFitter, point_places
from animato.mimic.published.postures import Postures, Rates, rates_of, states_with
from animato.mimic.published.zmp import Zmp, zmp_of


@dataclass(frozen=True, eq=False)
class Robot:
    """The robot at given markers.

    Attributes:
        fit: Its configuration, and how that changes with the markers.
        rates: Velocities and accelerations.
        tau: Inverse dynamics without contact [N m], [frame, dof].
        tau_by: By q, v and a, [frame, dof, dof] each.
        zmp: Zero moment points.
        centre: Middle of the feet on the floor [m], [frame, 2].
        centre_by: By steps of the frame, [frame, 2, dof].
    """

    fit: Fit
    rates: Rates
    tau: np.ndarray
    tau_by: tuple[np.ndarray, np.ndarray, np.ndarray]
    zmp: Zmp
    centre: np.ndarray
    centre_by: np.ndarray


class MarkerDynamics:
    """Robots of markers; remembers the last, since many rows ask for the same."""

    def __init__(self, fitter: MarkerFitter, times: np.ndarray, shares: np.ndarray, start: Postures) -> None:
        """Prepares.

        Args:
            fitter: Finds configurations.
            times: Of the frames, evenly apart [s], [frame].
            shares: Of the right and the left foot in the middle that the ZMP keeps to, 1 in sum, [frame, 2].
            start: Where the first fit begins.
        """
        self.fitter, self.times, self.shares = fitter, times, shares
        self.h = float(times[1] - times[0])
        self._last, self._markers = start, np.zeros(0)
        self._robot: Robot | None = None

    def at(self, markers: np.ndarray) -> Robot:
        """The robot at markers [frame, marker, 3] [m]."""
        if self._robot is None or not np.array_equal(markers, self._markers):
            self._robot, self._markers = self._made(markers), markers.copy()
        return self._robot

    def settle(self, robot: Robot) -> None:
        """Lets later fits begin at this robot's configurations."""
        self._last = robot.fit.postures

    def _made(self, markers: np.ndarray) -> Robot:
        fit = self.fitter.fit(markers, self._last)
        rates = rates_of(fit.postures, self.h)
        marker_set, tree = self.fitter.markers, self.fitter.tree
        forces = rnea_derivatives(marker_set.character, states_with(fit.postures, rates, self.times))
        feet = marker_set.feet_points()
        places = point_places(marker_set, fit.postures, feet, tree)[:, :, :2]
        nothing = np.zeros((len(markers), 2, 3))
        lever = contact_torques(tree, fit.postures.q, fit.postures.root, feet, nothing).by_f[..., :2]
        centre_by = np.einsum("fdki,fk->fid", lever, self.shares)
        centre = np.einsum("fki,fk->fi", places, self.shares)
        zmp = zmp_of(fit.postures, forces)
        return Robot(fit, rates, forces.tau, (forces.by_q, forces.by_v, forces.by_a), zmp, centre, centre_by)


def by_markers(robot: Robot, by_q: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> np.ndarray:
    """Derivatives of rows of each frame by the markers of three frames.

    Args:
        robot: The robot there.
        by_q: Of rows by steps of their own frame, [frame, row, dof].
        by_v: By velocities, [frame, row, dof].
        by_a: By accelerations, [frame, row, dof].

    Returns:
        [frame, row, 9 marker]: before, here, after. The first frame's three are itself and the two after it, the last
        one's the two before and itself, as `three_frames` has them.
    """
    rates, gains = robot.rates, robot.fit.gains
    count, rows, width = len(by_q), by_q.shape[1], gains.shape[2]
    steps = np.stack([by_v @ rates.v_by[:, k] + by_a @ rates.a_by[:, k] for k in range(3)], axis=1)
    steps[:, 1] += by_q
    out = np.zeros((count, rows, 3, width))
    for k in range(3):
        neighbour = np.clip(np.arange(count) + k - 1, 0, count - 1)
        out[:, :, k] = steps[:, k] @ gains[neighbour]
    out[0], out[-1] = np.roll(out[0], -1, axis=1), np.roll(out[-1], 1, axis=1)
    return out.reshape(count, rows, 3 * width)


def three_frames(count: int) -> np.ndarray:
    """The frames that each frame's rows see, [frame, 3]; at both ends the three nearest."""
    middle = np.clip(np.arange(count), 1, count - 2)
    return middle[:, None] + np.array([-1, 0, 1])

"""The paper's use: a humanoid tells what an assistive suit takes off the waist, by its joint torques with and without.

The suit is two elastic bands on the back, each from the chest over the pelvis to a thigh, after the idea of the Smart
Suit Lite. A band of length L slides without friction through its middle point. Its tension T = k (L - L0) grows with
its stretch and is zero below its length at rest, so it enters inverse dynamics as tau = ID - J^T f_floor + T dL/dq. It
adds nothing to the base wrench: motion and ZMP stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.gallery.mimic.hrp4c_markers import SOLE_M
from animato.mechanics.contact import Corners, corner_forces, corners_of
from animato.mechanics.tree import GeneralizedForces, States, inverse_dynamics, states_of_posture

Point = tuple[str, tuple[float, float, float]]

SOLE_CORNERS_M = ((0.15, 0.065), (-0.09, 0.065), (-0.09, -0.065), (0.15, -0.065))
"""Assumed outline of a sole about the ankle; the robot's file has no shapes that could tell."""


@dataclass(frozen=True)
class Band:
    """An elastic band.

    Attributes:
        points: (body, point on that body [m]) of its ends, and of what it slides through between them.
        stiffness: Force for each metre that it is longer than at rest [N/m].
        slack: Its length at rest, in lengths of the robot at its rest pose.
    """

    points: tuple[Point, ...]
    stiffness: float
    slack: float = 1.0


def _band(side: str, sign: float) -> Band:
    chest, pelvis = (-0.14, sign * 0.06, 0.22), (-0.14, sign * 0.08, 0.0)
    thigh = (-0.10, 0.0, -0.2)
    return Band((("CHEST_Y_LINK", chest), ("BODY", pelvis), (f"{side}_HIP_P_LINK", thigh)), 400.0)


SUIT: tuple[Band, ...] = (_band("R", -1.0), _band("L", 1.0))
"""Two bands of 400 N/m over the back to the backs of the thighs, just taut while the robot stands straight."""


@dataclass(frozen=True, eq=False, repr=False)
class Assistance(Described):
    """Joint torques of a motion without and with bands.

    Attributes:
        times: [s], [frame].
        names: Joints.
        without: [N m], [frame, joint].
        assisted: The same with the bands, [frame, joint].
        pulls: Forces in the bands [N], [frame, band].
        residual_share: Of the base wrench's force that the floor could not give, in weights, the largest.
    """

    times: np.ndarray
    names: tuple[str, ...]
    without: np.ndarray
    assisted: np.ndarray
    pulls: np.ndarray
    residual_share: float

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = {name: f"{a:.1f} -> {b:.1f} N m" for name, a, b in self.peaks(("CHEST_P", "R_HIP_P", "L_HIP_P"))}
        return {"frames": str(len(self.times)), **told}

    def peaks(self, names: tuple[str, ...] | None = None) -> list[tuple[str, float, float]]:
        """Joint, and its largest torque without and with bands [N m]."""
        chosen = self.names if names is None else tuple(name for name in names if name in self.names)
        found = []
        for name in chosen:
            k = self.names.index(name)
            found.append((name, float(np.abs(self.without[:, k]).max()), float(np.abs(self.assisted[:, k]).max())))
        return found


def assistance_of(robot: Character, states: States, planted: np.ndarray, bands: tuple[Band, ...] = SUIT) -> Assistance:
    """What bands take off the joints in a motion.

    Args:
        robot: HRP-4C, or a robot with the bodies that the bands name.
        states: The motion.
        planted: Whether the right and the left foot stand, [frame, 2] bool; soles that do may push.
        bands: The suit.
    """
    forces = inverse_dynamics(robot, states)
    pressed, pulls = band_forces(robot, states, bands)
    corners, touching = _soles(robot, states, planted)
    bare = corner_forces(robot, corners, forces, touching)
    suited = corner_forces(
        robot, corners, GeneralizedForces(forces.times, forces.names, forces.values - pressed), touching
    )
    weight = float(np.abs(forces.values[:, :3]).max())
    residual = float(np.abs(bare.imbalance[:, :3]).max()) / weight
    return Assistance(states.times, forces.names[6:], bare.torques[:, 6:], suited.torques[:, 6:], pulls, residual)


def band_forces(robot: Character, states: States, bands: tuple[Band, ...]) -> tuple[np.ndarray, np.ndarray]:
    """J^T f of all bands [N m], [frame, dof], and the force in each [N], [frame, band]."""
    pressed, pulls = np.zeros_like(states.velocities), []
    for band in bands:
        length, change = _length(corners_of(robot, states, band.points))
        at_rest, _ = _length(corners_of(robot, states_of_posture(robot), band.points))
        pull = band.stiffness * np.maximum(length - band.slack * at_rest[0], 0.0)
        pressed -= pull[:, None] * change
        pulls.append(pull)
    return pressed, np.stack(pulls, axis=1)


def _length(points: Corners) -> tuple[np.ndarray, np.ndarray]:
    """The length along points [m], [frame], and how it changes with the degrees of freedom, [frame, dof]."""
    apart = np.diff(points.positions, axis=1)
    each = np.linalg.norm(apart, axis=2)
    change = np.einsum("fpi,fpid->fd", apart / each[..., None], np.diff(points.jacobians, axis=1))
    return each.sum(axis=1), change


def _soles(robot: Character, states: States, planted: np.ndarray) -> tuple[Corners, np.ndarray]:
    """Corners of both soles, and which of them may push."""
    points = [(f"{side}_ANKLE_R_LINK", (x, y, -SOLE_M)) for side in "RL" for x, y in SOLE_CORNERS_M]
    return corners_of(robot, states, points), np.repeat(planted, len(SOLE_CORNERS_M), axis=1)

"""Three edits of what a biker does, each made from what the design before it does.

The motors keep their motion; only the design may change.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.errors import OptionError
from animato.mechanics.loops import LoopMotion, loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.spatial import quaternions

RATE_HZ = 60.0
STEPS = 120
"""Of one turn of the crank."""

STEERING_RAD = float(np.radians(22.0))
ROLL_GAIN = 1.7  # how much farther the torso is to roll
LEAN_RAD = float(np.radians(10.0))  # how much farther forward the torso is to lean
ELBOWS_IN_M = 0.012
FOOT_PITCH_SHARE = 0.6  # what is left of the feet's pitching

EDITS = ("roll", "lean", "elbows and feet")
"""The three refinements, in order; each keeps those before it."""


def biker_controls(step_count: int = STEPS) -> np.ndarray:
    """What the two motors do: the crank turns evenly, the handlebar swings once a turn; [rad], shape [step, 2].

    Args:
        step_count: 120 a turn of the crank; 720 and 1200 are six and ten turns.
    """
    phase = 2.0 * np.pi * np.arange(step_count) / STEPS
    return np.stack([phase, STEERING_RAD * np.sin(phase)], axis=1)


def biker_targets(
    character: Character, edit: str = EDITS[-1], *, step_count: int = STEPS
) -> tuple[TrackingTarget, ...]:
    """Takes what the given biker does and edits it.

    Args:
        character: The biker in its initial design.
        edit: How far the refinements go: "roll" asks for a roll of the torso that is even and larger, "lean"
            also for a torso that leans farther forward, "elbows and feet" also for elbows closer to the body
            and feet that pitch less.
        step_count: 120 a turn of the crank.
    """
    if edit not in EDITS:
        raise OptionError(f"The edits of the biker are {', '.join(EDITS)}, not '{edit}'.")
    motion = loop_kinematics(build_mechanism(character), biker_controls(step_count))
    targets = [_torso(motion, leaning=edit != EDITS[0])]
    if edit == EDITS[2]:
        targets += [_elbow(motion, side) for side in ("left", "right")]
        targets += [_foot(motion, side) for side in ("left", "right")]
    return tuple(targets)


def _torso(motion: LoopMotion, *, leaning: bool) -> TrackingTarget:
    """An even and larger roll, a steady lean; the turn to the side as before, but even."""
    yaw, pitch, roll = _angles(motion, "chest")
    steering = motion.controls[:, 1] / STEERING_RAD
    lean = np.full_like(pitch, np.mean(pitch) + (LEAN_RAD if leaning else 0.0))
    turns = quaternions.quaternion_from_euler(
        np.stack([_even(yaw, steering), lean, ROLL_GAIN * _even(roll, steering)], axis=1), "zyx"
    )
    return TrackingTarget("chest", np.zeros(3), None, turns, orientation_weight=1.0, name="torso")


def _elbow(motion: LoopMotion, side: str) -> TrackingTarget:
    """Closer to the body; how high and how far in front is open."""
    marker = motion.mechanism.character.marker(f"{side}_elbow")
    path = _path(motion, marker.body, np.array(marker.position))
    path[:, 1] -= np.sign(path[:, 1]) * ELBOWS_IN_M
    return TrackingTarget(
        marker.body, np.array(marker.position), path, position_weights=np.array((0.0, 20.0, 0.0)), name=marker.name
    )


def _foot(motion: LoopMotion, side: str) -> TrackingTarget:
    yaw, pitch, roll = _angles(motion, f"{side}_foot")
    calm = np.mean(pitch) + FOOT_PITCH_SHARE * (pitch - np.mean(pitch))
    turns = quaternions.quaternion_from_euler(np.stack([yaw, calm, roll], axis=1), "zyx")
    return TrackingTarget(f"{side}_foot", np.zeros(3), None, turns, orientation_weight=0.3)


def _even(angle: np.ndarray, swing: np.ndarray) -> np.ndarray:
    """The part of an angle that goes with a swing from -1 to 1 and back."""
    return np.asarray(swing * (angle @ swing) / (swing @ swing))


def _angles(motion: LoopMotion, body: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turn to the side, lean forward and roll of a body over time [rad]."""
    matrices = quaternions.matrix_from_quaternion(motion.quaternions_wxyz(body))
    return (
        np.arctan2(matrices[:, 1, 0], matrices[:, 0, 0]),
        -np.arcsin(np.clip(matrices[:, 2, 0], -1.0, 1.0)),
        np.arctan2(matrices[:, 2, 1], matrices[:, 2, 2]),
    )


def _path(motion: LoopMotion, body: str, point: np.ndarray) -> np.ndarray:
    return np.asarray(quaternions.rotate(motion.quaternions_wxyz(body), point) + motion.positions(body))

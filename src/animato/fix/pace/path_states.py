"""What a tree character does along a clip: derivatives by the artist's time, and the torque that they take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.mechanics.tree import (
    States,
    inverse_dynamics_kernel,
    packed_tree,
    states_of_clip,
)
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class PathTorque:
    """Torque a s'' + d s'^2 + c + damping q' s' + friction sign(q'), by degree of freedom [N m or N].

    Attributes:
        of_change: a, [node, dof].
        of_square: d, [node, dof].
        at_rest: c, [node, dof].
        damping: [dof].
        friction: [dof].
    """

    of_change: np.ndarray
    of_square: np.ndarray
    at_rest: np.ndarray
    damping: np.ndarray
    friction: np.ndarray

    def at_full_tempo(self, dq: np.ndarray) -> np.ndarray:
        """The torque at the artist's own tempo, [node, dof]."""
        return np.asarray(self.of_square + self.at_rest + self.damping * dq + self.friction * np.sign(dq))


@dataclass(frozen=True, eq=False)
class PathStates:
    """Derivatives by the artist's time at nodes.

    Attributes:
        dq: q' [rad/s or m/s], [node, dof].
        ddq: q'' [rad/s^2 or m/s^2], [node, dof].
        peaks: q' at frames, and between them where it is largest, [node, dof].
        dddq: q''' [rad/s^3 or m/s^3], the larger of both sides of a frame, [node, dof].
        torque: None where the character has no limits of torque.
    """

    dq: np.ndarray
    ddq: np.ndarray
    peaks: np.ndarray
    dddq: np.ndarray
    torque: PathTorque | None


def path_states(character: Character, clip: Clip, nodes: np.ndarray, *, torque: bool) -> PathStates:
    """Evaluates a clip at nodes.

    Args:
        character: A tree.
        clip: What it should do.
        nodes: Artist's times [s]: its frames and their middles, [node].
        torque: Whether torques are wanted: those of a character that is carried by its root, if that is free.
    """
    states = states_of_clip(character, clip, nodes)
    jerks = third_derivatives(character, clip, states)
    found = _carried_by_root(character, states) if torque else None
    peaks = peak_speeds(nodes, states.velocities, states.accelerations)
    return PathStates(states.velocities, states.accelerations, peaks, jerks, found)


def third_derivatives(character: Character, clip: Clip, states: States) -> np.ndarray:
    """Of each degree of freedom at the frames of a clip and their middles, [2 * frame - 1, dof].

    It is constant from frame to frame; a frame has the larger of both sides. That of a spherical joint is by
    differences.

    Args:
        character: A tree.
        clip: Two frames at least.
        states: Its own at these times.
    """
    tree = packed_tree(character)
    jerks = np.zeros_like(states.velocities)
    for _, dof, _ in tree.balls:
        jerks[:, dof : dof + 3] = np.gradient(states.accelerations[:, dof : dof + 3], states.times, axis=0)
    pieces = clip.spline(states.times[1::2], derivative=3)
    known = [column for column, name in enumerate(clip.names) if name in tree.dof_names]
    dofs = [tree.dof_names.index(clip.names[column]) for column in known]
    pieces = pieces[:, known]
    before, after = np.concatenate([pieces[:1], pieces]), np.concatenate([pieces, pieces[-1:]])
    jerks[1::2, dofs] = pieces
    jerks[::2, dofs] = np.where(np.abs(before) > np.abs(after), before, after)
    return jerks


def peak_speeds(times: np.ndarray, velocities: np.ndarray, accelerations: np.ndarray) -> np.ndarray:
    """Velocities at frames, and between them those that are largest, [2 * frame - 1, dof].

    A spline's velocity is a parabola from frame to frame: where its acceleration changes sign, it has its peak.

    Args:
        times: Frames and their middles [s].
        velocities: There; those in the middle where no peak is between.
        accelerations: There.
    """
    peaks = velocities.copy()
    first, last = accelerations[:-1:2], accelerations[2::2]
    turns = first * last < 0.0
    jerk = np.where(turns, (last - first) / np.diff(times[::2])[:, None], 1.0)
    peaks[1::2] = np.where(turns, velocities[:-1:2] - 0.5 * first**2 / jerk, velocities[1::2])
    return peaks


def _carried_by_root(character: Character, states: States) -> PathTorque:
    tree = packed_tree(character)
    weightless = tree.arrays._replace(gravity=np.zeros(3))
    dq, ddq, q, root = states.velocities, states.accelerations, states.positions, states.root
    still = np.zeros_like(dq)
    a, d, c = np.empty_like(dq), np.empty_like(dq), np.empty_like(dq)
    inverse_dynamics_kernel(weightless, q, still, dq, root, a)
    inverse_dynamics_kernel(weightless, q, dq, ddq, root, d)
    inverse_dynamics_kernel(tree.arrays, q, still, still, root, c)
    a += tree.armature * dq
    d += tree.armature * ddq
    return PathTorque(a, d, c, tree.damping, tree.friction)

"""Closes the loops of a character whose file has them open at zero, as a URDF file cut into a tree does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from animato.character import Character, Frame, Joint, JointRole, JointType, Vector
from animato.character.structure import JointStand, joint_stand, rest_poses, rezeroed
from animato.errors import CharacterError
from animato.formats.loops.tree_motion import TreeMotion, homogeneous

CLOSED = 1e-9  # [m or rad]
ROUNDING = 1e-6  # [m or rad] what the digits of a file leave open; files state 6 to 8 of them
_STEPS = 200
_STARTS = 12
_ALIKE = 4  # starts that end at the same gap: another would too
_FLAT = 1e-7  # cosine between what is open and what moves: nothing closes it further
_PATIENCE = 8  # steps in a row that hardly gain anything
_SHARE = 0.5**0.5  # three axes tell a small turn twice
_REACH = 1.0  # [rad or m] the longest step of a coordinate


def tied_at_rest(tree: Character, ties: Sequence[Joint]) -> Character:
    """The robot with its ties, in the pose of its file where the loops close there but for its digits.

    What the digits leave open is put into the frames of the ties, so that the rest is the file's own
    to the last bit. Loops that are open by more are closed by moving joints, as a simulation would:
    `closed_at_rest`. Where no closed pose is found the robot rests as drawn, and the description says
    which loops are open; a simulation loads such a file too.

    Args:
        tree: The robot without its loops, at rest as the file has it.
        ties: Fixed or spherical joints that close them.
    """
    wide = {name: stand for name, stand in _stands(tree, ties).items() if max(stand.distance, stand.angle) > ROUNDING}
    if not wide:
        return replace(tree, joints=(*tree.joints, *_neutral(tree, ties)))
    try:
        return closed_at_rest(tree, ties)
    except CharacterError:
        shown = ", ".join(f"{name} by {_apart(stand)}" for name, stand in wide.items())
        words = f"No pose was found in which all loops close; at rest these are open: {shown}"
        description = ". ".join(part for part in (tree.description, words) if part)
        rest = [tie if tie.name in wide else closed for tie, closed in zip(ties, _neutral(tree, ties), strict=True)]
        return replace(tree, joints=(*tree.joints, *rest), description=description)


def closed_at_rest(tree: Character, ties: Sequence[Joint]) -> Character:
    """The robot with its ties, its joints counted from a pose in which all loops close.

    Motors keep their zero where the loops can be closed with all motors at zero; only where they
    cannot is the zero of motors moved too, which the description then says. Of several ways to close
    the loops the one is taken to which Gauss-Newton steps from zero lead.

    Args:
        tree: The robot without its loops.
        ties: Fixed or spherical joints that close them.

    Raises:
        CharacterError: No pose was found in which the loops close; each is named with its gap.
    """
    movable = [joint for joint in tree.joints if joint.is_free_coordinate]
    passive = [joint for joint in movable if joint.role is not JointRole.ACTUATED]
    closing = _Closing(tree, ties)
    zeros = closing.found(passive, movable)
    if zeros is None:
        stands = _stands(rezeroed(tree, closing.nearest), closing.open_ties)
        gaps = ", ".join(f"'{name}' by {_apart(stand)}" for name, stand in stands.items())
        raise CharacterError(
            f"No pose was found in which the loops close, from {closing.starts} starts; in the nearest they stay open: "
            f"{gaps}. Check the names of the frames that are tied, the type of the ties, and the lengths of the links."
        )
    moved = [
        f"{joint.name} {', '.join(f'{value:.4g}' for value in zeros[joint.name])}"
        for joint in movable
        if joint.role is JointRole.ACTUATED and joint.name in zeros and zeros[joint.name] != joint.neutral
    ]
    closed = rezeroed(tree, zeros)
    words = f"Zero of the motors is where the file has {', '.join(moved)}" if moved else ""
    description = ". ".join(part for part in (tree.description, words) if part)
    return replace(closed, joints=(*closed.joints, *_neutral(closed, ties)), description=description)


def _apart(stand: JointStand) -> str:
    return f"{stand.distance * 1e3:.3g} mm and {np.degrees(stand.angle):.3g} deg"


def _neutral(tree: Character, ties: Sequence[Joint]) -> list[Joint]:
    """The ties, neutral and closed in the rest pose of the tree: a ball stands somewhere in its socket."""
    poses = rest_poses(tree)
    found = []
    for tie in ties:
        near = poses[tie.parent] @ tie.frame_parent.transform
        on_child = poses[tie.child].inverse() @ near
        found.append(replace(tie, frame_child=Frame.from_transform(on_child)))
    return found


def _stands(tree: Character, ties: Sequence[Joint]) -> dict[str, JointStand]:
    poses = rest_poses(tree)
    stands = {}
    for tie in ties:
        first, second = poses[tie.parent] @ tie.frame_parent.transform, poses[tie.child] @ tie.frame_child.transform
        stands[tie.name] = joint_stand(tie, first.inverse() @ second)
    return stands


class _Closing:
    """Damped Gauss-Newton over tree coordinates, on the gaps of the ties that close loops."""

    def __init__(self, tree: Character, ties: Sequence[Joint]) -> None:
        self.tree, self.ties = tree, ties
        self.ends = [
            (tie, homogeneous(tie.frame_parent.transform), homogeneous(tie.frame_child.transform)) for tie in ties
        ]
        self.nearest: dict[str, Vector] = {}
        self.nearest_gap = np.inf
        self.open_ties = ties
        self.starts = 0

    def found(self, passive: Sequence[Joint], movable: Sequence[Joint]) -> dict[str, Vector] | None:
        """Positions that close the loops: of no joint, of passive ones, else of all; None where none are found."""
        for joints in ((), passive):
            values = self.solve(joints, 1)
            if values is not None:
                return values
        # A loop that stays open although all others are cut is found quickly; then the rest need not be tried.
        for tie in self.ties:
            alone = _Closing(self.tree, [tie])
            if alone.solve(movable, _STARTS) is None:
                self.nearest, self.open_ties, self.starts = alone.nearest, [tie], alone.starts
                return None
        for joints in (passive, movable):
            values = self.solve(joints, _STARTS)
            if values is not None:
                return values
        return None

    def solve(self, joints: Sequence[Joint], starts: int) -> dict[str, Vector] | None:
        """Positions of these joints that close the loops, or None where none of the starts leads there."""
        motion = TreeMotion(self.tree, [body for tie in self.ties for body in (tie.parent, tie.child)], joints)
        rng = np.random.default_rng(1)
        gaps: list[float] = []
        for start in range(starts if motion.size else 1):
            self.starts += 1
            values = motion.neutral()
            if start:
                values = motion.moved(values, rng.normal(scale=0.3 * (1 + start // 4), size=motion.size))
            values, gap = self._descended(motion, values)
            if gap < self.nearest_gap:
                self.nearest, self.nearest_gap = values, gap
            if gap < CLOSED:
                return values
            gaps.append(gap)
            if sum(one < 1.01 * min(gaps) for one in gaps) >= _ALIKE:
                break
        return None

    def _descended(self, motion: TreeMotion, values: dict[str, Vector]) -> tuple[dict[str, Vector], float]:
        damping, slow = 1e-3, 0
        residual, jacobian = self._gaps(motion, values)
        for _ in range(_STEPS):
            gap = float(np.abs(residual).max())
            if gap < 1e-15 or damping > 1e8 or not motion.size or slow >= _PATIENCE:
                break
            slope = jacobian.T @ residual
            if np.linalg.norm(slope) < _FLAT * np.linalg.norm(jacobian) * np.linalg.norm(residual):
                break
            # Damping by the gap itself: far away it keeps steps short, near the end it vanishes.
            lhs = jacobian.T @ jacobian + damping * min(1.0, gap) * np.eye(motion.size)
            step = -np.linalg.lstsq(lhs, slope, rcond=None)[0]
            step *= min(1.0, _REACH / max(float(np.abs(step).max()), 1e-300))
            trial = motion.moved(values, step)
            new_residual, new_jacobian = self._gaps(motion, trial)
            before, after = float(np.linalg.norm(residual)), float(np.linalg.norm(new_residual))
            if after < before:
                slow = slow + 1 if after > 0.999 * before else 0
                values, residual, jacobian, damping = trial, new_residual, new_jacobian, max(damping / 10.0, 1e-12)
            elif gap < CLOSED / 1e3:
                break
            else:
                damping *= 10.0
        return values, float(np.abs(residual).max())

    def _gaps(self, motion: TreeMotion, values: Mapping[str, Vector]) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of all loops [m, rad] and their derivatives, turns as differences of axes."""
        poses, twists = motion.evaluated(values)
        rows, slopes = [], []
        for tie, on_parent, on_child in self.ends:
            first, second = poses[tie.parent] @ on_parent, poses[tie.child] @ on_child
            ends = []
            for body, frame in ((tie.parent, first), (tie.child, second)):
                linear, angular = twists[body][:3], twists[body][3:]
                ends.append((linear + np.cross(angular.T, frame[:3, 3]).T, angular))
            rows.append(second[:3, 3] - first[:3, 3])
            slopes.append(ends[1][0] - ends[0][0])
            if tie.type is JointType.FIXED:
                # Differences of axes, not an angle: their slopes are exact however far apart the frames are.
                for axis in range(3):
                    near, far = first[:3, axis], second[:3, axis]
                    rows.append(_SHARE * (far - near))
                    slopes.append(_SHARE * (np.cross(ends[1][1].T, far) - np.cross(ends[0][1].T, near)).T)
        return np.concatenate(rows), np.vstack(slopes)

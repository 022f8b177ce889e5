"""A motion that runs underneath: where each coordinate is at a time of the loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Character
from animato.errors import MotionError, unknown_name
from animato.express.postures.bone_points import bone_chain, bone_points
from animato.express.postures.joint_points import fit_points, joint_points
from animato.mechanics.tree import Chain
from animato.motion import CapturedMotion, Clip, MarkerMotion, Motion, Posture, Stroke
from animato.spatial import quaternions


class PlayedClip:
    """A clip, played from a moment on; before it the first frame holds, after its end the last one.

    Args:
        clip: The motion.
        posture: Of the whole character; coordinates that the clip does not name keep it.
        start_s: When the clip begins, in the time of the loop [s].
        repeat: Whether it begins anew whenever it has ended.
    """

    def __init__(self, clip: Clip, posture: Posture, *, start_s: float = 0.0, repeat: bool = False) -> None:
        self.clip, self.start_s = clip, start_s
        self._repeats = repeat and clip.duration > 0.0
        self._rest = posture.positions
        self._columns = [posture.names.index(name) for name in clip.names]

    def lap(self, time_s: float) -> int:
        """How often it has begun anew by a time of the loop [s]."""
        return int((time_s - self.start_s) // self.clip.duration) if self._repeats and time_s > self.start_s else 0

    def at(self, time_s: float) -> np.ndarray:
        """Positions of the whole character [rad or m], [coordinate]."""
        row = self._rest.copy()
        row[self._columns] = self.clip.spline(self._moment(time_s))[0]
        return row

    def velocity(self, time_s: float) -> np.ndarray:
        """Of the same [rad/s or m/s], [coordinate]."""
        row, since = np.zeros(len(self._rest)), time_s - self.start_s
        if since > 0.0 and (self._repeats or since < self.clip.duration):
            row[self._columns] = self.clip.velocity(self._moment(time_s))[0]
        return row

    def base(self, time_s: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Position [m], [3], and quaternion wxyz, [4], of the root body; None where the clip leaves it alone."""
        spline = self.clip.base_spline
        if spline is None:
            return None
        row = spline(self._moment(time_s))[0]
        return row[:3], quaternions.normalized(row[3:])

    def _moment(self, time_s: float) -> np.ndarray:
        """The time in the clip [s], [1]."""
        since = max(0.0, time_s - self.start_s)
        since = since % self.clip.duration if self._repeats else min(since, self.clip.duration)
        return np.array([self.clip.times[0] + since])


def clip_of_motion(character: Character, chain: Chain | None, motion: Motion, bones: Sequence[str] = ()) -> Clip:
    """A motion of any kind as a clip of a character.

    A captured skeleton's angles are copied where joints are named as its bones are; otherwise, and where `bones` are
    named, the chain bends as its back does: points along the bones, resampled by length over the chain's segments.

    Args:
        character: Whose clip it becomes.
        chain: The joints that bend as the bones do; None where there is no chain.
        motion: A clip, a posture, or a captured skeleton.
        bones: Of a captured skeleton, from the root towards the tip; from the root to the head where not given.

    Raises:
        UnknownNameError: The clip names a coordinate, or you a bone, that does not exist.
        MotionError: The motion has neither joints nor bones; or it moves the base of what stands on the ground.
    """
    if isinstance(motion, Posture):
        motion = Clip(np.zeros(1), motion.names, motion.positions[None], source=motion.source)
    if isinstance(motion, CapturedMotion):
        motion = _of_capture(character, chain, motion, bones)
    if isinstance(motion, MarkerMotion | Stroke):
        what = "Marker trajectories have" if isinstance(motion, MarkerMotion) else "A stroke has"
        raise MotionError(f"{what} neither joints nor bones; a posture needs one of them.")
    for name in motion.names:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    if motion.has_base and not character.floats:
        raise MotionError(f"The clip moves the base of '{character.name}', which stands on the ground.")
    return motion


def _of_capture(character: Character, chain: Chain | None, capture: CapturedMotion, bones: Sequence[str]) -> Clip:
    """A captured skeleton as a clip."""
    from animato.motion.transfer import transfer_angles

    if not bones or chain is None:
        try:
            return transfer_angles(capture, character).clip
        except MotionError:
            if chain is None:
                raise  # otherwise no joint is named as a bone is, and the chain bends as the back does
    line = bone_chain(capture, bones)
    places = bone_points(capture, line, _shares(chain), 0)
    rows, near = np.empty((len(places), len(chain.names))), None
    for n, points in enumerate(places):
        rows[n] = near = fit_points(chain, points, near, search=near is None).positions
    named = f"{capture.names[line[0]]} to {capture.names[line[-1]]}"
    return Clip(capture.times, chain.names, rows, source=f"{named} of {capture.source or 'a capture'}")


def _shares(chain: Chain) -> np.ndarray:
    """How much of the chain's length lies before each joint and before the end-point, [n + 1]."""
    zero = np.clip(np.zeros(len(chain.names)), chain.arrays.lower, chain.arrays.upper)
    lengths = np.linalg.norm(np.diff(joint_points(chain, zero), axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(lengths)]) / max(float(lengths.sum()), 1e-12)

"""What a character was to face in a film, and where it looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character, EndPoint
from animato.motion import Clip
from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.thing import some_of
from animato.spatial import quaternions
from animato.view.scene import build_scene, pose_bodies

NOTHING, POINT, DIRECTION = range(3)
"""What there is to face at a frame."""

_FAR, _ARROW = 1.5, 0.8  # sizes of the character: points beyond are shown as the way to them, which is so long


@dataclass(frozen=True, eq=False)
class Gaze:
    """What an end-point was to face, frame by frame, by a figure of the film.

    Attributes:
        end_point: Who faces.
        kinds: NOTHING, POINT or DIRECTION, [frame].
        marks: The points [m] or the directions, unit length, in the world, [frame, 3].
        character: Whose end-point it is.
        clip: How it moves; the frames are its own.
        figure: Which figure of the film it is.
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    end_point: EndPoint
    kinds: np.ndarray
    marks: np.ndarray
    character: Character
    clip: Clip
    figure: int = 0
    layer: str = "what it faces"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        end_point = self.end_point
        turn = np.array(end_point.frame.quaternion_wxyz)
        shown, kinds = self._shown(reel)
        return {
            "kind": "gaze",
            "figure": self.figure,
            "body": self._body(),
            "place": short(end_point.frame.position),
            "forward": short(quaternions.rotate(turn, np.array(end_point.forward))),
            "kinds": reel.steps(kinds),
            "points": reel.points(shown[:, None]),
        }

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]: those that are shown as points."""
        there = (self.kinds == POINT) & np.isfinite(self.marks).all(axis=1)
        off = np.linalg.norm(self.marks - self._eyes(self.clip.times), axis=1)
        return some_of(self.marks[there & (off <= _FAR * build_scene(self.character).size)])

    def _body(self) -> int:
        return [body.name for body in self.character.bodies].index(self.end_point.body)

    def _eyes(self, times: np.ndarray) -> np.ndarray:
        """Where the end-point is at times [s] of the clip [m], [time, 3]."""
        poses, at = pose_bodies(self.character, self.clip, times), self._body()
        turns = poses.quaternions_wxyz[:, at]
        return np.asarray(poses.positions[:, at] + quaternions.rotate(turns, np.array(self.end_point.frame.position)))

    def _shown(self, reel: Reel) -> tuple[np.ndarray, np.ndarray]:
        """Where what is faced is shown [m], [moment, 3], and as what, [moment]: far points become directions."""
        near = reel.nearest(self.clip.times)
        kinds, marks = self.kinds[near].copy(), np.where(np.isfinite(self.marks[near]), self.marks[near], 0.0)
        eyes = self._eyes(np.clip(reel.times, self.clip.times[0], self.clip.times[-1]))
        ways = np.where((kinds == POINT)[:, None], marks - eyes, marks)
        lengths = np.linalg.norm(ways, axis=1)
        kinds[(kinds == POINT) & (lengths > _FAR * reel.size)] = DIRECTION
        arrows = eyes + _ARROW * reel.size * ways / np.maximum(lengths, 1e-9)[:, None]
        shown = np.where((kinds == DIRECTION)[:, None], arrows, marks)
        return np.where((kinds == NOTHING)[:, None], eyes, shown), kinds

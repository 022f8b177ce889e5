"""The live loop: poses of a person in, poses of the robot out, one for one and without looking ahead of the stream."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.loading import as_character
from animato.mechanics.tree import packed_tree
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.contacts import FOOT_PARTS
from animato.mimic.online.command import Command
from animato.mimic.online.horizon import Horizon
from animato.mimic.online.landmark_stream import LandmarkStream
from animato.mimic.online.online_options import OnlineOptions
from animato.mimic.online.windowed_person import HISTORY, WindowedPerson
from animato.mimic.person import LANDMARKS

_NEEDED = ("pelvis", "left_ankle", "right_ankle", "left_hip", "right_hip")
_LEAST_LOAD = 1e-3  # of what carries the robot, at the first step of all
_LOWEST = 0.35  # of the height at which the robot stands
_FARTHEST_M = 0.4  # mean distance of key-points that still are like the person's


class Loop:
    """Follows a stream.

    `step` never raises. What is wrong with a frame is mended and told by the command's flags; see `Command`.

    Attributes:
        anatomy: The robot with its landmarks and soles.
        names: Landmarks of the stream.
        options: What is wanted.
        parts: Of the feet, in the order of `Command.contacts`.
    """

    parts: tuple[str, ...] = FOOT_PARTS

    def __init__(
        self,
        robot: Anatomy | Character | str | Path,
        names: tuple[str, ...],
        options: OnlineOptions | None = None,
    ) -> None:
        """Prepares the loop.

        Args:
            robot: A humanoid with a floating base, or its anatomy.
            names: Landmarks of the stream, some of `LANDMARKS`, in the order in which they come.
            options: What is wanted.

        Raises:
            CharacterError: The robot is no humanoid with a floating base.
            MotionError: The stream lacks landmarks that are needed, or has others.
        """
        self.anatomy = robot if isinstance(robot, Anatomy) else anatomy_of(as_character(robot))
        self.names, self.options = tuple(names), options or OnlineOptions()
        lacking = [name for name in _NEEDED if name not in self.names]
        unknown = [name for name in self.names if name not in LANDMARKS]
        if lacking or unknown:
            wrong = f"lacks {', '.join(lacking)}" if lacking else f"has {', '.join(unknown)}, which are no landmarks"
            raise MotionError(f"The stream {wrong}. Needed: {', '.join(_NEEDED)}; known: {', '.join(LANDMARKS)}.")
        self.coordinate_names = packed_tree(self.anatomy.character).coordinate_names
        self._stream = LandmarkStream(self.names, self.options.step_s, self.options.gap_s)
        self._person: WindowedPerson | None = None
        self._horizon: Horizon | None = None
        self._knots = 0
        self._due = 0.0  # Newton steps that are owed
        self._from: np.ndarray | None = None  # pose that was sent before the loop began anew
        root = np.array(self.anatomy.stand_root)
        self._pose = np.concatenate([root, self.anatomy.stand_posture])

    @property
    def delay_s(self) -> float:
        """From a pose that comes in to the command that answers to it [s]."""
        return self.options.knots * self.options.step_s

    @property
    def started(self) -> bool:
        """Whether commands follow the person yet."""
        return self._knots > self.options.knots

    def step(self, time_s: float, landmarks: np.ndarray) -> Command:
        """Takes a pose of the person, and answers with a pose of the robot.

        Args:
            time_s: When the person had the pose [s].
            landmarks: [m], z up, the floor at 0, NaN where a landmark was not seen, [landmark, 3].
        """
        flags: list[str] = []
        try:
            self._follow(time_s, landmarks)
        except Exception as error:
            flags.append(f"held: {type(error).__name__}: {error}")
        return self._command((*self._stream.flags, *flags))

    def _follow(self, time_s: float, landmarks: np.ndarray) -> None:
        knots = self._stream.accepted(time_s, landmarks)
        for knot in knots:
            self._take(knot)
        if self._horizon is None or self._person is None:
            return
        self._due += self.options.steps * self._stream.elapsed / self.options.step_s
        # one step a frame; a quick stream takes it beside the frames that bring knots, which cost time of their own
        later = 1.0 if knots and self._stream.elapsed < 0.45 * self.options.step_s else 0.0
        steps = max(0, min(int(self._due - later + 1e-9), max(1, len(knots))))
        self._due = min(self._due - steps, 2.0)
        for _ in range(steps):
            self._horizon.improve()
        if self._horizon.failed:
            self._stream.flags.append("came to rest: no step could be taken")
            self._horizon.rest(self._person.terms())
        share = min(1.0, max(0.0, self._stream.since_knot / self.options.step_s))
        pose = self._horizon.sent(share if self.started else 1.0)
        if self.started and self._lost(pose):
            self._stream.flags.append("lost the person: begins anew")
            self._begin(self._person)
            return
        if not self.started and self._from is not None:
            pose = _blended(self._from, pose, self._knots / self.options.knots)
        self._pose = pose

    def _take(self, knot: np.ndarray) -> None:
        """Goes on by one knot; the first one is where the window begins and the person is taken to have been before."""
        self._knots += 1
        if self._person is None or self._horizon is None:
            self._person = WindowedPerson(self.anatomy, self.names, self.options, knot)
            self._begin(self._person)
        else:
            self._person.add(knot)
            self._horizon.loading = _LEAST_LOAD ** max(0.0, 1.0 - 1.5 * self._knots / self.options.knots)
            self._horizon.advance(self._person.terms(), held=self.started)

    def _begin(self, person: WindowedPerson) -> None:
        """Begins where the robot stands as the person does; what was sent before goes over into that."""
        self._from = self._pose if self._horizon is not None else None
        self._horizon = Horizon(self.anatomy.character, person.terms(), person.standing())
        self._knots = 1

    def _lost(self, pose: np.ndarray) -> bool:
        """Whether the robot is not where a person's likeness can be: under the floor, or altogether elsewhere."""
        assert self._horizon is not None  # for the type checker: commands come from it
        low = pose[2] < _LOWEST * self.anatomy.stand_root[2] and not self._person_is_low()
        return not np.isfinite(pose).all() or low or bool(self._horizon.first_error > _FARTHEST_M)

    def _person_is_low(self) -> bool:
        assert self._person is not None
        person = self._person.problem.person
        return bool(
            self._person.scale * person.landmark("pelvis")[HISTORY, 2] < 2.0 * _LOWEST * self.anatomy.stand_root[2]
        )

    def _command(self, flags: tuple[str, ...]) -> Command:
        time = self._stream.time - self.delay_s
        planted = np.zeros(len(self.parts)) if self._person is None else self._person.plan.planted[HISTORY]
        contacts = tuple(bool(part) for part in planted)
        if not self.started:
            flags = (*flags, "starting")
        elif self._person is not None and self._person.airborne:
            flags = (*flags, "the person leaves the floor, the robot does not")
        pose = self._pose
        return Command(time, pose[7:].copy(), pose[:3].copy(), pose[3:7].copy(), contacts, flags)


def _blended(begin: np.ndarray, end: np.ndarray, share: float) -> np.ndarray:
    """Between two poses, beginning and ending at rest, [7 + coordinate]."""
    smooth = share * share * (3.0 - 2.0 * share)
    other = end.copy()
    if begin[3:7] @ end[3:7] < 0.0:
        other[3:7] *= -1.0
    pose = begin + smooth * (other - begin)
    pose[3:7] /= max(float(np.linalg.norm(pose[3:7])), 1e-9)
    return np.asarray(pose)

"""The one way from what is said to what the joints do: animation or posture, facing, idle layer, motion filter.

Each frame, `pose` says what is held now, `solve` has it face the targets, and `output` lets the idle layer breathe and
sends all of it through the filter. `solve` may run in a thread of its own and less often than the others; whatever it
takes from outside is replaced whole, never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Limits
from animato.errors import OptionError, unknown_name
from animato.express.aiming import Aimed
from animato.express.filter import MotionFilter, manner_of
from animato.express.gaze import facing_direction
from animato.express.loop.which_aims import aims_of
from animato.express.options import Options
from animato.express.postures import BLEND_S, PlayedClip, PostureLayer, SomePosture, clip_of_motion, posture_of
from animato.express.problem import Problem, Target, held_positions
from animato.express.tracking import FollowerBuilder
from animato.express.warp import IdleLayer
from animato.motion import Clip, Posture, frozen_array
from animato.spatial import quaternions

_LEAD = 2  # frames at rest before a clip begins: the spline through the commands is then the very motion of the filter
_CHANGED, _CHANGE_S = 0.1, 2.0  # [rad or m] from its end, and [s], at which a change of branch is over
_BREATH_S = 1.0  # in which the idle layer comes and goes [s]
_STILL = 1e-3  # [rad or m, and per second] within which the joints have arrived


class Pipeline:
    """From postures, clips and targets to positions, frame by frame.

    Args:
        problem: Who holds what, and how.
        start: Where the coordinates that move are now [rad or m], [n]; in the posture where not given.
        build: Makes what follows the orientation of one end-point of a chain.
        whole_body: Whether all joints are commanded, or those alone that move an end-point.
        repeat: Whether the problem's clip begins anew whenever it has ended.

    Attributes:
        names: Coordinates that are commanded: those that face first, then all others where `whole_body`.
        limits: Of each of them.
        filter: Makes the commands.
        targets: What is faced, by end-point.
        aimed: The newest set-points; None before there are any.
        changing: Whether the joints are on the way from one branch of solutions to another.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        start: ArrayLike | None,
        build: FollowerBuilder,
        whole_body: bool,
        repeat: bool = False,
    ) -> None:
        options, posture = problem.options, problem.posture
        others = _others(problem) if whole_body else {}
        self.problem, self.rate_hz = problem, float(options.rate_hz)
        self.names = (*problem.names, *others)
        self.limits = (*problem.limits, *others.values())
        self._own = len(problem.names)
        self._columns = np.array([posture.names.index(name) for name in self.names])
        self._low = np.array([one.range[0] for one in self.limits])
        self._high = np.array([one.range[1] for one in self.limits])
        self.filter = MotionFilter(self.limits, options.rate_hz, **self._manner(problem, tuple(others)))
        played, begin_s = None, _LEAD / self.rate_hz
        if problem.clip is not None:
            played = PlayedClip(problem.clip, posture, start_s=begin_s, repeat=repeat)
        self._layer = PostureLayer(posture.positions if played is None else played, self.rate_hz)
        self._repeats = played is not None and repeat
        self._clip_ends_s = 0.0 if played is None else begin_s + played.clip.duration
        here = np.clip(posture.positions[self._columns], self._low, self._high)
        here[: self._own] = problem.held if start is None else self._start(start)
        self.filter.reset(here)
        self._aims = aims_of(problem, build)
        self._aims.reset(here[: self._own])
        self.filter.step(here)  # compiles its kernel
        self.filter.reset(here)
        self._idle = _idle_layer(problem) if options.idle else None
        self._breath = (0.0, 1.0, 0.0)  # since when [s], the share of the idle layer then, and what it gains a second
        self.begin, self.row = here.copy(), posture.positions
        self._held = problem.held
        self._set_points = here.copy()
        self.targets: Mapping[str, Target] = {}
        self._solved_for: Mapping[str, Target] | None = None
        self.aimed: Aimed | None = None
        self.changing = False
        self._changed_s = 0.0
        self.base: tuple[np.ndarray, np.ndarray] | None = None if played is None else played.base(0.0)
        self._stirred = played is not None
        self._weights: dict[str, float] = {}
        self._tuned: dict[str, Any] = {}
        self._fitting: tuple[SomePosture, float | None] | None = None

    def face(self, target: Target) -> None:
        """Faces a target from the next solution on.

        Raises:
            UnknownNameError: It is for an end-point that does not face.
        """
        self.targets = {**self.targets, self._end_point(target.end_point): target}

    def release(self, end_point: str | None = None) -> None:
        """Lets an end-point, or all of them, face nothing from the next solution on.

        Raises:
            UnknownNameError: It is an end-point that does not face.
        """
        if end_point is None:
            self.targets = {}
        else:
            name = self._end_point(end_point)
            self.targets = {one: target for one, target in self.targets.items() if one != name}

    def hold(
        self, posture: SomePosture | Clip, blend_s: float | None, time_s: float, *, files: bool, repeat: bool
    ) -> None:
        """Holds another posture, or plays a clip, from the frame at a time on [s].

        Raises:
            AnimatoError: It is none, or outside the limits.
        """
        blend = BLEND_S if blend_s is None else blend_s
        if not 0.0 <= blend < np.inf:
            raise OptionError(f"`blend_s` must be a number, 0 or more, not {blend_s!r:.60}.")
        problem, onto = self.problem, self._destined()
        chain = problem.chains[0] if problem.chains else None
        destination: np.ndarray | PlayedClip
        self._repeats = isinstance(posture, Clip) and repeat
        if isinstance(posture, Clip):
            clip = clip_of_motion(problem.character, chain, posture)
            destination = PlayedClip(clip, onto, start_s=time_s, repeat=repeat)
            self._clip_ends_s = time_s + clip.duration
        else:
            found = posture_of(problem.character, posture, names=problem.names, chain=chain, onto=onto, files=files)
            held_positions(problem.moving, found)
            destination = found.positions
        self._layer.hold(destination, blend)
        self._stirred = True

    def fit_later(self, posture: SomePosture, blend_s: float | None) -> None:
        """Holds a posture that takes a while to find: the next solution begins with it."""
        self._fitting = posture, blend_s

    def weigh(self, weights: Mapping[str, float]) -> None:
        """Weighs the errors anew from the next solution on: `orientation_weight`, `posture_weight`."""
        self._weights = {**self._weights, **weights}

    def tune(self, manner: Mapping[str, Any]) -> None:
        """Moves in another manner from the next frame on: words of `MotionFilter.tune`.

        Raises:
            OptionError: There are not as many values as joints.
        """
        for word, value in manner.items():
            if np.ndim(value) == 1 and len(value) != self._own:
                raise OptionError(f"`{word}` must be one number or {self._own}, one a joint, not {len(value)}.")
        self._tuned = {**self._tuned, **manner}

    def breathe(self, on: bool, time_s: float) -> None:
        """Lets the idle layer grow to its full size, or go, within a second from a time on [s].

        Raises:
            OptionError: More than one chain faces, or none.
        """
        if on and self._idle is None:
            if len(self.problem.chains) != 1:
                raise OptionError("`idle` moves what one chain of joints has left over; here it is not one that faces.")
            self._breath, self._idle = (time_s, 0.0, 0.0), _idle_layer(self.problem)
        self._breath = (time_s, self._breathing(time_s), (1.0 if on else -1.0) / _BREATH_S)

    def arrived(self, time_s: float) -> bool:
        """Whether the joints stand where targets and posture have them, or breathe there."""
        if not self._repeats and (time_s <= self._clip_ends_s or self._layer.moves):
            return False
        if not self.targets:
            return True
        aimed = self.aimed
        if aimed is None or self._solved_for is not self.targets:
            return False
        away = np.abs(self.filter.positions[: self._own] - aimed.positions).max()
        if self._idle is not None:
            return bool(away < self.problem.options.idle_amplitude_rad + _STILL)
        return bool(max(away, np.abs(self.filter.velocities).max()) < _STILL)

    def pose(self, time_s: float) -> None:
        """What is held in the frame at a time [s]."""
        self.row = self._layer.at(time_s)
        destination = self._layer.destination
        if isinstance(destination, PlayedClip):
            base = destination.base(time_s)
            self.base = self.base if base is None else base
        self._held = np.clip(self.row[self._columns[: self._own]], self._low[: self._own], self._high[: self._own])

    def solve(self, time_s: float) -> Aimed | None:
        """Set-points for what is held and faced now; None where nothing was ever asked for.

        Raises:
            AnimatoError: Whoever aims cannot; the last set-points hold.
        """
        fitting, self._fitting = self._fitting, None
        if fitting is not None:
            self.hold(*fitting, time_s, files=False, repeat=False)
        weights, self._weights = self._weights, {}
        if weights:
            self._aims.weigh(weights.get("orientation_weight"), weights.get("posture_weight"))
        targets = self.targets
        if not (targets or self._stirred or self.aimed):
            return None
        if self._stirred:
            self._aims.hold(self._held)
        self.aimed = self._aims.update(self._in_base(targets))
        self._solved_for = targets
        return self.aimed

    def output(self, time_s: float) -> None:
        """The filter's next command."""
        tuned, self._tuned = self._tuned, {}
        if tuned:
            self.filter.tune(**{word: self._spread(word, value) for word, value in tuned.items()})
        own, set_points = self._own, self.row[self._columns]
        aimed = self.aimed
        set_points[:own] = self._held if aimed is None and self._stirred else self._set_points[:own]
        if aimed is not None:
            set_points[:own] = aimed.positions
        self._set_points = set_points
        share = self._breathing(time_s)
        if self._idle is not None and share > 0.0:
            set_points = set_points.copy()
            count = len(self._idle.chain.names)
            still, breathed = set_points[:count], self._idle.offsets(time_s, set_points[:count])
            set_points[:count] = breathed if share >= 1.0 else still + _eased(share) * (breathed - still)
        self.filter.step(set_points)
        if aimed is not None:
            self._watch_change(aimed, time_s)

    def _breathing(self, time_s: float) -> float:
        """Share of the idle layer at a time [s]."""
        since, share, gain = self._breath
        return min(max(share + gain * (time_s - since), 0.0), 1.0)

    def _watch_change(self, aimed: Aimed, time_s: float) -> None:
        """A change lasts until the joints have followed the set-points, which may have jumped."""
        if aimed.changing:
            self.changing, self._changed_s = True, time_s
        elif self.changing:
            away = np.abs(self.filter.positions[: self._own] - aimed.positions).max()
            self.changing = bool(away > _CHANGED and time_s < self._changed_s + _CHANGE_S)

    def error_of(self, positions: np.ndarray) -> float | None:
        """Angle by which positions [commanded] are off what is faced; None where nothing is [rad]."""
        targets = self.targets
        if not targets:
            return None
        return float(self._aims.error_of(positions[: self._own], self._in_base(targets)))

    def _end_point(self, name: str | None) -> str:
        """The end-point that is meant."""
        names = [one.name for one in self.problem.end_points]
        if name is None:
            return names[0]
        if name not in names:
            raise unknown_name("end-point", name[:80], names, "what faces")
        return name

    def _destined(self) -> Posture:
        """What is held, or on its way to be, as a posture of the whole character."""
        destination, posture = self._layer.destination, self.problem.posture
        row = destination if isinstance(destination, np.ndarray) else self.row
        return Posture(posture.names, row, posture.source)

    def _start(self, start: ArrayLike) -> np.ndarray:
        return frozen_array(start, (self._own,), "The positions to start from")

    def _manner(self, problem: Problem, others: tuple[str, ...]) -> dict[str, Any]:
        """Of all joints that are commanded: as options say for those that face, as the character says for others."""
        own = manner_of(problem.character, problem.names, problem.options)
        if not others:
            return own
        stated = {word: value for word, value in own.items() if np.ndim(getattr(problem.options, word)) == 0}
        rest = manner_of(problem.character, others, Options(**{w: getattr(problem.options, w) for w in stated}))
        sizes = self._own, len(others)
        return {
            word: np.concatenate(
                [np.broadcast_to(one, size) for one, size in zip((own[word], rest[word]), sizes, strict=True)]
            )
            for word in own
        }

    def _spread(self, word: str, value: Any) -> Any:
        """One value a joint for all that is commanded; joints that do not face keep theirs."""
        if np.ndim(value) == 0 or len(self.names) == self._own:
            return value
        now = np.broadcast_to(np.asarray(getattr(self.filter.manner, word), dtype=np.float64), (len(self.names),))
        return np.concatenate([np.asarray(value, dtype=np.float64), now[self._own :]])

    def _in_base(self, targets: Mapping[str, Target]) -> Mapping[str, Target]:
        """Targets of the world as the root body sees them, where a clip moves it."""
        if self.base is None:
            return targets
        place, turn = self.base[0], quaternions.conjugate(self.base[1])
        return {name: self._seen_by(target, name, place, turn) for name, target in targets.items()}

    def _seen_by(self, target: Target, end_point: str, place: np.ndarray, turn: np.ndarray) -> Target:
        """A target as it is seen from a place [m] and after a turn, wxyz."""
        wanted = target.quaternion_wxyz
        if target.direction is not None and target.roll_rad is not None:  # upright is the world's
            whose = next(one for one in self.problem.end_points if one.name == end_point)
            wanted = tuple(facing_direction(whose, target.direction, roll=target.roll_rad))
        if wanted is not None:
            return Target(quaternion_wxyz=tuple(quaternions.multiply(turn, wanted)))
        if target.direction is not None:
            return Target(direction=tuple(quaternions.rotate(turn, target.direction)))
        point = quaternions.rotate(turn, np.array(target.point) - place)
        return Target(point=tuple(point), roll_rad=target.roll_rad)


def _others(problem: Problem) -> dict[str, Limits]:
    """Joints of one axis that move no end-point, with their limits; the filter knows no others."""
    return {
        joint.coordinate_names[0]: joint.limits[0]
        for joint in problem.character.free_joints
        if len(joint.coordinate_names) == 1 and joint.coordinate_names[0] not in problem.names
    }


def _idle_layer(problem: Problem) -> IdleLayer:
    """What breathes."""
    options = problem.options
    return IdleLayer(
        problem.chain,
        seed=int(options.idle_seed),
        amplitude_rad=options.idle_amplitude_rad,
        rate_hz=options.idle_rate_hz,
    )


def _eased(share: float) -> float:
    """A share from 0 to 1 that begins and ends slowly."""
    return share * share * (3.0 - 2.0 * share)

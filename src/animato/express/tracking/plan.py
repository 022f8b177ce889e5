"""Plans the course ahead, a slice every frame: keeps the band tight, and looks for changes of branch that pay."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from animato.express.facing import NOWHERE
from animato.express.tracking.band import (
    HERE,
    NEXT,
    Band,
    begin_band,
    copy_band,
    first_knots,
    lay_path,
    new_band,
    pass_knot,
    predict,
    relax,
)
from animato.express.tracking.branches import cost_ahead, seek
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.detour import FOUND, SEARCHING, grow, new_trees, path_cost, plant, shorten, write_path
from animato.express.tracking.goal import Goal
from animato.express.tracking.kernel import Setting
from animato.express.tracking.prediction import Prediction
from animato.express.tracking.recovery import anticipate, first_lost, lost_knots, recover
from animato.kernels.quaternions import Vector


@dataclass(frozen=True, eq=False)
class Branch:
    """Another configuration to go on from.

    Attributes:
        angles: [rad], [1, m].
        way: 0, or 1 for facing upside down.
        joined: Whether it can be reached while facing all the time.
        ahead: Mean error from there to the end of the band.
    """

    angles: np.ndarray
    way: int
    joined: bool
    ahead: float


class Planner:
    """The course ahead of a chain.

    Args:
        setting: Of the problem.
        ways: 1, or 2 where upside down is as good.
        knots: Of the band.
        step_s: Between them [s].
        move: Farthest that each joint moves from one to the next [rad or m], [m].
        changing: Whether to look for changes of branch.
    """

    def __init__(
        self, setting: Setting, ways: int, knots: int, step_s: float, move: np.ndarray, *, changing: bool = True
    ) -> None:
        joints = len(setting.full)
        self.setting, self.ways, self.step_s, self.move = setting, ways, step_s, move
        self.changing = changing
        self.knots = knots + NEXT
        self.whole = [new_band(self.knots, joints, ways) for _ in range(3)]
        self.band, self.trial, self.spare = self.whole
        self.trees = new_trees(joints, min(float(move[: setting.turning].min()), TRACKING.detour_speed * step_s))
        self.doubt, self.trusted_s, self.frame, self.tries = 0.0, 0.0, 0, 0
        self.memory = np.zeros((self.knots, joints))
        self.path, self.way = np.zeros((2, TRACKING.longest_path, joints))
        self.begin(np.zeros((1, joints)), 0)
        self._warm_up()

    def _warm_up(self) -> None:
        """Calls every kernel once, so that none is compiled or loaded while the chain moves."""
        rest = np.zeros((1, len(self.setting.full)))
        self.think(Goal(np.tile([1.0, 0.0, 0.0, 0.0], (self.ways, 1))), Prediction(self.step_s, self.step_s), 0.0)
        self.pass_knot(rest)
        target = self.band.targets[NEXT, :1].copy()
        seek(self.setting, target, NOWHERE, rest, rest.copy(), np.zeros(1, np.int64))
        cost_ahead(self.setting, self.band, 0, NEXT, rest, self.move, 0.0)
        for _ in self._find_way(target, NOWHERE, rest[0], rest[0]):
            pass
        write_path(self.trees, self.way)
        shorten(self.setting, target, NOWHERE, self.way, 1, self.trees.step, np.zeros((1, 3)))
        path_cost(self.setting, target, NOWHERE, self.way, 1)
        copy_band(self.band, self.trial)
        anticipate(self.setting, self.spare, self.move, self.memory)
        recover(self.setting, self.spare, NEXT, rest.copy(), self.move, self.memory)
        first_lost(self.spare)
        lost_knots(self.spare)
        lay_path(self.setting, self.trial, self.path, 1, 0, NEXT, NEXT, 1, self.move)
        self.begin(rest, 0)

    def begin(self, q: np.ndarray, way: int) -> None:
        """Starts anew, where the chain is [1, m]."""
        for band in self.whole:
            begin_band(band, q, way)
        self.random = np.random.default_rng(0)
        self.fork = self.knot = self.fresh = NEXT
        self.known: list[Branch] = []
        self.left = 0
        self.work = self._rounds()

    def think(self, goal: Goal, prediction: Prediction, past_s: float) -> None:
        """One slice of planning for what is faced now; the last knot was passed some time ago [s]."""
        trust = prediction.trusted_s
        self._reach(trust)
        self.trusted_s = trust
        self.doubt = math.exp(-trust / TRACKING.doubt_s)
        first = -past_s - HERE * self.step_s
        band = self.band
        if (
            predict(band, goal.aims, goal.point, goal.pivot, prediction.spin, first, self.step_s, trust)
            > TRACKING.surprise_rad
        ):
            # a change that is under way is finished; what comes after it is made anew
            self.knot = NEXT
            self.fresh = max(NEXT, 1 + int(np.flatnonzero(band.changing)[-1]) if band.changing.any() else NEXT)
        fresh = self.knot >= self.fresh
        knots = TRACKING.fresh_knots if fresh else TRACKING.relaxed_knots
        relax(self.setting, band, self.knot, knots, self.move, self.fresh)
        if not fresh and self.fresh < len(band.kind):
            relax(self.setting, band, self.fresh, TRACKING.fresh_knots, self.move, self.fresh)
            self.fresh = self.fresh + TRACKING.fresh_knots
        self.knot += knots
        if fresh:
            self.fresh = self.knot
        self.frame = (self.frame + 1) % TRACKING.anticipated
        if self.frame == 0 and self.fresh >= len(band.kind):
            self._recover()
        if self.knot >= len(band.kind):
            self.knot = NEXT
        if self.changing and self.fresh >= len(band.kind):
            next(self.work)

    def _recover(self) -> None:
        """Where facing will be lost although it need not be, leaves in time for where it is not."""
        lost = first_lost(self.band)
        if lost == len(self.band.kind):
            return
        copy_band(self.band, self.spare)
        if anticipate(self.setting, self.spare, self.move, self.memory):
            self._take_spare()
            return
        copy_band(self.band, self.spare)
        self.tries += 1
        wanted = self.band.angles[lost : lost + 1].copy()
        if self.tries % 2 == 0:
            wanted += self.random.normal(0.0, TRACKING.near_rad, wanted.shape)
        if recover(self.setting, self.spare, lost, wanted, self.move, self.memory):
            gained = lost_knots(self.band) - lost_knots(self.spare)
            worse = self._error(self.spare) - self._error(self.band)
            if gained > 0 and worse < TRACKING.facing_worth * gained / len(self.band.kind):
                self._take_spare()

    def _take_spare(self) -> None:
        self.band, self.spare = self.spare, self.band
        self.whole[0], self.whole[2] = self.whole[2], self.whole[0]

    def _reach(self, trust: float) -> None:
        """Has as many knots as there is trust for; new ones are made anew."""
        seconds = max(TRACKING.shortest_s, trust + TRACKING.beyond_s)
        knots = min(self.knots, NEXT + math.ceil(seconds / self.step_s))
        have = len(self.band.kind)
        if knots != have:
            self.band, self.trial, self.spare = (first_knots(band, knots) for band in self.whole)
            if knots > have:
                self.fresh = min(self.fresh, have)
            self.knot = min(self.knot, knots - 1)
            if self.fork >= knots:  # what was looked for lies beyond what is believed in now
                self.fork, self.work = NEXT, self._rounds()

    def cost_of(self, q: np.ndarray, way: int) -> float:
        """Mean error ahead of a configuration [1, m] that faces this way up."""
        return float(cost_ahead(self.setting, self.band, way, NEXT, q, self.move, np.inf))

    def cost_of_staying(self) -> float:
        """Mean error ahead."""
        return self._error(self.band)

    def pass_knot(self, q: np.ndarray) -> None:
        """The chain has passed a knot, and is at q [1, m]."""
        pass_knot(self.band, q)
        pass_knot(self.trial, q)
        pass_knot(self.spare, q)
        self.fork -= 1
        self.fresh = max(NEXT, self.fresh - 1) if self.fresh < len(self.band.kind) else self.fresh

    def _rounds(self) -> Iterator[None]:
        while True:
            for before in TRACKING.forks_before:
                yield
                if self._worth(self._error(self.band)) > TRACKING.content:
                    soon = TRACKING.at_once if self._lost_in() <= TRACKING.leap_knots else TRACKING.soon
                    latest = len(self.band.kind) - TRACKING.latest_fork
                    self.fork = max(NEXT + soon, min(self._trouble() - before, latest))
                    yield from self._look_for_change()

    def _trouble(self) -> int:
        """The first knot at which the error is above its mean."""
        return NEXT + int(np.argmax(self.band.error[NEXT:] > self._error(self.band)))

    def _lost_in(self) -> int:
        """Knots until facing is lost for a while; more than there are where it never is."""
        lost = np.flatnonzero(self.band.angle[NEXT:] > TRACKING.lost_rad)
        return int(lost[0]) if len(lost) > 1 else self.knots

    def _error(self, band: Band) -> float:
        return float(band.error[NEXT:].mean())

    def _look_for_change(self) -> Iterator[None]:
        """Seeks other branches at the fork, and ways to the best of them."""
        yield from self._seek()
        if self.fork < NEXT:
            return
        now = self._worth(float(self.band.error[self.fork :].mean()))
        joined = [branch for branch in self.known if branch.joined and branch.ahead < now]
        if joined:
            yield from self._detour(min(joined, key=lambda branch: branch.ahead))

    def _worth(self, error: float) -> float:
        """The error below which a change is worth it."""
        return error * (1.0 - TRACKING.gain) - TRACKING.least_gain - self.doubt * TRACKING.doubted_gain

    def _used(self, units: int) -> bool:
        """Whether this slice is used up, after some more units of work."""
        self.left -= units
        if self.left > 0:
            return False
        self.left = TRACKING.urgent_units if self._lost_in() <= TRACKING.leap_knots else TRACKING.slice_units
        return True

    def _seek(self) -> Iterator[None]:
        """Finds branches at the fork, from those known before and from random configurations."""
        desperate = self._lost_in() <= TRACKING.leap_knots
        before, self.known = self.known, []
        starts = TRACKING.seek_starts // 3 if desperate else TRACKING.seek_starts
        few = TRACKING.seek_at_once
        for n in range(starts // few):
            if self.fork < NEXT:
                return
            here = int(self.band.kind[self.fork])
            way = here
            rows, kinds = self.spread(few), np.empty(few, np.int64)
            if n % 2:  # some of them not far: to go there takes little
                rows = self.band.angles[self.fork] + self.random.normal(0.0, TRACKING.near_rad, rows.shape)
            for row, branch in enumerate(before[n * few : (n + 1) * few]):
                rows[row] = branch.angles[0]
            seek(
                self.setting, self._target(way), self._point(), self.band.angles[self.fork : self.fork + 1], rows, kinds
            )
            if self._used(TRACKING.seek_units * few):
                yield
            for q, kind in zip(rows, kinds, strict=True):
                joined = bool(kind == 1 and way == here)
                if joined and not self._is_known(q):
                    self._know(q[None].copy(), way, joined)
                    if self._used(TRACKING.ahead_units):
                        yield
        self.known.sort(key=lambda branch: (not branch.joined, branch.ahead))
        self.known = self.known[: TRACKING.most_branches]

    def _know(self, q: np.ndarray, way: int, joined: bool) -> None:
        """Remembers a branch at the fork [1, m], with the error ahead of it where that is no worse than others'."""
        rivals = (branch.ahead for branch in self.known if branch.joined == joined)
        enough = TRACKING.rival * min(rivals, default=np.inf)
        ahead = cost_ahead(self.setting, self.band, way, max(self.fork, NEXT), q, self.move, enough)
        self.known.append(Branch(q, way, joined, ahead))

    def _is_known(self, q: np.ndarray) -> bool:
        return any(np.abs(branch.angles - q).max() < TRACKING.apart_rad for branch in self.known)

    def _target(self, way: int) -> np.ndarray:
        """What is faced at the fork, [1, 4]."""
        return self.band.targets[self.fork, way : way + 1]

    def _point(self) -> Vector:
        """What is looked at there [m], or NOWHERE."""
        x, y, z = self.band.points[self.fork].tolist()
        return x, y, z

    def spread(self, count: int) -> np.ndarray:
        """Random configurations around where the chain is [rad], [count, m]."""
        return self.random.uniform(*self._spread(), (count, len(self.setting.full)))

    def _spread(self) -> tuple[np.ndarray, np.ndarray]:
        middle = self.band.angles[HERE]
        return np.maximum(self.setting.full[:, 0], middle - np.pi), np.minimum(self.setting.full[:, 1], middle + np.pi)

    def _detour(self, branch: Branch) -> Iterator[None]:
        """Tries the best of some ways to a branch that face all the time."""
        target, point = self._target(branch.way).copy(), self._point()
        start = self.band.angles[self.fork].copy()
        length, least = 0, np.inf
        for _ in range(TRACKING.ways):
            count = yield from self._find_way(target, point, start, branch.angles[0])
            cost = path_cost(self.setting, target, point, self.way, count) if count > 0 else np.inf
            if cost < least:
                length, least = count, cost
                self.path[:count] = self.way[:count]
            if cost < TRACKING.cheap:
                break
        if length > 0:
            yield from self._try(length, branch.way)

    def _find_way(
        self, target: np.ndarray, point: Vector, start: np.ndarray, goal: np.ndarray
    ) -> Generator[None, None, int]:
        """Finds a way between two configurations [m] that face a target [1, 4]; gives its length, 0 for none."""
        plant(self.trees, start, goal)
        found = SEARCHING
        for _ in range(TRACKING.growths):
            found = grow(self.setting, target, point, self.trees, self.spread(TRACKING.some))
            if self._used(TRACKING.grow_units * TRACKING.some):
                yield
            if found != SEARCHING:
                break
        count = write_path(self.trees, self.way) if found == FOUND else 0
        for n in range(TRACKING.cuts if count > 2 else 0):
            pick = self.random.random((1, 3))
            if n < TRACKING.long_cuts:
                pick[0, 2] = 1.0
            else:
                pick[0, 1] = min(1.0, pick[0, 0] + TRACKING.short_cut * pick[0, 1])
            count = shorten(self.setting, target, point, self.way, count, self.trees.step, pick)
            if self._used(TRACKING.cut_units):
                yield
        return count

    def _try(self, length: int, way: int) -> Iterator[None]:
        """Lays the path into a trial at the fork, pulls it tight and takes it where it is better."""
        # a path faces the fork's target: it fits best with its middle there, and is nearly as good a little later
        self.fork = max(self.fork - length // 2, NEXT + TRACKING.at_once)
        if self.fork + length >= len(self.band.kind):
            return
        copy_band(self.band, self.trial)
        knots, laid = len(self.band.kind), self.fork
        while laid < len(self.trial.kind):
            before = self.fork
            self._retarget()
            lay_path(self.setting, self.trial, self.path, length, way, self.fork, laid, TRACKING.some, self.move)
            if self._used(TRACKING.lay_units * TRACKING.some):
                yield
            laid += TRACKING.some + self.fork - before  # the band may have moved on
            if len(self.band.kind) != knots:
                return  # it has become longer or shorter: what was tried is void
        for _ in range(TRACKING.sweeps):
            around = TRACKING.around
            for first in range(max(NEXT, self.fork - around), self.fork + length + around, TRACKING.some):
                self._retarget()
                relax(self.setting, self.trial, max(NEXT, first), TRACKING.some, self.move, len(self.trial.kind))
                if self._used(TRACKING.relax_units * TRACKING.some):
                    yield
                if len(self.band.kind) != knots:
                    return
        off = (np.abs(self.trial.angles[NEXT] - self.trial.angles[HERE]) / self.move).max()
        wanted = self._worth(self._error(self.band))
        if off < TRACKING.joinable and self._error(self.trial) < wanted:
            self.band, self.trial = self.trial, self.band
            self.whole[:2] = self.whole[1::-1]

    def _retarget(self) -> None:
        """The trial has the targets of the band, which go on meanwhile."""
        self.trial.targets[:], self.trial.points[:] = self.band.targets, self.band.points

"""What a live loop has decided so far: plans after one another, each of which ends at rest."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.trace.live.path import JointCourse
from animato.trace.path import JointPath
from animato.trace.timing import TimeScaling


@dataclass(frozen=True, eq=False)
class LivePlan:
    """A path with its timing, from a moment on.

    Attributes:
        begins: When it takes over from the plan before it [s].
        start: Distance along the stroke at which it starts [m].
        end: Distance at which it comes to rest [m].
        path: Of the joints.
        scaling: Its timing, counted from `begins`.
    """

    begins: float
    start: float
    end: float
    path: JointPath
    scaling: TimeScaling

    @property
    def length(self) -> float:
        """Distance along the stroke [m]."""
        return self.end - self.start

    @property
    def ends(self) -> float:
        """When the robot rests again, if nothing follows [s]."""
        return self.begins + self.scaling.duration


class LiveMotion:
    """Plans, of which each holds until the next one takes over.

    Attributes:
        plans: In the order of time.
    """

    def __init__(self, names: tuple[str, ...], start: np.ndarray) -> None:
        """Begins at rest.

        Args:
            names: Of the coordinates that move, [n].
            start: Where they are [rad or m], [n].
        """
        self.names = names
        self._start = start.copy()
        self.plans: list[LivePlan] = []
        self._moments: list[float] = []

    def append(self, plan: LivePlan) -> None:
        """Lets a plan take over at its moment, for good."""
        self.plans.append(plan)
        self._moments.append(plan.begins)

    @property
    def end_distance(self) -> float:
        """How far along the stroke the robot is when it rests again [m]."""
        return self.plans[-1].end if self.plans else 0.0

    @property
    def ends(self) -> float:
        """When it rests again, if nothing follows [s]; minus infinity where it has not moved yet."""
        return self.plans[-1].ends if self.plans else float("-inf")

    def plan_at(self, time: float) -> LivePlan | None:
        """The plan that holds at a moment [s]."""
        index = bisect_right(self._moments, time) - 1
        return self.plans[index] if index >= 0 else None

    def position(self, time: float) -> np.ndarray:
        """Joint positions at a moment [rad or m], [n]."""
        plan = self.plan_at(time)
        if plan is None:
            return self._start.copy()
        s = float(plan.scaling.s_at(np.array([time - plan.begins]))[0])
        return plan.path.at(s)

    def states(self, times: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, velocities and accelerations at moments [s], each [k, n]."""
        moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
        q = np.tile(self._start, (len(moments), 1))
        v, a = np.zeros_like(q), np.zeros_like(q)
        owner = np.searchsorted(np.array(self._moments), moments, side="right") - 1
        for index in np.unique(owner[owner >= 0]):
            plan, mine = self.plans[index], owner == index
            s, rate, push = plan.scaling.rates_at(moments[mine] - plan.begins)
            samples = plan.path.samples(s)
            q[mine] = samples.q
            v[mine] = samples.dq * rate[:, None]
            a[mine] = samples.ddq * rate[:, None] ** 2 + samples.dq * push[:, None]
        return q, v, a

    def course(self, time: float) -> tuple[float, float, float, JointCourse]:
        """Distance along the stroke [m], speed [m/s], acceleration [m/s^2] and the course of the joints at a moment."""
        plan = self.plan_at(time)
        if plan is None:
            still = np.zeros_like(self._start)
            return 0.0, 0.0, 0.0, JointCourse(self._start, still, still, True)
        s, rate, push = (float(value[0]) for value in plan.scaling.rates_at(np.array([time - plan.begins])))
        samples = plan.path.samples(s)
        length = plan.length
        course = JointCourse(samples.q[0], samples.dq[0] / length, samples.ddq[0] / length**2, rate * length == 0.0)
        return plan.start + s * length, rate * length, push * length, course

    def guess(self, start: float, end: float, count: int) -> np.ndarray:
        """Joint positions from one distance to another, evenly [rad or m], [count, n]; beyond the last plan its end."""
        if not self.plans:
            return np.tile(self._start, (count, 1))
        plan = self.plans[-1]
        where = (np.linspace(start, end, count) - plan.start) / plan.length
        return plan.path.at(np.clip(where, 0.0, 1.0))

"""What a page of fix tells of: the check before and after, what has changed, and what else could have given way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.findings import CheckResult, check
from animato.fix import Obstacle, Solution, build, obstacles_of, solve
from animato.mechanics.limits import LimitUsage
from animato.outcome import Progress, announcer
from animato.report.fix.changes import Change, gaze_changes, joint_changes, point_changes

_SHARES = (0.0, 0.5, 1.0)  # of time that gives way, tried for comparison
_MOST_FRAMES = 3000  # of a clip for which other ways are tried


@dataclass(frozen=True)
class Trade:
    """One way to make a motion performable.

    Attributes:
        time: How much time gives way, from 0 to 1; None where a duration was asked for.
        longer: Duration over the artist's.
        mean_m: Visible change of all points, on average [m].
        most_m: At most [m].
        usable: Whether every limit holds.
        chosen: Whether it is the one that was made.
    """

    time: float | None
    longer: float
    mean_m: float
    most_m: float
    usable: bool
    chosen: bool


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that is told of a fix.

    Attributes:
        solution: The fix.
        before: The check of what the artist asked for, in the artist's time.
        after: The check of what came out; the same where nothing did.
        asked_usage: Use of limits before, at the fixed clip's times.
        points, gazes, joints: What has changed, the largest first.
        trades: Other ways, and this one among them; empty where they were not tried.
        obstacles: Why no motion exists; empty where one does.
    """

    solution: Solution
    before: CheckResult
    after: CheckResult
    asked_usage: LimitUsage
    points: tuple[Change, ...]
    gazes: tuple[Change, ...]
    joints: tuple[Change, ...]
    trades: tuple[Trade, ...]
    obstacles: tuple[Obstacle, ...]

    @property
    def usable(self) -> bool:
        """Whether there is a motion that can be performed."""
        return self.solution.outcome.usable

    def robot_time(self, time: float) -> float:
        """When the fixed clip does what the artist has at a time [s]; that time itself where there is none."""
        if not self.usable:
            return time
        part = performing(self.solution)
        return float(np.interp(time, self.solution.pace[part], self.solution.clip.times[part]))

    @property
    def soft_ends_s(self) -> tuple[float, float]:
        """How long the soft start before, and the soft stop after the artist's clip take [s]."""
        times, part = self.solution.clip.times, performing(self.solution)
        return float(times[part][0] - times[0]), float(times[-1] - times[part][-1])


def gather_evidence(
    solution: Solution,
    *,
    name: str | None = None,
    remarks: Sequence[str] = (),
    trade: bool = True,
    progress: Progress | None = None,
) -> Evidence:
    """Checks both motions and tries what else could have given way.

    Args:
        solution: A fix.
        name: What people call the clip.
        remarks: What else is known about it, such as what a capture lost on its way to it; stands among the notes.
        trade: Whether to try other shares of time, for clips that are not too long.
        progress: Told what is being worked on.
    """
    say, problem = announcer(progress), solution.problem
    say("checking before and after")
    before = check(problem.character, problem.clip, clip_name=name, remarks=remarks, keep_reference_pose=True)
    if not solution.outcome.usable:
        found = obstacles_of(problem, solution.clip, solution.pace)
        return Evidence(solution, before, before, before.usage, (), (), (), (), found)
    after = before
    if solution.changed:
        after = check(problem.character, solution.clip, clip_name=name, remarks=remarks, keep_reference_pose=True)
    if trade and (before.findings or before.tips) and solution.changed and problem.clip.frame_count <= _MOST_FRAMES:
        say("trying what else could give way")
        trades = _trades(solution)
    else:
        trades = ()
    return Evidence(
        solution,
        before,
        after,
        _in_robot_time(solution, before.usage),
        point_changes(solution),
        gaze_changes(solution),
        joint_changes(solution),
        trades,
        (),
    )


def performing(solution: Solution) -> slice:
    """Frames in which the artist's time goes on: without a soft start and a soft stop."""
    begun = np.flatnonzero(solution.pace > solution.pace[0])
    ended = np.flatnonzero(solution.pace < solution.pace[-1])
    if not len(begun) or not len(ended):
        return slice(0, len(solution.pace))
    return slice(max(int(begun[0]) - 1, 0), min(int(ended[-1]) + 2, len(solution.pace)))


def _in_robot_time(solution: Solution, usage: LimitUsage) -> LimitUsage:
    """The same shares at the moments at which the fixed clip is there."""
    part = performing(solution)
    pace, clip = solution.pace[part], solution.clip.times[part]
    times, frames = (np.interp(one, pace, clip) for one in (usage.times, usage.frame_times))
    return replace(usage, times=times, frame_times=frames)


def _trades(solution: Solution) -> tuple[Trade, ...]:
    options = solution.problem.options
    free = options.duration_s is not None
    found = [_trade(solution, None if free else options.time, chosen=True)]
    for share in _SHARES:
        if free or share != options.time:
            asked = replace(options, time=share, duration_s=None)
            found.append(_trade(solve(build(solution.problem.character, solution.problem.clip, asked)), share))
    return tuple(sorted(found, key=lambda one: one.longer))


def _trade(solution: Solution, share: float | None, *, chosen: bool = False) -> Trade:
    far, _, _ = solution.deviation.largest
    return Trade(share, solution.longer, solution.deviation.mean_m, far, solution.outcome.usable, chosen)

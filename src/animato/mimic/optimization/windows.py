"""Long clips in windows: each is solved as a whole and begins on what the one before has found; memory stays small."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.mimic.curve import ControlPoints
from animato.mimic.problem import Problem

LONGEST = 400
"""Knots of a window."""
OVERLAP = 60
"""Knots at the end of a window that the next one solves again, knowing what comes after."""
_AT_REST = 3  # control points that hold position, velocity and acceleration


@dataclass(frozen=True)
class Window:
    """A stretch of knots.

    Attributes:
        first, last: Of all knots, the first and one after the last.
        kept: Knots at the beginning that the window before has decided.
        ends: One after the last knot that this window decides.
    """

    first: int
    last: int
    kept: int
    ends: int

    @property
    def own(self) -> slice:
        """Knots of the window that it decides, counted from its first."""
        return slice(self.kept, self.ends - self.first)

    def first_controls(
        self, standing: ControlPoints, before: list[ControlPoints], windows: list[Window]
    ) -> tuple[ControlPoints, int]:
        """Where the window begins its search, and how many control points at its beginning are decided."""
        places, turns, joints = (
            values[self.first : self.last + 2].copy()
            for values in (standing.places, standing.turns_wxyz, standing.joints)
        )
        if not before:
            return ControlPoints(places, turns, joints), 0
        shift = self.first - windows[-1].first
        old = before[-1]
        overlap = len(old.places) - shift
        for target, values in ((places, old.places), (turns, old.turns_wxyz), (joints, old.joints)):
            target[:overlap] = values[shift:]
        return ControlPoints(places, turns, joints), self.kept + _AT_REST - 1


def windows_of(count: int) -> list[Window]:
    """Windows of so many knots."""
    if count <= LONGEST + OVERLAP:
        return [Window(0, count, 0, count)]
    windows = [Window(0, LONGEST, 0, LONGEST - OVERLAP // 2)]
    while windows[-1].last < count:
        first = windows[-1].last - OVERLAP
        last = min(count, first + LONGEST)
        if count - last < OVERLAP:
            last = count
        windows.append(Window(first, last, windows[-1].ends - first, last if last == count else last - OVERLAP // 2))
    return windows


def part_of(problem: Problem, window: Window) -> Problem:
    """The problem of a window alone."""
    if window.first == 0 and window.last == len(problem.times):
        return problem
    cut = slice(window.first, window.last)
    person, plan = problem.person, problem.plan
    return replace(
        problem,
        person=replace(person, times=person.times[cut], positions=person.positions[cut]),
        plan=replace(
            plan,
            times=plan.times[cut],
            planted=plan.planted[cut],
            lowered=plan.lowered[cut],
            support=plan.support[cut],
            flight=plan.flight[cut],
        ),
        times=problem.times[cut],
        source_times=problem.source_times[cut],
        relative=problem.relative[cut],
        mesh=problem.mesh[cut],
        emphasis=problem.emphasis[cut],
    )


def joined(parts: list[tuple[Window, ControlPoints]]) -> ControlPoints:
    """Control points of all windows together."""
    pieces = []
    for number, (window, controls) in enumerate(parts):
        begin = 0 if number == 0 else window.kept + 1
        end = len(controls.places) if number == len(parts) - 1 else window.ends - window.first + 1
        pieces.append((controls, slice(begin, end)))
    return ControlPoints(
        np.concatenate([controls.places[cut] for controls, cut in pieces]),
        np.concatenate([controls.turns_wxyz[cut] for controls, cut in pieces]),
        np.concatenate([controls.joints[cut] for controls, cut in pieces]),
    )

"""The last seconds of a person, and what they ask of the robot in the window that is solved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.mimic.anatomy import Anatomy
from animato.mimic.contacts import ContactPlan, plan_contacts
from animato.mimic.curve import ControlPoints
from animato.mimic.online.online_options import OnlineOptions
from animato.mimic.optimization import Terms, Weights, renewed_terms, standing_controls, terms_of
from animato.mimic.person import Person
from animato.mimic.problem import build, relative_landmarks
from animato.motion import MarkerMotion

HISTORY = 60
"""Knots before the window from which the height of standing feet is known."""

_FEET, _LEGS = ("ankle", "toe"), ("hip", "knee", "ankle", "toe")
_IN_FLIGHT, _AROUND_FLIGHT = 0.03, 6  # weight of legs that leave the floor, which the robot does not, and knots around
WEIGHTS = Weights(posture=1e-3, load=0.1, height=3e4, skate=3e4)
"""Posture counts more than in whole clips: what nothing else decides must not wander in the few steps there are."""


class WindowedPerson:
    """A buffer of knots, the window last.

    Attributes:
        anatomy: Of the robot.
        scale: Of the person.
        plan: Contacts at all knots of the buffer.
    """

    def __init__(self, anatomy: Anatomy, names: tuple[str, ...], options: OnlineOptions, first: np.ndarray) -> None:
        self.anatomy, self.options = anatomy, options
        self.count = options.knots
        positions = np.tile(first, (HISTORY + self.count, 1, 1))
        times = np.arange(len(positions)) * options.step_s
        capture = MarkerMotion(times[:1], names, positions[:1], "stream")
        person = Person(times, names, positions, tuple((name,) for name in names), capture, source="stream")
        self.problem = build(anatomy.character, person, options.offline(), anatomy=anatomy)
        self.scale, self.plan = self.problem.scale, self._plan(self.problem.person)
        self.problem = replace(self.problem, plan=self.plan)
        self._terms = terms_of(self.problem, scale=self.scale, dynamics=True, weights=WEIGHTS)
        self._legs = np.array([name.split("_")[-1] in _LEGS for name in self.problem.landmarks])

    def add(self, landmarks: np.ndarray) -> None:
        """Takes the next knot in; the first leaves.

        Args:
            landmarks: [m], [landmark, 3].
        """
        old, person = self.problem, self.problem.person
        newest = replace(person, times=person.times[-1:], positions=landmarks[None])
        person = replace(person, positions=np.concatenate([person.positions[1:], landmarks[None]]))
        relative = relative_landmarks(newest, self.anatomy, old.landmarks, self.scale, old.by_segments)
        self.plan = self._plan(person)
        relative = np.concatenate([old.relative[1:], relative])
        emphasis = np.where(self._airborne[:, None] & self._legs, _IN_FLIGHT, 1.0)
        self.problem = replace(old, person=person, plan=self.plan, relative=relative, emphasis=emphasis)

    def terms(self) -> Terms:
        """What is asked of the robot in the window."""
        return renewed_terms(self._terms, self.problem, self.scale).from_knot(HISTORY)

    @property
    def airborne(self) -> bool:
        """Whether the person is in the air, or nearly, where the window begins."""
        return bool(self._airborne[HISTORY])

    def standing(self) -> ControlPoints:
        """The robot stands where the person is in the window, and turned as the person is."""
        whole = standing_controls(self.problem)
        return ControlPoints(whole.places[HISTORY:], whole.turns_wxyz[HISTORY:], whole.joints[HISTORY:])

    def _plan(self, person: Person) -> ContactPlan:
        """Contacts of the feet alone; where the person leaves the floor, the robot stays on both soles."""
        columns = [n for n, name in enumerate(person.names) if name.split("_")[-1] in _FEET]
        feet = replace(
            person,
            names=tuple(person.names[n] for n in columns),
            positions=person.positions[:, columns],
            sources=tuple(person.sources[n] for n in columns),
        )
        plan = plan_contacts(feet, self.anatomy, person.times)
        reach = np.ones(2 * _AROUND_FLIGHT + 1)
        self._airborne = np.convolve(plan.flight, reach, mode="same") > 0.5
        planted = plan.planted | self._airborne[:, None]
        for frame in np.flatnonzero(~planted.any(axis=1)):
            planted[frame] = planted[frame - 1] if frame > 0 else True
        return replace(plan, planted=planted, lowered=plan.lowered & ~planted, flight=np.zeros_like(plan.flight))

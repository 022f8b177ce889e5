"""From a person's contacts to a plan for a robot: feet, and where the capture has them hands and a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from animato.mimic.anatomy import Anatomy, Foot
from animato.mimic.contacts.edits import ContactEdit, edited
from animato.mimic.contacts.labels import (
    FOOT_PARTS,
    GENEROUS_HEIGHT,
    GENEROUS_SPEED,
    STRICT_HEIGHT,
    STRICT_SPEED,
    PartMotion,
    by_foot,
    foot_motion,
)
from animato.mimic.contacts.plan import ContactPart, ContactPlan
from animato.mimic.contacts.resting import REST_PARTS, rest_part, resting
from animato.mimic.contacts.stretches import closed, distance_s, grown, stretches, without_short
from animato.mimic.person import Person

KEPT_HEIGHT = 0.05
KEPT_SPEED = 0.3
"""A part that stands still goes on standing while it is nearer to its level [m] and slower [m/s] than this."""

LONGEST_GAP_S = 4 / 30
"""Gaps in a part's contact of up to this time are closed [s]; without it a part lands anew in the middle of a step."""

GAP_HEIGHT = 0.1
"""A gap in which the part rises higher than this is a step, however short [m]."""

SHORTEST_STAND_S = 2 / 30
"""A part that stands still for less than this is on its way [s]; skating takes two frames to be seen."""

EXTENSION_S = 0.2
"""A part that carries within this time of standing still is taken to stand still, too [s]."""

HIGHEST_LEVEL = {"heel": 0.2, "toe": 0.15}
"""The ankle and the toe of a foot on the floor are not higher than this [m]."""

SHORTEST_FLIGHT_S = 0.1
FLIGHT_HEIGHT = 0.03
STANDING_HEIGHT = 0.15
"""Flight lasts at least this time [s], with all parts higher than this [m]; a part lower than that must also move."""


def plan_contacts(
    person: Person, anatomy: Anatomy, times: np.ndarray, *, edits: Sequence[ContactEdit] = ()
) -> ContactPlan:
    """Plans when which part of the robot stands, touches or is free.

    Args:
        person: At the frames of the plan; its own times say how fast it moves.
        anatomy: Of the robot.
        times: Of the robot at these frames [s], [frame].
        edits: What is to be otherwise than captured.

    Raises:
        MotionError: The person has no feet, or an edit is of no frame.
        UnknownNameError: An edit is of a part that does not exist.
    """
    motion = _on_floor(foot_motion(person))
    generous = motion.low_and_slow(GENEROUS_HEIGHT, GENEROUS_SPEED)
    support = by_foot(generous)
    planted, lowered = _carrying(motion, generous, _standing(motion))
    rests = _rests(person, edits)
    rested = np.stack([*rests.values()], axis=1) if rests else np.zeros((len(planted), 0), dtype=bool)
    flight = _flight(motion, support | by_foot(planted)) & ~rested.any(axis=1)
    planted = _somewhere(np.hstack([planted, rested]), np.hstack([lowered, np.zeros_like(rested)]), flight)
    lowered = np.hstack([lowered, np.zeros_like(rested)]) & ~planted
    everywhere = np.ones(len(times), dtype=bool)
    parts = [rest_part(name, person, anatomy, column if column.any() else everywhere) for name, column in rests.items()]
    plan = ContactPlan(
        np.asarray(times),
        (*foot_parts(anatomy), *parts),
        planted,
        lowered,
        support,
        flight,
        tuple(_notes(rests, flight, person.times)),
    )
    return edited(plan, edits)


def _rests(person: Person, edits: Sequence[ContactEdit]) -> dict[str, np.ndarray]:
    """When hands and a seat carry, [frame] each: where that is clear, and none yet where only edits ask for it."""
    found = resting(person)
    asked = {edit.part for edit in edits} & set(REST_PARTS)
    nothing = np.zeros(len(person.times), dtype=bool)
    return {name: found.get(name, nothing) for name in REST_PARTS if name in found or name in asked}


def _notes(rests: dict[str, np.ndarray], flight: np.ndarray, times: np.ndarray) -> Iterator[str]:
    for name, column in rests.items():
        if column.any():
            yield f"The {name} rests on something in {100.0 * column.mean():.0f} % of the frames, as the person's does."
    for first, last in stretches(flight):
        yield f"The person is in the air from {times[first]:.2f} to {times[last]:.2f} s."


def _on_floor(motion: PartMotion) -> PartMotion:
    """The same with levels not far above the floor: the foot of somebody who stands on the other one is not down."""
    levels = np.minimum(motion.levels, [HIGHEST_LEVEL[part.split()[1]] for part in FOOT_PARTS])
    return replace(motion, heights=motion.heights + motion.levels - levels, levels=levels)


def foot_parts(anatomy: Anatomy) -> tuple[ContactPart, ...]:
    """Heels and toes of the robot's feet, in the order of `FOOT_PARTS`."""
    return tuple(_part(foot, place) for foot in anatomy.feet for place in ("heel", "toe"))


def _part(foot: Foot, place: str) -> ContactPart:
    corners = foot.heel if place == "heel" else foot.toe
    return ContactPart(f"{foot.side} {place}", tuple((foot.sole.body, foot.sole.corners[corner]) for corner in corners))


def _standing(motion: PartMotion) -> np.ndarray:
    """Parts that stand still, by strict labels with hysteresis, [frame, part]."""
    strict = motion.low_and_slow(STRICT_HEIGHT, STRICT_SPEED)
    kept = motion.low_and_slow(KEPT_HEIGHT, KEPT_SPEED)
    columns = []
    for part in range(len(FOOT_PARTS)):
        column = grown(strict[:, part], kept[:, part])
        column = closed(column, motion.times, LONGEST_GAP_S, motion.heights[:, part] < GAP_HEIGHT)
        columns.append(without_short(column, motion.times, SHORTEST_STAND_S))
    return np.stack(columns, axis=1)


def _carrying(motion: PartMotion, generous: np.ndarray, planted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A part on the floor for every foot that may carry weight: planted beside a stand, lowered elsewhere."""
    planted, lowered = planted.copy(), np.zeros_like(planted)
    near = np.stack([distance_s(column, motion.times) <= EXTENSION_S + 1e-6 for column in planted.T], axis=1)
    bare = by_foot(generous) & ~by_foot(planted)
    for foot in range(bare.shape[1]):
        parts = np.arange(2 * foot, 2 * foot + 2)
        frames = np.flatnonzero(bare[:, foot])
        heights = np.where(generous[np.ix_(frames, parts)], motion.heights[np.ix_(frames, parts)], np.inf)
        chosen = parts[np.argmin(heights, axis=1)]
        stands = near[frames, chosen]
        planted[frames[stands], chosen[stands]] = True
        lowered[frames[~stands], chosen[~stands]] = True
    for part in range(planted.shape[1]):
        planted[:, part] = closed(planted[:, part], motion.times, LONGEST_GAP_S, motion.heights[:, part] < GAP_HEIGHT)
    return planted, lowered & ~planted


def _flight(motion: PartMotion, carried: np.ndarray) -> np.ndarray:
    """Frames in which nothing touches: nothing carries for a while, and every part is off the floor."""
    resting = (motion.heights < STANDING_HEIGHT) & (motion.speeds < GENEROUS_SPEED)
    off = np.all((motion.heights > FLIGHT_HEIGHT) & ~resting, axis=1) & ~np.any(carried, axis=1)
    return without_short(off, motion.times, SHORTEST_FLIGHT_S)


def _somewhere(planted: np.ndarray, lowered: np.ndarray, flight: np.ndarray) -> np.ndarray:
    """Outside flight something stands: what carries, else what stood last, else what stands next."""
    planted = planted.copy()
    empty = ~planted.any(axis=1) & ~flight
    planted[empty] = lowered[empty]
    for direction in (1, -1):
        view = planted[::direction]
        still = ~view.any(axis=1) & ~flight[::direction]
        for frame in np.flatnonzero(still):
            if frame > 0:
                view[frame] = view[frame - 1]
    return planted

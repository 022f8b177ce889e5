"""Where else than on its feet a person rests: hands that lean, and a seat.

Found only where it is clearly there: the weight is not over the feet, nothing moves much, and the
hands or the hips stay for a while where hands or hips of somebody who stands are not.
"""

from __future__ import annotations

import numpy as np

from animato.errors import CharacterError, MotionError
from animato.mimic.anatomy import Anatomy, stand_points
from animato.mimic.contacts.body_centre import body_centre, off_support
from animato.mimic.contacts.labels import speeds_of
from animato.mimic.contacts.plan import ContactPart
from animato.mimic.contacts.stretches import closed, stretches, without_short
from animato.mimic.mapping import uniform_scale
from animato.mimic.person import SIDES, Person
from animato.spatial import quaternions

REST_PARTS = ("left hand", "right hand", "seat")
"""What may rest beside the feet."""

HIPS = tuple(f"{side}_hip" for side in SIDES)
WRISTS = tuple(f"{side}_wrist" for side in SIDES)

OFF_FEET = 0.08
"""Weight this far outside ankles, toes and knees is not carried by legs [m]; a heel is 5 cm behind its ankle."""

CALM_SPEED = 0.3
"""The weight of somebody who rests is slower than this [m/s]; who is faster may be falling, as in a step."""

REST_SPEED = 0.1
"""What rests is slower than this [m/s]."""

SHORTEST_REST_S = 0.5
"""What rests does so for this time at least [s]."""

LONGEST_GAP_S = 0.2
"""Gaps of up to this time are closed [s]."""

SEATED_SHARE = 0.75
"""Hips lower than this share of the length of the legs sit or squat."""

LEVEL_THIGH = 0.5
"""Hips of somebody who sits are above the knees by less than this share of the thigh."""

UPRIGHT_BACK = 0.7
"""Shoulders of somebody who sits are above the hips by more than this share of the back."""

CARRIED = 0.1
"""With what rests, the weight is at most this far outside of what carries it [m]."""

SAME_HEIGHT = 0.05
"""Stretches in which a part rests higher or lower than at most times by more than this are left out [m]."""


def resting(person: Person) -> dict[str, np.ndarray]:
    """When which of `REST_PARTS` rest, [frame] each; those that never do are left out."""
    centre = body_centre(person)
    if centre is None or len(person.times) < 3:
        return {}
    calm = speeds_of(centre[:, None], person.times)[:, 0] < CALM_SPEED
    lost = calm & (off_support(person, centre) > OFF_FEET)
    seat = _calmly(person, "seat", lost & _sits(person) & (off_support(person, centre, HIPS) < CARRIED))
    leaning = lost & ~seat & (off_support(person, centre, WRISTS) < CARRIED)
    marked = {name: _calmly(person, name, leaning & _is_low(person, name)) for name in REST_PARTS[:2]}
    return {name: column for name, column in {**marked, "seat": seat}.items() if column.any()}


def _calmly(person: Person, name: str, allowed: np.ndarray) -> np.ndarray:
    """Where a part stays at one place for a while, among allowed frames, [frame]."""
    places = _places(person, name)
    if places is None:
        return np.zeros(len(person.times), dtype=bool)
    still = speeds_of(places[:, None], person.times)[:, 0] < REST_SPEED
    marked = without_short(closed(still & allowed, person.times, LONGEST_GAP_S), person.times, SHORTEST_REST_S)
    return _at_one_height(marked, places[:, 2])


def _at_one_height(marked: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Without stretches at another height than most; a part has one surface to rest on."""
    if not marked.any():
        return marked
    usual, kept = np.median(heights[marked]), marked.copy()
    for first, last in stretches(marked):
        if abs(np.median(heights[first : last + 1]) - usual) > SAME_HEIGHT:
            kept[first : last + 1] = False
    return kept


def _sits(person: Person) -> np.ndarray:
    """Hips are low, thighs more level than upright, the back more upright than level."""
    hips, knees, ankles = (_middle(person, place) for place in ("hip", "knee", "ankle"))
    thigh = np.median(np.linalg.norm(person.landmark("left_hip") - person.landmark("left_knee"), axis=1))
    shin = np.median(np.linalg.norm(person.landmark("left_knee") - person.landmark("left_ankle"), axis=1))
    leg = thigh + shin + max(0.0, float(np.percentile(ankles[:, 2], 2.0)))
    back = _middle(person, "shoulder") - hips
    upright = back[:, 2] > UPRIGHT_BACK * np.linalg.norm(back, axis=1)
    low = (hips[:, 2] < SEATED_SHARE * leg) & (hips[:, 2] - knees[:, 2] < LEVEL_THIGH * thigh)
    return np.asarray(low & upright)


def _is_low(person: Person, name: str) -> np.ndarray:
    """A wrist that is lower than the hips."""
    places = _places(person, name)
    hips = _middle(person, "hip")[:, 2]
    return np.zeros(len(hips), dtype=bool) if places is None else np.asarray(places[:, 2] < hips)


def _middle(person: Person, place: str) -> np.ndarray:
    return np.asarray(0.5 * (person.landmark(f"left_{place}") + person.landmark(f"right_{place}")))


def rest_part(name: str, person: Person, anatomy: Anatomy, frames: np.ndarray) -> ContactPart:
    """The robot's points that rest, at the height at which the person's do.

    A hand rests at its wrist, a seat carries the two hips. What is below them, a palm or a cushion, is
    taken to be as thick as it must be.

    Args:
        name: One of `REST_PARTS`.
        person: At the frames of the plan.
        anatomy: Of the robot.
        frames: In which it rests, [frame].

    Raises:
        MotionError: The person lacks these landmarks.
        CharacterError: The robot does.
    """
    places = _places(person, name)
    if places is None:
        raise MotionError(
            f"The contact of '{name}' needs wrists or hips of the person; "
            f"{person.source or 'the capture'} has {', '.join(person.names)}."
        )
    height = float(np.median(places[frames, 2])) * uniform_scale(person, anatomy)
    return ContactPart(name, _points(name, anatomy), height)


def _landmarks(name: str) -> tuple[str, ...]:
    return HIPS if name == "seat" else (f"{name.split(maxsplit=1)[0]}_wrist",)


def _places(person: Person, name: str) -> np.ndarray | None:
    """Where a part of the person is [m], [frame, 3]; None where that is not known."""
    landmarks = _landmarks(name)
    if not all(person.has(one) for one in landmarks):
        return None
    return np.asarray(np.mean([person.landmark(one) for one in landmarks], axis=0))


def _points(name: str, anatomy: Anatomy) -> tuple[tuple[str, tuple[float, float, float]], ...]:
    """Points of the robot; hips as points of the pelvis, which thighs do not turn."""
    landmarks = _landmarks(name)
    missing = [one for one in landmarks if one not in anatomy.names]
    if missing:
        raise CharacterError(
            f"'{anatomy.character.name}' has no {missing[0].replace('_', ' ')}, so its '{name}' cannot rest. "
            f"Its landmarks: {', '.join(anatomy.names)}."
        )
    if name != "seat":
        point = anatomy.point(landmarks[0])
        return ((point.body, point.position),)
    pelvis, places = anatomy.point("pelvis"), stand_points(anatomy)
    turn = quaternions.conjugate(np.array(anatomy.stand_root[3:]))
    offsets = [quaternions.rotate(turn, places[one] - places["pelvis"]) + pelvis.position for one in landmarks]
    return tuple((pelvis.body, (float(x), float(y), float(z))) for x, y, z in offsets)

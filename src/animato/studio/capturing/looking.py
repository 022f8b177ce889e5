"""Looks at a capture, as processes do it: the person, its bones, and what stands when."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError
from animato.mimic.anatomy import Anatomy, BodyPoint, anatomy_of
from animato.mimic.contacts import plan_contacts
from animato.mimic.mapping import scaled_by_segments, uniform_scale
from animato.mimic.person import Person, resampled
from animato.studio.capturing.capture_wishes import WHOLE
from animato.studio.capturing.captured import Captured, Place
from animato.studio.capturing.reading import bones_in, load_capture, person_in
from animato.studio.capturing.seen import Seen
from animato.studio.capturing.stretches import Stretches, stretches_of

_RATE_HZ = 30.0  # of contacts, as mimic asks for them
_MOST_FRAMES = 1800  # of the stick figure; a page goes straight in between
_MOST_BONES = 200


def see(character: Character, place: str, captured: Captured) -> Seen:
    """Looks at a capture.

    Args:
        character: Who is to do the same.
        place: Of the file.
        captured: How it is read.

    Raises:
        AnimatoError: The file cannot be read. That there is no person in it, or that the robot is no humanoid, is
            told in `trouble`.
    """
    motion = load_capture(place)
    span = (float(motion.times[0]), float(motion.times[-1]))
    person, anatomy, trouble = None, None, ""
    try:
        person = person_in(motion, captured)
    except AnimatoError as error:
        trouble = _plain(str(error).replace("say with `sources` which", "choose below which"))
    try:
        anatomy = found_anatomy(character, tuple(captured.robot.items()))
    except AnimatoError as error:
        trouble = trouble or _plain(str(error))
    start = span[0] if captured.start_s is None else captured.start_s
    end = span[1] if captured.end_s is None else captured.end_s
    speed = captured.wishes.speed
    grid = _grid(start / speed, end / speed) if person is None else _grid(person.times[0], person.times[-1])
    figure = None if person is None else resampled(person, grid)
    every = -(-len(grid) // _MOST_FRAMES)
    times = speed * grid[::every]
    bones = bones_in(motion, captured, times, person)
    scale = _scale(figure, anatomy)
    shown = (
        figure if figure is not None and every == 1 else None if figure is None else resampled(figure, grid[::every])
    )
    contacts: dict[str, Stretches] = {}
    if figure is not None and anatomy is not None:
        plan = plan_contacts(figure, anatomy, grid - grid[0])
        contacts = {part.name: stretches_of(plan.planted[:, n], speed * grid) for n, part in enumerate(plan.parts)}
    places = np.zeros((len(times), 0, 3)) if shown is None else shown.positions
    origin = _origin(bones.positions, shown)
    own = np.arange(min(len(bones.names), _MOST_BONES))
    return Seen(
        span,
        times,
        () if shown is None else shown.names,
        () if shown is None else shown.sources,
        scale * (places - origin) + origin,
        places if shown is None else _goals(shown, anatomy, captured.wishes.proportions, scale),
        tuple(bones.names[n] for n in own),
        scale * (bones.positions[:, own] - origin) + origin,
        tuple((a, b) for a, b in bones.edges if max(a, b) < len(own)),
        () if anatomy is None else tuple((one.landmark, one.body, one.position) for one in anatomy.points),
        contacts,
        tuple(note for one in (person, anatomy) if one is not None for note in one.notes),
        trouble,
    )


def _plain(words: str) -> str:
    """Without sentences that tell programs what to write."""
    sentences = [one for one in words.split(". ") if "`" not in one]
    return f"{'. '.join(sentences).rstrip('.')}."


@lru_cache(maxsize=8)
def found_anatomy(character: Character, given: tuple[tuple[str, Place], ...]) -> Anatomy:
    """Landmarks of a robot, with those that were said by hand.

    Raises:
        AnimatoError: It is no humanoid.
    """
    return anatomy_of(character, points={name: BodyPoint(name, body, at) for name, (body, at) in given})


def _grid(first: float, last: float) -> np.ndarray:
    return np.asarray(first + np.arange(max(2, int((last - first) * _RATE_HZ + 1e-6) + 1)) / _RATE_HZ).clip(max=last)


def _scale(person: Person | None, anatomy: Anatomy | None) -> float:
    """How large the person is shown beside the robot."""
    if person is not None and anatomy is not None:
        try:
            return uniform_scale(person, anatomy)
        except AnimatoError:
            return 1.0
    return 1.0


def _origin(bones: np.ndarray, person: Person | None) -> np.ndarray:
    """The place on the floor where it begins, which scaling leaves where it is [m]."""
    first = bones[0] if person is None else person.landmark("pelvis")[:1]
    return np.append(np.nan_to_num(np.nanmean(first, axis=0))[:2], 0.0)


def _goals(person: Person, anatomy: Anatomy | None, proportions: str, scale: float) -> np.ndarray:
    if anatomy is None or proportions == WHOLE:
        return scale * person.positions
    try:
        return scaled_by_segments(person, anatomy)
    except AnimatoError:
        return scale * person.positions

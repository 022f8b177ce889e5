"""A person from a capture: landmarks found, in metres, on the floor, without a T-pose in front."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from animato.errors import MotionError, OptionError, unknown_name
from animato.mimic.person.bones import bone_landmarks
from animato.mimic.person.calibration_pose import begins_with_t_pose
from animato.mimic.person.found import Found
from animato.mimic.person.ground import floor_height, made_up_heels
from animato.mimic.person.markers import marker_landmarks
from animato.mimic.person.person import LANDMARKS, Person
from animato.mimic.person.size import metres_per_unit
from animato.motion import CapturedMotion, MarkerMotion

_WHOLE_RATE = 1e-4  # files round the time of a frame; rates this near to a whole number are that number


def person_of(
    motion: CapturedMotion | MarkerMotion,
    *,
    sources: Mapping[str, Sequence[str] | None] | None = None,
    start_s: float | None = None,
    end_s: float | None = None,
) -> Person:
    """Finds the landmarks of the person in a capture.

    Bones and markers are recognized by their names, bones also by the shape of the skeleton. The unit is told by the
    size of the body, the floor by the toes. A T-pose in front is left out.

    Args:
        motion: A skeleton or markers.
        sources: Of landmarks, the bones or markers whose mean they are, instead of the automatic choice; an empty
            list leaves the choice automatic, None leaves the landmark out.
        start_s: Frames before this time of the capture are left out [s]; also says that a T-pose is to stay.
        end_s: Frames after this time are left out [s].

    Raises:
        MotionError: There is no person in it: no legs, no arms, a single frame, bones without length.
        UnknownNameError: `sources` names a landmark, bone or marker that does not exist.
    """
    given = dict(sources or {})
    _check(motion, given)
    found = bone_landmarks(motion, given) if isinstance(motion, CapturedMotion) else marker_landmarks(motion, given)
    scale, unit_note = metres_per_unit(found)
    found = _placed(found, scale, 0.0, 0)
    skipped = int(start_s is None and begins_with_t_pose(found))
    found = _placed(found, 1.0, 0.0, skipped)
    times = _exact_times(motion.times)[skipped:]
    floor, floor_note = floor_height(found)
    found = _placed(found, 1.0, floor, 0)
    heels = made_up_heels(found, times)
    points = {name: one for name, one in {**found.positions, **heels}.items() if given.get(name, ()) is not None}
    names = tuple(name for name in LANDMARKS if name in points)
    kept = _between(times, start_s, end_s)
    made_up = [name for name in heels if name in points]
    notes = (
        *found.notes,
        unit_note,
        "The first frame is a T-pose from which the motion jumps; it is left out." if skipped else "",
        floor_note,
        f"Made up from ankle, toe and sole, since the capture has none: {', '.join(made_up)}." if made_up else "",
    )
    return Person(
        times[kept],
        names,
        np.stack([points[name][kept] for name in names], axis=1),
        tuple(found.sources.get(name, ()) for name in names),
        motion,
        tuple(note for note in notes if note),
        motion.source,
    )


def _check(motion: CapturedMotion | MarkerMotion, sources: Mapping[str, object]) -> None:
    for landmark in sources:
        if landmark not in LANDMARKS:
            raise unknown_name("landmark", landmark, LANDMARKS, "a person")
    if not isinstance(motion, CapturedMotion | MarkerMotion):
        raise MotionError(
            f"A person is made from a captured skeleton or from markers, not from a {type(motion).__name__}."
        )
    if len(motion.times) < 2:
        raise MotionError(
            f"'{motion.source or 'The capture'}' has a single frame; a person's motion needs at least two."
        )


def _placed(found: Found, scale: float, floor: float, skipped: int) -> Found:
    """The same in another unit, on another floor, without its first frames."""
    shift = np.array((0.0, 0.0, floor))
    return dataclasses.replace(
        found,
        positions={name: points[skipped:] * scale - shift for name, points in found.positions.items()},
        foot_turns_wxyz={side: turns[skipped:] for side, turns in found.foot_turns_wxyz.items()},
    )


def _exact_times(times: np.ndarray) -> np.ndarray:
    """Times of frames at the whole rate that a file rounded, so that knots at 30 Hz meet frames of 120 Hz."""
    rate = (len(times) - 1) / (times[-1] - times[0])
    exact = times[0] + np.arange(len(times)) / round(rate) if round(rate) > 0 else times
    return exact if abs(round(rate) / rate - 1.0) < _WHOLE_RATE and np.ptp(np.diff(times)) < 1e-3 / rate else times


def _between(times: np.ndarray, start_s: float | None, end_s: float | None) -> np.ndarray:
    """Which frames are wanted."""
    first = times[0] if start_s is None else start_s
    last = times[-1] if end_s is None else end_s
    kept = (times >= first - 1e-6) & (times <= last + 1e-6)
    if np.count_nonzero(kept) < 2:
        raise OptionError(
            f"`start_s` and `end_s` must leave at least two frames of {times[0]:.3f} to {times[-1]:.3f} s, "
            f"given {first:g} to {last:g} s."
        )
    return kept

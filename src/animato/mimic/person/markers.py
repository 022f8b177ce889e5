"""Landmarks of captured markers, by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from animato.errors import MotionError
from animato.mimic.person.found import Found
from animato.mimic.person.gaps import without_gaps
from animato.mimic.person.marker_sets import are_joints, marker_places, plain_names
from animato.mimic.person.named_bones import ARM, LEG
from animato.mimic.person.pelvis import HIP_NOTE, hip_centres
from animato.mimic.person.person import LANDMARKS, SIDES
from animato.motion import MarkerMotion

_FOOT = ("ankle", "heel", "toe")
_PELVIS = ("pelvis", "sacrum", *(f"{side}_{place}" for side in SIDES for place in ("asis", "psis", "hip")))


def marker_landmarks(motion: MarkerMotion, sources: Mapping[str, Sequence[str] | None]) -> Found:
    """Landmarks of markers on the skin, or of the joints of a body model.

    Args:
        motion: The markers; gaps are filled where they can be.
        sources: Markers of landmarks that were said; None for a landmark to leave out.

    Raises:
        MotionError: They are not enough for legs and arms.
    """
    plain = plain_names(motion.names)
    joints = are_joints(plain)
    places = marker_places(plain)
    for landmark, names in sources.items():
        if names:
            places[landmark] = [[_marker(motion, name) for name in names]]
    for side in SIDES:
        _drop_fingers(motion, places, side)
    positions, notes = without_gaps(motion, _rigid_parts(places))
    seen = _seen(places, np.isfinite(positions).all(axis=(0, 2)))
    points = {place: positions[:, markers].mean(axis=1) for place, markers in seen.items()}
    named = {place: tuple(motion.names[marker] for marker in markers) for place, markers in seen.items()}
    if not joints and not any(sources.get(f"{side}_hip") for side in SIDES):
        centres = {} if _has_centres(plain, seen) else hip_centres(points)
        notes += [HIP_NOTE] if centres else []
        points.update(centres)
        named.update(dict.fromkeys(centres, ()))
    _check_limbs(points, motion, places)
    points["pelvis"], named["pelvis"] = _pelvis(points, named)
    wanted = [name for name in LANDMARKS if name in points and sources.get(name, ()) is not None]
    return Found(
        {name: points[name] for name in wanted},
        {name: named[name] for name in wanted},
        tuple(notes),
        on_skin=not joints,
    )


def _marker(motion: MarkerMotion, name: str) -> int:
    motion.marker(name)  # says which markers there are where it is none of them
    return motion.names.index(name)


def _seen(places: Mapping[str, Sequence[Sequence[int]]], whole: np.ndarray) -> dict[str, list[int]]:
    """Of each place, the markers without gaps of the first row that has any."""
    result: dict[str, list[int]] = {}
    for place, rows in places.items():
        kept = [[marker for marker in row if whole[marker]] for row in rows]
        if any(kept):
            result[place] = next(row for row in kept if row)
    return result


def _rigid_parts(places: Mapping[str, Sequence[Sequence[int]]]) -> list[list[int]]:
    """Markers on one foot, on the pelvis, on the head."""
    parts = [[f"{side}_{place}" for place in _FOOT] for side in SIDES]
    return [
        sorted({marker for place in part for row in places.get(place, ()) for marker in row})
        for part in (*parts, _PELVIS, ("head",))
    ]


def _drop_fingers(motion: MarkerMotion, places: dict[str, list[list[int]]], side: str) -> None:
    """A thumb or a pinky is of the foot in some sets and of the hand in others: the nearer joint tells."""
    toes = places.get(f"{side}_toe", [])
    ankle, wrist = (places.get(f"{side}_{place}", [[]])[0] for place in ("ankle", "wrist"))
    if not toes or not ankle or not wrist:
        return
    kept = [[one for one in row if _apart(motion, one, ankle[0]) < _apart(motion, one, wrist[0])] for row in toes]
    places[f"{side}_toe"] = [row for row in kept if row]
    if not places[f"{side}_toe"]:
        del places[f"{side}_toe"]


def _apart(motion: MarkerMotion, first: int, second: int) -> float:
    away = np.linalg.norm(motion.positions[:, first] - motion.positions[:, second], axis=-1)
    return float(np.nanmedian(away)) if np.isfinite(away).any() else np.inf


def _has_centres(plain: Sequence[str], seen: Mapping[str, Sequence[int]]) -> bool:
    """Whether the capture has hip centres itself, not markers on the skin over them."""
    hips = [plain[marker] for side in SIDES for marker in seen.get(f"{side}_hip", ())]
    return bool(hips) and all(name.endswith(("JC", "CENTER")) for name in hips)


def _pelvis(
    points: Mapping[str, np.ndarray], named: Mapping[str, tuple[str, ...]]
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The pelvis's own marker, else the mean of its front and its back, else the middle between the hips."""
    if "pelvis" in points:
        return points["pelvis"], named["pelvis"]
    fronts = [f"{side}_asis" for side in SIDES]
    backs = [name for name in ("sacrum", *(f"{side}_psis" for side in SIDES)) if name in points]
    if all(name in points for name in fronts) and backs:
        front = np.mean([points[name] for name in fronts], axis=0)
        back = np.mean([points[name] for name in backs], axis=0)
        return 0.5 * (front + back), ()
    return 0.5 * (points["left_hip"] + points["right_hip"]), ()


def _check_limbs(points: Mapping[str, np.ndarray], motion: MarkerMotion, places: Mapping[str, object]) -> None:
    for what, limb in (("legs", LEG), ("arms", ARM)):
        lacking = [name for side in SIDES for place in limb if (name := f"{side}_{place}") not in points]
        if not lacking:
            continue
        known = [name for name in lacking if name in places]
        reason = f" Markers of {', '.join(known)} are there, but not seen for too long." if known else ""
        shown = ", ".join(motion.names[:40]) + (", ..." if len(motion.names) > 40 else "")
        raise MotionError(
            f"The {what} of the person in '{motion.source or 'the capture'}' are not complete: no markers for "
            f"{', '.join(lacking)}.{reason} Markers: {shown}. Say with `sources` which markers are around them."
        )

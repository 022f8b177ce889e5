"""A made-up person lifts something before a small robot with markers: the published method without any data.

The person's markers are Pico's own in a squat, stretched into other proportions and leaned forward, so that following
them alone would tip Pico over.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.mimic.published import (
    MarkerFitter,
    MarkerPlace,
    MarkerSet,
    Postures,
    PublishedOptions,
    PublishedProblem,
    build_published,
    standing_feet,
)

SQUARE_M = 0.03
"""Side of the ZMP's square; Pico's feet are 9.5 cm long, a quarter of a person's."""

STRETCH = (1.0, 1.1, 1.15)
"""The person's proportions, in Pico's."""

LEAN = 1.0
"""How far the person leans forward, in heights above the hips."""


def pico_markers(character: Character | None = None) -> MarkerSet:
    """Pico's markers, with toes, heels, sides of the pelvis and a back, so that every joint is decided by them."""
    pico = load_character("pico") if character is None else character
    places = [MarkerPlace(m.name, m.body, m.position) for m in pico.markers if not m.name.endswith("sole")]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        places += [
            MarkerPlace(f"{side}_toe", f"{side}_foot", (0.06, 0.01 * sign, -0.02)),
            MarkerPlace(f"{side}_heel", f"{side}_foot", (-0.035, 0.0, -0.02)),
            MarkerPlace(f"{side}_waist", "pelvis", (0.0, 0.05 * sign, 0.02)),
            MarkerPlace(f"{side}_thumb", f"{side}_forearm", (0.02, 0.0, -0.05)),
        ]
    places.append(MarkerPlace("back", "torso", (-0.045, 0.0, 0.06)))
    right, left = (MarkerPlace(side, f"{side}_foot", (0.0125, sign * 0.003, -0.03)) for side, sign in _SIDES)
    return MarkerSet(pico, tuple(places), (right, left))


_SIDES = (("right", -1.0), ("left", 1.0))


def lift_on_pico(
    options: PublishedOptions | None = None, *, frames: int = 10, seconds: float = 1.5
) -> PublishedProblem:
    """The problem of ten postures from standing into a squat.

    Args:
        options: Of the published method; its square is `SQUARE_M` where not given.
        frames: Number of postures.
        seconds: From the first to the last.
    """
    markers = pico_markers()
    times = np.linspace(0.0, seconds, frames)
    captured = _captured(markers, frames)
    problem = build_published(
        markers, times, captured, options or PublishedOptions(square_m=SQUARE_M), rest=_squat(markers, 0.3, 0.2)
    )
    planted = np.ones((frames, 2), dtype=bool)
    return replace(problem, held=standing_feet(markers, problem.source, planted))


def _captured(markers: MarkerSet, frames: int) -> np.ndarray:
    """The person's markers [m], [frame, marker, 3]."""
    depth = 0.3 + 0.5 * np.sin(np.linspace(0.0, 0.5 * np.pi, frames)) ** 2
    reach = np.linspace(0.2, 1.2, frames)
    q = np.array([_squat(markers, a, b) for a, b in zip(depth, reach, strict=True)])
    root = np.zeros((frames, 7))
    root[:, 2], root[:, 3] = 0.05 + 0.15 * np.cos(depth), 1.0
    places = MarkerFitter(markers, q[0]).places(Postures(q, root)) * np.array(STRETCH)
    hips = STRETCH[2] * root[:, None, 2]
    places[:, :, 0] += LEAN * np.maximum(places[:, :, 2] - hips, 0.0)
    return places


def _squat(markers: MarkerSet, depth: float, reach: float) -> np.ndarray:
    """Coordinates of a squat with arms raised before the body, [coordinate]."""
    tree = markers.tree
    q = tree.neutral.copy()
    for side in ("left", "right"):
        for name, angle in (("hip_pitch", depth), ("knee", 2.0 * depth), ("ankle_pitch", depth)):
            q[tree.coordinate_names.index(f"{side}_{name}")] = angle
        for name, angle in (("shoulder_pitch", reach), ("shoulder_roll", 0.2), ("elbow", 0.6)):
            q[tree.coordinate_names.index(f"{side}_{name}")] = angle
    return q

"""The floor under a person, and heels where a capture has none."""

from __future__ import annotations

import numpy as np

from animato.mimic.person.found import Found
from animato.mimic.person.person import SIDES
from animato.spatial import quaternions

TOE_HEIGHT_M = 0.035
"""Height of a toe's joint above the floor on which it stands [m]."""

STANDING_PERCENTILE = 5.0
"""Percentile over the frames of the lower toe's height at which it is taken to stand."""

MARKER_FLOOR_M = (0.0, 0.12)
"""A capture of markers whose lower toe stands at a height [m] in this range was calibrated with its floor at 0."""

_HEEL_SHARE = 0.4  # of the way from ankle to toe on the floor, how far the heel is behind the ankle
_LOW_M = 0.08  # a foot stands while ankle and toe are this near to their lowest
_SLOW_M_S = 0.2  # and this slow
_MOST_DIP = 0.9  # sine of the steepest way from ankle to toe of a standing foot that is believed
_STEADY = 0.5  # mean directions shorter than this mean that a foot turns while it seems to stand


def floor_height(found: Found) -> tuple[float, str]:
    """Where the floor is [m], and what to tell about it.

    Args:
        found: Landmarks in metres.
    """
    feet = "toe" if all(f"{side}_toe" in found.positions for side in SIDES) else "ankle"
    lower = np.minimum(*(found.positions[f"{side}_{feet}"][:, 2] for side in SIDES))
    stands = float(np.percentile(lower, STANDING_PERCENTILE))
    if found.on_skin and MARKER_FLOOR_M[0] <= stands <= MARKER_FLOOR_M[1]:
        return 0.0, f"The floor is where the capture has it: markers of the {feet}s come down to {stands * 100:.1f} cm."
    above = TOE_HEIGHT_M if feet == "toe" else 0.09
    return stands - above, (
        f"The floor is taken {above * 100:g} cm below the {STANDING_PERCENTILE:g}th percentile of the lower {feet}: "
        f"the person was moved by {(above - stands) * 100:+.1f} cm."
    )


def made_up_heels(found: Found, times: np.ndarray) -> dict[str, np.ndarray]:
    """Heels that a capture lacks, on the sole behind the ankle, shape [frame, 3].

    A heel is fixed to its foot, whose axes are the way from ankle to toe and the direction that is up while the foot
    stands: carried by the foot's bone where there is one, else by the plane of toe, ankle and knee.

    Args:
        found: Landmarks in metres.
        times: Of the frames [s].
    """
    result = {}
    for side in SIDES:
        names = [f"{side}_{place}" for place in ("ankle", "toe", "knee")]
        if f"{side}_heel" in found.positions or not set(names) <= set(found.positions):
            continue
        ankle, toe, knee = (found.positions[name] for name in names)
        stands = _standing(ankle, toe, times)
        drop = float(np.median((ankle - toe)[stands, 2]))  # of the toe below the ankle
        reach = float(np.median(np.linalg.norm(toe - ankle, axis=-1)))
        dip = np.arcsin(np.clip(drop / max(reach, 1e-9), -_MOST_DIP, _MOST_DIP))
        along = _unit(toe - ankle)
        rough_up = _carried_up(found, side, stands, knee - ankle)
        across = _unit(rough_up - np.sum(rough_up * along, axis=-1, keepdims=True) * along)
        forward = np.cos(dip) * along + np.sin(dip) * across
        up = np.cos(dip) * across - np.sin(dip) * along
        behind, below = _HEEL_SHARE * reach * np.cos(dip), reach * np.sin(dip) + TOE_HEIGHT_M
        result[f"{side}_heel"] = ankle - behind * forward - below * up
    return result


def _standing(ankle: np.ndarray, toe: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Frames in which a foot is low and slow; all of them where there is none."""
    stands = np.ones(len(times), dtype=bool)
    for points in (ankle, toe):
        low = points[:, 2] < np.percentile(points[:, 2], STANDING_PERCENTILE) + _LOW_M
        stands &= low & (np.linalg.norm(np.gradient(points, times, axis=0), axis=-1) < _SLOW_M_S)
    return stands if np.any(stands) else ~stands


def _carried_up(found: Found, side: str, stands: np.ndarray, shank: np.ndarray) -> np.ndarray:
    """The direction fixed to the foot that is up while it stands, shape [frame, 3]."""
    turns = found.foot_turns_wxyz.get(side)
    if turns is None:
        return shank
    inside = np.median(quaternions.rotate(quaternions.conjugate(turns[stands]), np.array((0.0, 0.0, 1.0))), axis=0)
    if np.linalg.norm(inside) < _STEADY:
        return shank
    return quaternions.rotate(turns, inside)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)

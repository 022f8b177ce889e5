"""Markers that were not seen for a while."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.motion import MarkerMotion
from animato.spatial.cubic_spline import interpolate

LONGEST_GAP_S = 0.25
"""Gaps up to this long are filled by splines [s]."""

_COMPANIONS = 3  # markers that fix a rigid part in space
_COMMON_FRAMES = 20  # frames in which a marker and its companions must have been seen together


def without_gaps(motion: MarkerMotion, rigid_parts: Sequence[Sequence[int]]) -> tuple[np.ndarray, list[str]]:
    """Positions with the gaps filled that can be, and what was done, in words.

    Short gaps are filled by a spline through the frames around. A long gap of a marker on a rigid part, such as a foot,
    is filled from at least three markers on the same part.

    Args:
        motion: The markers.
        rigid_parts: Markers that keep their distances, by index.

    Returns:
        Positions [m], shape [frame, marker, 3]; a marker with a gap that could not be filled still has NaN.
    """
    positions = motion.positions.copy()
    splined = [motion.names[marker] for marker in range(len(motion.names)) if _spline(motion.times, positions, marker)]
    rebuilt = [
        motion.names[marker]
        for part in rigid_parts
        for marker in part
        if np.isnan(positions[:, marker]).any() and _rebuild(positions, marker, part)
    ]
    notes = []
    if splined:
        notes.append(f"Gaps of at most {LONGEST_GAP_S:g} s were filled by splines: {', '.join(splined)}.")
    if rebuilt:
        notes.append(
            f"Longer gaps were filled from other markers on the same foot, pelvis or head: {', '.join(rebuilt)}."
        )
    left = [
        f"{name} (up to {_longest(motion.times, motion.positions[:, marker]):.2f} s)"
        for marker, name in enumerate(motion.names)
        if np.isnan(positions[:, marker]).any()
    ]
    if left:
        notes.append(f"Left out, since they were not seen for longer than that: {', '.join(left)}.")
    return positions, notes


def _gaps(points: np.ndarray) -> list[slice]:
    """Runs of frames in which a marker was not seen; points [frame, 3]."""
    unseen = np.concatenate([[False], np.isnan(points).any(axis=-1), [False]])
    edges = np.flatnonzero(unseen[1:] != unseen[:-1])
    return [slice(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


def _length(times: np.ndarray, gap: slice) -> float:
    """From the last frame before to the first one after [s]; at an end of the capture to the end."""
    return float(times[min(gap.stop, len(times) - 1)] - times[max(gap.start - 1, 0)])


def _longest(times: np.ndarray, points: np.ndarray) -> float:
    return max((_length(times, gap) for gap in _gaps(points)), default=0.0)


def _spline(times: np.ndarray, positions: np.ndarray, marker: int) -> bool:
    """Fills the short gaps of a marker in place; held at the ends of the capture, where no spline leads on."""
    points = positions[:, marker]
    gaps = _gaps(points)
    short = [gap for gap in gaps if _length(times, gap) <= LONGEST_GAP_S]
    seen = ~np.isnan(points).any(axis=-1)
    if not short or not np.any(seen):
        return False
    curve = interpolate(times[seen], points[seen])
    for gap in short:
        points[gap] = curve(times[gap])
    return True


def _rebuild(positions: np.ndarray, marker: int, part: Sequence[int]) -> bool:
    """Fills the long gaps of a marker in place from its companions; whether all of them could be filled."""
    for gap in _gaps(positions[:, marker]):
        companions = [one for one in part if one != marker and not np.isnan(positions[gap, one]).any()]
        together = ~np.isnan(positions[:, [marker, *companions]]).any(axis=(1, 2))
        if len(companions) < _COMPANIONS or np.count_nonzero(together) < _COMMON_FRAMES:
            return False
        guess = _carried(positions, marker, companions, together)
        edges = [frame for frame in (gap.start - 1, gap.stop) if 0 <= frame < len(positions)]
        # The part is not quite rigid: what is off at the edges of the gap fades from one to the other.
        off = np.array([positions[frame, marker] - guess[frame] for frame in edges])
        share = np.linspace(0.0, 1.0, gap.stop - gap.start + 2)[1:-1, None]
        blend = (1.0 - share) * off[0] + share * off[-1] if edges else 0.0
        positions[gap, marker] = guess[gap] + blend
    return True


def _carried(positions: np.ndarray, marker: int, companions: Sequence[int], together: np.ndarray) -> np.ndarray:
    """Where a marker would be if it were fixed to its companions, shape [frame, 3]; NaN where they were not seen.

    The turn of the companions from a frame in the middle is fitted by least squares (Kabsch: A solution for the best
    rotation to relate two sets of vectors, 1976).
    """
    frames = np.flatnonzero(together)
    cluster = positions[:, companions]
    seen = ~np.isnan(cluster).any(axis=(1, 2))
    centre = cluster.mean(axis=1)
    shape = cluster[frames[len(frames) // 2]] - centre[frames[len(frames) // 2]]
    spread = np.einsum("kx,fky->fxy", shape, cluster[seen] - centre[seen, None])
    left, _, right = np.linalg.svd(spread)
    mirrored = np.sign(np.linalg.det(left @ right))
    right[:, 2] *= mirrored[:, None]
    turns = np.full((len(positions), 3, 3), np.nan)
    turns[seen] = np.swapaxes(left @ right, 1, 2)  # takes the shape to each frame
    away = positions[frames, marker] - centre[frames]
    inside = np.einsum("fyx,fy->fx", turns[frames], away).mean(axis=0)
    return centre + turns @ inside

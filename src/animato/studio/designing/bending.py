"""Handles on target paths: where they stand, and how a path bends around one that is dragged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from animato.design import PointTrajectory, TargetMotion, TrackingTarget
from animato.studio.designing.wish import Pull

_HANDLES = 8
_CLOSED = 0.02  # share of what a path spans within which its end is its beginning
_STILL_M = 1e-3  # a path that spans less is one place, and has one handle
_EVEN = 0.15  # share of time beside length: a point that rests has handles, but few


def is_closed(path: np.ndarray) -> bool:
    """Whether a path ends where it began.

    Args:
        path: [m], shape [step, 3].
    """
    span = _span(path)
    return len(path) > 3 and span > _STILL_M and float(np.linalg.norm(path[-1] - path[0])) < _CLOSED * span


def handle_times(motion: TargetMotion) -> dict[str, tuple[Pull, ...]]:
    """Handles that pull at nothing yet, by the name of the target; none where it asks for no place.

    They stand along the path, at its ends or around it where it is closed.
    """
    return {
        one.name: tuple((step / motion.rate_hz, 0.0, 0.0, 0.0) for step in _steps(one.positions))
        for one in motion.targets
        if one.positions is not None
    }


def bent(motion: TargetMotion, handles: Mapping[str, tuple[Pull, ...]]) -> TargetMotion:
    """The targets with their paths pulled at handles.

    Between handles a path gives way like a smooth spline through their pulls, so that one that is dragged bends it as
    far as the handle after the next one, and what the path does in between is kept.

    Args:
        motion: Before.
        handles: By the name of the target.
    """
    return replace(motion, targets=tuple(_bent(one, handles.get(one.name, ()), motion) for one in motion.targets))


def handle_places(motion: TargetMotion, handles: Mapping[str, tuple[Pull, ...]]) -> dict[str, np.ndarray]:
    """Where handles stand in the world [m], shape [handle, 3], by the name of the target.

    Args:
        motion: Before it was bent.
        handles: By the name of the target.
    """
    return {
        one.name: np.array(
            [places_at(one.positions, pull[0] * motion.rate_hz) + np.array(pull[1:]) for pull in handles[one.name]]
        ).reshape(-1, 3)
        for one in motion.targets
        if one.positions is not None and one.name in handles
    }


def places_at(path: np.ndarray, step: float) -> np.ndarray:
    """Where a path is between two steps [m], shape [3]."""
    at = np.arange(len(path))
    return np.array([np.interp(step, at, column) for column in path.T])


def _bent(target: TrackingTarget, pulls: tuple[Pull, ...], motion: TargetMotion) -> TrackingTarget:
    path = target.positions
    if path is None or not any(any(pull[1:]) for pull in pulls):
        return target
    # the last step of a closed path is its first one again: the spline goes round without it
    closed, steps = is_closed(path), len(path) - 1 if is_closed(path) else len(path)
    at = np.array([min(pull[0] * motion.rate_hz, steps - 1.0) for pull in pulls])
    rising = np.concatenate([[True], np.diff(at) > 1e-6])
    point = PointTrajectory(target.name, target.body, target.point, path[:steps], np.zeros((steps, 4)))
    moved = point.with_handles(at[rising], np.array([pull[1:] for pull in pulls])[rising], closed=closed).positions
    return replace(target, positions=np.concatenate([moved, moved[:1] + path[-1] - path[0]]) if closed else moved)


def _steps(path: np.ndarray) -> list[int]:
    """Steps at which handles stand, even along the path."""
    if _span(path) < _STILL_M:
        return [len(path) // 2]
    along = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = along / along.sum() + _EVEN / len(along)
    reached = np.concatenate([[0.0], np.cumsum(along)])
    shares = np.linspace(0.0, 1.0, _HANDLES, endpoint=not is_closed(path))
    return sorted({int(np.argmin(np.abs(reached - share * reached[-1]))) for share in shares})


def _span(path: np.ndarray) -> float:
    return float(np.linalg.norm(np.ptp(path, axis=0)))

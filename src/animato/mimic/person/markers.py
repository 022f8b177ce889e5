"""Landmarks of captured markers, by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from animato.errors import MotionError
from animato.mimic.person.found import Found
from animato.motion import MarkerMotion


def marker_landmarks(motion: MarkerMotion, sources: Mapping[str, Sequence[str] | None]) -> Found:
    """Landmarks of markers."""
    raise MotionError("Markers are not read yet.")

"""What a performance says of itself: whether it is beyond limits of jerk, seen quickly and as a check sees it."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Character
from animato.loading import as_character
from animato.mechanics.limits import SHARE_TOLERANCE, limit_usage
from animato.motion import Clip
from animato.studio.drawing import performing

TIMES = np.linspace(0.0, 2.0, 201)


@pytest.fixture(scope="module")
def arm6() -> Character:
    return as_character("arm6")


def swing(size: float, *, where: float = 1.0, width: float = 0.2) -> np.ndarray:
    """A bump of one joint [rad], [frame]."""
    return np.asarray(size * np.exp(-(((TIMES - where) / width) ** 2)))


@pytest.mark.parametrize(
    ("size", "where", "width"),
    [(0.1, 1.0, 0.2), (0.1, 1.0, 0.06), (0.4, 1.0, 0.1), (0.1, 0.0, 0.06), (0.02, 0.05, 0.05), (0.3, 1.95, 0.1)],
)
def test_jerk_is_seen_as_a_check_sees_it(arm6: Character, size: float, where: float, width: float) -> None:
    names = arm6.coordinate_names
    positions = np.zeros((len(TIMES), len(names)))
    positions[:, 1] = swing(size, where=where, width=width)
    clip = Clip(TIMES, names, positions)
    peak = float(np.nanmax(limit_usage(arm6, clip).shares["jerk"]))
    assert performing._is_jerky(arm6, clip) == (peak > 1.0 + SHARE_TOLERANCE)


def test_a_calm_or_a_wild_motion_needs_no_check(arm6: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performing, "limit_usage", None)  # it would take 17 ms
    names = arm6.coordinate_names
    for size, jerky in ((0.01, False), (1.0, True)):
        positions = np.repeat(swing(size)[:, None], len(names), axis=1)
        assert performing._is_jerky(arm6, Clip(TIMES, names, positions)) is jerky


def test_a_clip_that_does_not_state_a_limited_joint_is_checked(arm6: Character) -> None:
    assert not performing._is_jerky(arm6, Clip(TIMES, ("elbow",), swing(0.01)[:, None]))

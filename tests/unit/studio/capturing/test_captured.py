"""What people said about a capture is kept as plain values, and stretches of time are counted right."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from animato.errors import AnimatoError
from animato.motion import Clip
from animato.studio.capturing import Captured
from animato.studio.capturing.capture_wishes import CaptureWishes
from animato.studio.capturing.stretches import Stretches, merged, stretches_of, without

STRETCHES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=6).map(merged)


def test_a_capture_comes_back_from_its_file() -> None:
    plain = Clip(np.array([0.0, 1.0]), ("a",), np.zeros((2, 1)))
    whole = Captured(
        "captures/walk.bvh",
        {"left_wrist": ("a", "b"), "head": ()},
        {"left_wrist": ("forearm", (0.0, 0.1, -0.2))},
        {"head": 3.0},
        {"left heel": ((0.0, 0.5), (1.0, 2.0)), "left toe": ()},
        0.5,
        None,
        CaptureWishes(speed=0.5, mirror=True, proportions="limbs"),
        ((0.0, 0.5), (2.0, 1.5)),
        plain,
        {"shoulder": "LeftArm"},
    )
    kept: dict[str, Clip] = {}

    def keep(clip: Clip, suffix: str) -> str:
        kept[suffix] = clip
        return suffix

    values = json.loads(json.dumps(whole.for_file(keep)))
    again = Captured.from_file(values, kept.__getitem__)
    assert again.__dict__ == whole.__dict__
    bare = Captured("walk.bvh")
    assert Captured.from_file(json.loads(json.dumps(bare.for_file(keep))), kept.__getitem__).__dict__ == bare.__dict__


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"file": 3},
        {"file": "a", "person": {"head": "bone"}},
        {"file": "a", "robot": {"head": {"body": "b"}}},
        {"file": "a", "contacts": {"left heel": [1, 2]}},
        {"file": "a", "wishes": {"speed": "fast"}},
        {"file": "a", "wishes": [1]},
        {"file": "a", "pace": [[1]]},
    ],
)
def test_what_is_no_capture_is_refused(wrong: dict[str, object]) -> None:
    clips: dict[str, Clip] = {}
    with pytest.raises(AnimatoError):
        Captured.from_file(wrong, clips.__getitem__)


def moments(stretches: Stretches) -> set[float]:
    """Middles of whole numbers that stretches hold."""
    return {n + 0.5 for n in range(31) if any(a <= n and n + 1 <= b for a, b in stretches)}


@given(STRETCHES, STRETCHES)
def test_what_is_taken_away_is_gone_and_nothing_else(first: Stretches, second: Stretches) -> None:
    assert moments(without(first, second)) == moments(first) - moments(second)
    assert without(first, first) == ()
    assert merged([*without(first, second), *first]) == first


def test_runs_of_frames() -> None:
    flags = np.array([True, True, False, True, False, True, True, True])
    assert stretches_of(flags, np.arange(8) / 10.0) == ((0.0, 0.1), (0.5, 0.7))
    assert stretches_of(np.zeros(3, dtype=bool), np.arange(3.0)) == ()

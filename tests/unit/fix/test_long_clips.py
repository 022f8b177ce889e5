"""Long stretches are solved in pieces, and no seam is seen."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.fix.shape import shaping
from animato.mechanics.limits import LIMIT_KINDS, limit_usage
from benchmarks.fix_convex import gantry, wanted

RATE = 25.0


def restless(seconds: float) -> an.Clip:
    """The lamp looks about, too quickly at every moment."""
    rng = np.random.default_rng(6)
    names = an.load_character("lamp").coordinate_names
    t = np.arange(round(seconds * RATE) + 1) / RATE
    hertz, phase = rng.uniform(0.8, 2.4, (len(names), 5, 1)), rng.uniform(0.0, 6.28, (len(names), 5, 1))
    heights = 0.8 / (1.0 + hertz)
    return an.Clip(t, names, np.sum(heights * np.sin(2.0 * np.pi * hertz * t + phase), axis=1).T)


def solved(character: an.Character | str, clip: an.Clip) -> an.fix.Solution:
    found = an.fix.solve(an.fix.build(character, clip))
    assert found.outcome.usable, found.outcome.reason
    return found


def in_pieces(monkeypatch: pytest.MonkeyPatch, character: an.Character | str, clip: an.Clip) -> an.fix.Solution:
    """The same with pieces of at most 400 frames."""
    with monkeypatch.context() as patch:
        patch.setattr(shaping, "_LONGEST", 400)
        return solved(character, clip)


def test_pieces_of_a_convex_problem_give_the_answer_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slides have one best motion: what a seam adds to it is less than 1e-4 of their range of 1 m."""
    clip = wanted(20.0)
    whole, pieces = solved(gantry(), clip), in_pieces(monkeypatch, gantry(), clip)
    assert max(end - start for start, end in whole.stretches) > 10.0
    assert np.abs(whole.clip.positions - clip.positions).max() > 0.05
    np.testing.assert_allclose(pieces.clip.positions, whole.clip.positions, atol=1e-4)


def test_pieces_are_as_near_to_the_artist_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """With turning joints and torques many motions are all but as good; a minute of it is 0.14 % farther off."""
    clip = restless(45.0)
    whole, pieces = solved("lamp", clip), in_pieces(monkeypatch, "lamp", clip)
    assert max(end - start for start, end in whole.stretches) > 30.0  # broken all along
    assert pieces.deviation.mean_m == pytest.approx(whole.deviation.mean_m, rel=0.01)
    usage = limit_usage(an.load_character("lamp"), pieces.clip, oversampling=20)
    assert max(usage.peak(kind) for kind in LIMIT_KINDS) <= 1.0 + 1e-6


def test_breaks_that_are_far_apart_are_stretches_of_their_own() -> None:
    times = np.arange(round(30.0 * RATE) + 1) / RATE
    bumps = sum(np.exp(-(((times - when) / 0.1) ** 2)) for when in (5.0, 15.0, 25.0))
    positions = np.zeros((len(times), 5))
    positions[:, 0] = 1.4 * bumps
    names = an.load_character("lamp").coordinate_names
    found = solved("lamp", an.Clip(times, names, positions))
    assert len(found.stretches) == 3
    for (start, end), when in zip(found.stretches, (5.0, 15.0, 25.0), strict=True):
        assert start < when < end and end - start < 6.0
    first, second = (found.clip.positions[round(when * RATE) - 20 : round(when * RATE) + 21] for when in (5.0, 15.0))
    np.testing.assert_allclose(first, second, atol=1e-4)  # the same break, the same answer

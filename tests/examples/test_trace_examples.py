"""Every example of trace, with its number."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.loading.clips import load_clip
from animato.trace.timing.limit_shares import shares_between

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _main(name: str) -> Any:
    return runpy.run_path(str(EXAMPLES / f"trace_{name}.py"))["main"]


def test_hello_is_written_with_its_rhythm(tmp_path: Path) -> None:
    traced = _main("hello")(tmp_path)
    assert abs(traced.problem.sketch.length - 3.68) < 2e-3 and traced.problem.sketch.duration == 12.13
    assert traced.deviations.mean() < 0.5e-3
    assert traced.tempo < 1.002 and traced.timing_error < 0.005
    assert traced.scaling.gap < 0.005
    assert max(shares_between(traced.problem.character, traced.path, traced.scaling).values()) <= 1.0 + 1e-6
    assert load_clip(tmp_path / "hello.npz").duration > 12.0
    assert "hello, performed by arm6" in (tmp_path / "hello.html").read_text()


def test_hello_on_an_industrial_arm(tmp_path: Path, shared_data: Path) -> None:
    traced = _main("hello")(tmp_path, str(shared_data / "robots" / "tx90l" / "tx90l.urdf"), "tool0")
    assert traced.deviations.mean() < 1e-3 and traced.tempo < 1.05 and traced.scaling.gap < 0.005
    assert max(shares_between(traced.problem.character, traced.path, traced.scaling).values()) <= 1.0 + 1e-6


def test_the_hammer_strikes_the_truer_the_more_its_timing_counts(tmp_path: Path) -> None:
    alike = list(_main("hammer")(tmp_path).values())
    assert np.all(np.diff(alike) > 0.0)
    assert alike[-1] > 0.6


def test_the_golf_swing_gets_slower_and_truer(tmp_path: Path) -> None:
    swings = _main("golf")(tmp_path)
    free = swings[:-1]
    durations = np.array([one.scaling.duration for one in free])
    errors = np.array([one.timing_error / one.scaling.duration for one in free])
    assert np.all(np.diff(durations) > 0.0) and np.all(np.diff(errors) < 0.0)
    assert errors[-1] < 0.005
    assert swings[-1].tempo >= 1.0
    for one in swings:
        assert one.deviations.mean() < 2e-3
        assert one.scaling.gap < 0.005
        assert max(one.scaling.worst_shares.values()) <= 1.0 + 1e-6


def test_a_captured_swing(tmp_path: Path, shared_data: Path) -> None:
    swings = _main("golf")(tmp_path, str(shared_data / "clips" / "63_01.bvh"))
    free, locked = swings[:-1], swings[-1]
    durations = np.array([one.scaling.duration for one in free])
    errors = np.array([one.timing_error / one.scaling.duration for one in free])
    assert np.all(np.diff(durations) > 0.0) and np.all(np.diff(errors) < 0.0)
    assert locked.deviations.mean() < 0.01 and locked.timing_error < 0.1
    for one in swings:
        assert one.scaling.outcome.solved and one.scaling.gap < 0.005
        assert max(one.scaling.worst_shares.values()) <= 1.0 + 1e-6


def test_smoother_paths_are_farther_away_and_faster(tmp_path: Path) -> None:
    traces = _main("planar")(tmp_path)
    assert np.all(np.diff([one.deviations.mean() for one in traces]) > 0.0)
    assert np.all(np.diff([one.scaling.duration for one in traces]) < 0.0)
    assert all(one.scaling.gap < 0.005 for one in traces)


def test_the_robot_follows_live(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = _main("live")(tmp_path / "live.npz", 3.0)
    assert figures.kept == 0 and figures.updates > 100 and figures.notes == ()
    assert "after the pen" in capsys.readouterr().out
    assert load_clip(tmp_path / "live.npz").duration > 3.0

"""What other verbs and editors write, `fix` takes; what it writes, others take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.character import Limits
from animato.express.filter import follow
from animato.mechanics.limits import LIMIT_KINDS, limit_usage
from tests.mimic_solved import pico, solved


def test_an_editors_table_is_fixed_and_has_no_findings(tmp_path: Path) -> None:
    """Degrees and frames as an animator exports them; the answer is saved, loaded and checked."""
    look, lamp = an.load_clip("lamp_look"), an.load_character("lamp")
    quick = an.Clip(look.times / 2.5, look.names, 1.1 * look.positions)
    an.save(tmp_path / "editor.csv", quick)
    found = an.fix.solve(an.fix.build("lamp", tmp_path / "editor.csv"))
    assert an.check(lamp, found.problem.clip).findings
    assert found.outcome.usable
    for suffix in ("csv", "npz"):
        an.save(tmp_path / f"fixed.{suffix}", found.clip)
        again = an.load_clip(tmp_path / f"fixed.{suffix}", lamp)
        assert not an.check(lamp, again).findings
        once_more = an.fix.solve(an.fix.build(lamp, again))
        np.testing.assert_allclose(once_more.clip.positions, found.clip.positions, atol=1e-6)


def test_what_mimic_made_is_fixed_on_its_soles() -> None:
    """A step of a person, played quicker than pico can: arms and head give way, its feet stay on the floor."""
    clip = solved("stand").clip
    times = np.asarray(clip.times)
    wave = 0.9 * np.sin(2.0 * np.pi * 2.5 * times) * np.sin(np.pi * times / times[-1]) ** 2
    positions = np.array(clip.positions)
    positions[:, clip.names.index("right_shoulder_pitch")] += wave
    quick = an.Clip(times, clip.names, positions, clip.base_positions, clip.base_quaternions_wxyz)
    found = an.fix.solve(an.fix.build(pico(), quick))
    assert max(found.before.peak(kind) for kind in LIMIT_KINDS) > 1.05
    assert found.outcome.usable, found.outcome.reason
    usage = limit_usage(pico(), found.clip, oversampling=50)
    assert max(usage.peak(kind) for kind in LIMIT_KINDS) <= 1.0 + 1e-6
    assert found.clip.base_positions is not None and quick.base_positions is not None
    assert np.abs(found.clip.base_positions - quick.base_positions).max() < 0.05


def test_steady_takes_what_fix_made() -> None:
    """A lean that the motor is too slow for: first within its limits, then without the ringing."""
    rod, times = an.load_character("rod"), np.linspace(0.0, 1.0, 101)
    lean = np.radians(30) * (times > 0.35)
    wanted = an.Clip(times, ("motor",), lean[:, None])
    found = an.fix.solve(an.fix.build(rod, wanted))
    assert found.before.peak("velocity") > 1.5 and found.outcome.usable
    assert limit_usage(rod, found.clip, oversampling=50).holds
    steadied = an.steady.solve(an.steady.build(rod, found.clip, an.steady.Options(step_s=4e-3), tracked=("ball",)))
    assert steadied.peak_after < steadied.peak_before


@pytest.mark.parametrize("ends", [(0, None), (13, -11)])
def test_what_a_motion_filter_made_stays(ends: tuple[int, int | None]) -> None:
    """It is at its limits all the time, and cut off in full motion."""
    limits = Limits(-1.2, 1.2, velocity=2.0, acceleration=10.0, jerk=100.0)
    body = an.character.Body("arm", mass=0.1, inertia=(1e-4, 1e-4, 1e-4, 0.0, 0.0, 0.0))
    joint = an.character.Joint("turn", an.character.JointType.REVOLUTE, "base", "arm", stated_limits=(limits,))
    hold = an.character.Joint("hold", an.character.JointType.GROUND, "world", "base")
    character = an.Character("one", (an.character.Body("base", mass=1.0), body), (hold, joint))
    goals = np.random.default_rng(1).uniform(-1.0, 1.0, (8, 1))
    motion = follow([limits], 50.0, np.repeat(goals, 12, axis=0))
    part = slice(*ends)
    clip = an.Clip(np.arange(len(motion.positions))[part] / 50.0, ("turn",), motion.positions[part])
    assert limit_usage(character, clip).holds
    found = an.fix.solve(an.fix.build(character, clip))
    assert found.outcome.usable
    np.testing.assert_allclose(found.clip.positions, clip.positions, atol=1e-6)

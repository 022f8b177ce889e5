from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from animato.character import Character
from animato.cli import run
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.express.loop import Command
from animato.formats import load_character
from animato.formats.character_yaml import with_servo_map
from animato.motion import Clip, Posture
from animato.stage.lines import DryLine
from animato.stage.playing import LiveStage, Options, Plan, build_plan, play, with_ports
from animato.stage.rig import rig_of
from tests.stage_builders import LAMP_SERVOS


@pytest.fixture
def servos(tmp_path: Path) -> Path:
    path = tmp_path / "servos.yaml"
    path.write_text(LAMP_SERVOS)
    return path


def _short() -> Clip:
    """A short look to the side."""
    times = np.linspace(0.0, 0.4, 21)
    look = 0.02 * (1.0 - np.cos(2.0 * np.pi * times / 0.4))
    return Clip(times, ("turn", "nod"), np.column_stack([look, look - 0.5]))


def test_a_clip_is_played_from_where_the_servos_stand_to_rest(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    line = DryLine(lamp.buses[0], start={1: 2100.0, 2: 2000.0})
    said: list[str] = []
    done = play(lamp, _short(), options=Options(), lines=[line], say=said.append, record=True)
    assert done.outcome.usable
    assert "rest" in done.outcome.reason
    assert line.words == ["prepare", "enable", "release", "close"]
    told = np.array([one for _, one in line.told])
    assert np.allclose(told[0], line.told[0][1])
    assert abs(told[0, 0] - 2100.0) < 1.0
    assert np.abs(np.diff(told, axis=0)).max() < 35.0  # no jump: a frame at top speed is more
    assert told[-1] == pytest.approx(done.plan.rig.told(_rest(lamp)), abs=0.5)
    assert done.told_lines()
    assert done.as_json()["usable"] is True


def test_nothing_moves_where_it_is_not_wanted(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    line = DryLine(lamp.buses[0])
    plans: list[Plan] = []

    def no(plan: Plan) -> bool:
        plans.append(plan)
        return False

    done = play(lamp, _short(), lines=[line], confirm=no)
    assert not done.outcome.usable
    assert line.words == ["prepare", "close"]
    assert "5 servos" in plans[0].lines()[0]


@pytest.mark.parametrize("anyway", [False, True])
def test_a_clip_out_of_range_is_refused_before_anything_is_opened(servos: Path, anyway: bool) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    line = DryLine(lamp.buses[0])
    clip = Clip(np.linspace(0.0, 2.0, 41), ("turn",), np.linspace(0.0, 2.5, 41)[:, None])
    with pytest.raises(MotionError, match=r"too much for lamp.*fix"):
        play(lamp, clip, lines=[line], options=Options(anyway=anyway))
    assert line.words == []


def test_without_a_ramp_it_must_stand_at_the_first_frame(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    with pytest.raises(OptionError, match=r"stands at .* begins at"):
        play(lamp, _short(), lines=[DryLine(lamp.buses[0], start={1: 2500.0})], options=Options(ramp=False))


def test_what_stands_outside_goes_back_in_and_what_cannot_tell_is_said(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    rig = rig_of(lamp)
    where = rig.read(np.array([3300.0, 2048.0, 2000.0, np.nan, 2048.0]))
    plan = build_plan(lamp, rig, _short(), where, Options())
    assert plan.outside == ("turn",)
    assert plan.unknown == ("nod",)
    assert plan.return_s() > 0.0
    assert any("cannot be excluded" in line for line in plan.lines())


def test_loops_come_back_to_the_start(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    rig = rig_of(lamp)
    times = np.linspace(0.0, 1.0, 51)
    clip = Clip(times, ("turn",), 0.2 * np.sin(0.5 * np.pi * times)[:, None])
    once = build_plan(lamp, rig, clip, np.zeros(5), Options())
    thrice = build_plan(lamp, rig, clip, np.zeros(5), Options(loops=3))
    assert thrice.performed_s > 3.0 * once.performed_s
    path = thrice.clip.spline(np.arange(0.0, thrice.clip.times[-1], 0.01))[:, thrice.clip.column("turn")]
    assert np.abs(np.diff(path)).max() < 0.05
    assert np.sum(np.diff(np.sign(path - 0.1)) > 0) == 3


def test_ports_are_given_by_bus(servos: Path) -> None:
    rig = rig_of(with_servo_map(load_character("lamp"), servos))
    assert with_ports(rig, "/dev/ttyACM3").buses[0].port == "/dev/ttyACM3"
    assert with_ports(rig, ("arm=COM4",)).buses[0].port == "COM4"
    with pytest.raises(UnknownNameError, match="leg"):
        with_ports(rig, "leg=COM4")


def test_commands_that_come_live_are_followed_and_end_at_rest(servos: Path) -> None:
    lamp = with_servo_map(load_character("lamp"), servos)
    line = DryLine(lamp.buses[0])
    said: list[str] = []
    with LiveStage(lamp, {"turn": 0.1}, 100.0, lines=[line], say=said.append) as stage:
        for n in range(20):
            stage(Command(0.01 * n, ("turn",), np.array([0.1 + 0.005 * n]), np.zeros(1), 0.0, False, ()))
            time.sleep(0.01)
    told = np.array([one for _, one in line.told])
    assert line.words == ["prepare", "enable", "release", "close"]
    assert told[:, 0].max() > 2048.0 + 0.15 * 652.0
    assert told[-1] == pytest.approx(rig_of(lamp).told(_rest(lamp)), abs=1.0)
    assert "torque is off" in said[-1]


def _rest(lamp: Character) -> np.ndarray:
    posture = Posture.named(lamp, "rest")
    return np.array([posture.value(name) for name in lamp.actuated_coordinate_names])


def test_the_command_plays_dry_and_refuses_what_is_swapped(
    servos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "clip.csv"
    clip.write_text("time,turn\n0,0\n0.1,0.001\n0.2,0.002\n0.3,0.002\n")
    assert run(["play", str(clip), "--robot", "lamp", "--servos", str(servos), "--to", "dry"]) == 0
    assert "turn (id 1 on 'arm')" in capsys.readouterr().err
    with pytest.raises(OptionError, match=r"animato play .*clip.csv --robot lamp"):
        run(["play", "lamp", str(clip)])

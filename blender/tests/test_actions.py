# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions go to animato and come back, and the editor never waits."""

import csv
import math
import time
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from animato_bridge import answers, jobs, operators
from animato_bridge.armature import channel_path
from animato_bridge.curves import ActionWriter, curves_of, new_action
from animato_bridge.errors import BridgeError
from animato_bridge.sampling import sample
from characters import FORWARD, written
from driving import asked_of_animato, finish, imported

SLICE_LIMIT_S = 0.05


def keyed(rig, told, values, first=1, name="artist", spread=1):
    """Puts keys of coordinates into a new action, which the armature then plays."""
    writer = ActionWriter(new_action(name), rig)
    for bone in told["bones"]:
        if bone["role"] in ("follower", "computed"):
            continue
        for channel in bone["channels"]:
            if channel["coordinate"] in values:
                numbers = channel["sign"] * np.array(values[channel["coordinate"]])
                frames = first + spread * np.arange(len(numbers))
                writer.write(channel_path(bone, channel), channel["index"], frames, numbers, group=bone["bone"])
    writer.assign()
    return writer.action


def sampled_now(rig, told, first, last):
    steps = sample(rig, told, bpy.context.scene, first, last)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


@pytest.mark.parametrize("name", ["lamp", "pico", "four_bar", "legs", "slider", "mixed"])
def test_an_action_comes_out_as_the_clip_that_went_in(name, tmp_path):
    character = written(name, tmp_path)
    rig, told = imported(character)
    values = asked_of_animato(FORWARD, character, 11)["values"]
    keyed(rig, told, values)
    found = sampled_now(rig, told, 1, 6)
    worst = 0.0
    for coordinate, column in zip(found.coordinates, found.values.T, strict=True):
        worst = max(worst, np.abs(_sign(coordinate, found, values) * column - values[coordinate]).max())
    print(f"{name}: coordinates to {worst:.1e}")
    assert worst < 1e-6


def _sign(coordinate, found, values):
    """-1 where a quaternion came back as its opposite, which is the same turn."""
    owner, dot, _ = coordinate.rpartition(".q")
    if not dot:
        return 1.0
    parts = [f"{owner}.q{letter}" for letter in "wxyz"]
    mine = np.column_stack([found.values[:, found.coordinates.index(part)] for part in parts])
    return np.sign(np.sum(mine * np.column_stack([values[part] for part in parts]), axis=1))


def test_whole_turns_are_not_lost(tmp_path):
    path = written("slider", tmp_path)
    path.write_text(path.read_text().replace("lower: -170 deg, upper: 100 deg, ", ""))
    rig, told = imported(path)
    turns = np.linspace(-9.0, 9.0, 30)
    keyed(rig, told, {"roll": turns})
    found = sampled_now(rig, told, 1, 30)
    assert np.abs(found.values[:, found.coordinates.index("roll")] - turns).max() < 2e-6  # of 9 rad, single precision


def test_frames_are_counted_with_the_base_of_the_rate(tmp_path):
    rig, told = imported("lamp")
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    keyed(rig, told, {"elbow": [0.1, 0.2, 0.3]}, first=5)
    bpy.ops.animato.export_clip(filepath=str(tmp_path / "out.csv"))
    job, _ = finish()
    assert not job.error, job.error
    lines = (tmp_path / "out.csv").read_text().splitlines()
    rows = [row for row in csv.reader(lines) if not row[0].startswith("#")]
    assert rows[0] == ["time [s]", "turn [rad]", "shoulder [rad]", "elbow [rad]", "nod [rad]", "tilt [rad]"]
    assert [float(row[0]) for row in rows[1:]] == [0.0, 1 / (30 / 1.001), 2 / (30 / 1.001)]
    assert np.allclose([float(row[3]) for row in rows[1:]], [0.1, 0.2, 0.3], atol=1e-6)


def shaken(rig, told, frames=48):
    """A motion that is too fast for the lamp, with a calm beginning."""
    time_s = np.arange(frames) / 24
    swing = np.where(time_s > 0.8, 0.9 * np.sin(2 * math.pi * 2.4 * (time_s - 0.8)), 0.0)
    return keyed(rig, told, {"turn": swing, "elbow": 0.5 + 0.1 * np.sin(time_s)})


def test_check_leaves_the_action_and_shows_heat_and_markers():
    rig, told = imported("lamp")
    action = shaken(rig, told)
    bpy.context.scene.timeline_markers.new("mine", frame=3)
    bpy.ops.animato.check()
    job, _ = finish()
    assert not job.error, job.error
    assert job.result["fits"] is False
    assert rig.animation_data.action == action
    marks = [marker for marker in bpy.context.scene.timeline_markers if marker.name != "mine"]
    assert marks
    assert all(marker.name.startswith("! turn") and marker.name.endswith("%") for marker in marks)
    assert all(marker.frame > 15 for marker in marks)
    heat = {curve.data_path: curve for curve in curves_of(rig.data.animation_data.action)}
    hot = heat['bones["turn"]["heat"]']
    assert hot.evaluate(5) < 0.5
    assert hot.evaluate(marks[0].frame) > 1.0
    bpy.context.scene.frame_set(marks[0].frame)
    seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert seen.data.bones["turn"]["heat"] > 1.0
    bone = tuple(seen.data.bones["turn"].color.custom.normal)
    table = next(one for one in bpy.data.objects if one.name.startswith("turntable"))
    hot_shape = tuple(table.evaluated_get(bpy.context.evaluated_depsgraph_get()).color)[:3]
    bpy.context.scene.frame_set(2)
    graph = bpy.context.evaluated_depsgraph_get()
    assert tuple(rig.evaluated_get(graph).data.bones["turn"].color.custom.normal) != bone
    assert tuple(table.evaluated_get(graph).color)[:3] != hot_shape
    bpy.ops.animato.clear_markers()
    assert [marker.name for marker in bpy.context.scene.timeline_markers] == ["mine"]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_fix_comes_back_as_a_new_action_that_fits(share):
    rig, told = imported("lamp")
    action = shaken(rig, told)
    bpy.context.scene.animato.time_share = share
    before = [curve.evaluate(30) for curve in curves_of(action)]
    bpy.ops.animato.fix()
    job, _ = finish()
    assert not job.error, job.error
    assert job.result["fits"] is True
    assert rig.animation_data.action.name == "artist.fixed"
    assert bpy.data.actions["artist"].use_fake_user
    assert [curve.evaluate(30) for curve in curves_of(bpy.data.actions["artist"])] == before
    assert not [marker for marker in bpy.context.scene.timeline_markers if marker.name.startswith("! ")]
    bpy.ops.animato.check()
    job, _ = finish()
    assert job.result["fits"] is True, job.result["sentence"]


def test_fix_protects_what_is_marked():
    rig, told = imported("lamp")
    bpy.context.scene.animato.time_share = 0.0
    shaken(rig, told)
    asked = sampled_now(rig, told, 1, 48)
    markers = bpy.context.scene.timeline_markers
    markers.new("keep the calm", frame=2)
    markers.new("end", frame=10)
    assert answers.protected(bpy.context.scene, 1, 24.0) == [f"{1 / 24:.6f}-{9 / 24:.6f}"]
    bpy.ops.animato.fix()
    job, _ = finish()
    assert not job.error, job.error
    found = sampled_now(rig, told, 1, 48)
    assert np.abs(found.values[1:10] - asked.values[1:10]).max() < 1e-6
    assert np.abs(found.values - asked.values).max() > 1e-3


def test_loops_come_back_closed():
    rig, told = imported("four_bar")
    keyed(rig, told, {"crank_axle": np.linspace(0.0, 0.6, 12)})
    bpy.ops.animato.check()
    job, _ = finish()
    assert not job.error, job.error
    assert rig.animation_data.action.name == "artist.closed"
    bpy.context.scene.frame_set(12)
    seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    names = list(job.result["coordinates"])
    for bone in told["bones"]:
        values = job.result["values"][-1, names.index(bone["channels"][0]["coordinate"])]
        assert abs(seen.pose.bones[bone["bone"]].rotation_euler[1] - values) < 1e-6
    assert abs(seen.pose.bones["rocker_axle"].rotation_euler[1]) > 0.05


def test_the_editor_never_waits():
    rig, told = imported("lamp")
    shaken(rig, told, frames=120)
    start = time.thread_time()
    assert bpy.ops.animato.check() == {"FINISHED"}
    assert time.thread_time() - start < SLICE_LIMIT_S
    assert bpy.app.timers.is_registered(jobs.timer)
    assert jobs.state.job.running
    job, longest = finish()
    print(f"longest tick {1e3 * longest:.0f} ms")
    assert not job.error, job.error
    assert longest < SLICE_LIMIT_S


def test_cancel_ends_the_program_and_its_files():
    import subprocess

    rig, told = imported("lamp")
    shaken(rig, told)
    started = []
    original = subprocess.Popen

    class Watched(original):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append((self, Path(options["cwd"])))

    subprocess.Popen = Watched
    try:
        bpy.ops.animato.fix()
        while not started:
            jobs.timer()
        with pytest.raises(RuntimeError, match="still running"):
            bpy.ops.animato.check()
        bpy.ops.animato.cancel()
    finally:
        subprocess.Popen = original
    process, folder = started[0]
    assert process.returncode is not None
    assert not folder.exists()
    assert jobs.timer() is None
    assert rig.animation_data.action.name == "artist"
    assert bpy.context.scene.frame_current == 1


def test_what_cannot_be_done_is_said_in_animatos_words(monkeypatch, tmp_path):
    rig, told = imported("lamp")
    bpy.ops.animato.check()
    assert "has no action" in finish()[0].error
    shaken(rig, told)
    rig.scale = (2.0, 2.0, 2.0)
    bpy.ops.animato.check()
    assert "is scaled" in finish()[0].error
    rig.scale = (1.0, 1.0, 1.0)
    path = written("slider", tmp_path)
    rig, told = imported(path)
    keyed(rig, told, {"slide": [0.0, 0.1]})
    path.unlink()
    bpy.ops.animato.check()
    assert "slider.yaml" in finish()[0].error
    monkeypatch.setenv("ANIMATO", str(tmp_path / "nothing"))
    bpy.ops.animato.check()
    assert "preferences" in finish()[0].error


class _Window:
    """As much of a context with a window as the operator that attends to a job asks for."""

    def __init__(self):
        self.window_manager = self.workspace = self
        self.screen = None
        self.texts, self.timers = [], 0

    def status_text_set(self, text):
        self.texts.append(text)

    def event_timer_remove(self, timer):
        self.timers -= 1


@pytest.mark.parametrize("how", ["runs", "fails", "esc"])
def test_with_a_window_an_operator_attends_and_reports(how, monkeypatch):
    editor = SimpleNamespace(undo_push=lambda **_: None)
    monkeypatch.setattr(operators, "bpy", SimpleNamespace(ops=SimpleNamespace(ed=editor)))

    def steps():
        yield jobs.Waiting("counting")
        if how == "fails":
            raise BridgeError("It is too dark.")
        yield jobs.Waiting("counting on")
        jobs.state.said = ("All well.",)

    window, reports = _Window(), []
    attending = SimpleNamespace(
        job=jobs.start("count", steps()), timer=1, report=lambda kind, text: reports.append((kind, text))
    )

    def modal(kind):
        event = SimpleNamespace(type=kind, value="PRESS")
        return operators.ANIMATO_OT_attend.modal(attending, window, event)

    assert modal("MOUSEMOVE") == {"PASS_THROUGH"}
    assert window.texts == []
    assert modal("TIMER") == {"PASS_THROUGH"}
    assert "counting" in window.texts[-1]
    if how == "esc":
        assert modal("ESC") == {"FINISHED"}
    else:
        while modal("TIMER") != {"FINISHED"}:
            pass
    ends = {
        "runs": ("INFO", "All well."),
        "fails": ("ERROR", "It is too dark."),
        "esc": ("INFO", "count: cancelled"),
    }
    kind, sentence = ends[how]
    assert reports == [({kind}, sentence)]
    assert window.texts[-1] is None

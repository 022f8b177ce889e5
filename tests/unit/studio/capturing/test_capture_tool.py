"""Captures are opened, corrected and brought onto the robot; every step can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.formats import save_motion
from animato.studio.capturing import Captured, CaptureTool
from animato.studio.desk import Desk
from animato.studio.document import Take
from animato.studio.workers import Inline
from tests.person_builders import points_of, stick_figure
from tests.studio_builders import FakePage, ask, document_of
from tests.unit.formats.capture.test_glb import GlbBuilder

WAVE = "person_wave"


def desk_of(character: str, folder: Path | None = None) -> tuple[Desk, FakePage]:
    desk, page = Desk(document_of(character), folder=folder), FakePage()
    desk.equip([CaptureTool(desk, Inline())])
    desk.join(page)
    desk.run_due()
    return desk, page


def take_of(desk: Desk) -> tuple[Take, Captured]:
    take = desk.document.open_take
    assert take is not None and isinstance(take.source, Captured)
    return take, take.source


@pytest.fixture
def opened() -> tuple[Desk, FakePage]:
    """Pico, and the first 0.7 s of a person that waves."""
    desk, page = desk_of("pico")
    assert "error" not in ask(desk, page, "capture.open", file=WAVE)
    assert "error" not in ask(desk, page, "capture.range", start=0.0, end=0.7)
    return desk, page


def test_the_robot_follows_as_soon_as_a_capture_is_open(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    take, source = take_of(desk)
    assert take.name == WAVE and take.motion is not None
    assert take.motion.duration == pytest.approx(0.7, abs=0.04)
    assert source.pace[0] == (0.0, 0.0)
    told = page.last("capture")
    assert told["take"] == WAVE and not told["trouble"] and told["span"] == [0.0, 4.5]
    wrist = next(one for one in told["parts"] if one["name"] == "left_wrist")
    assert wrist["sources"] == ["LeftHand"] and wrist["known"] and not wrist["said"]
    assert desk.document.character.bodies[wrist["body"]].name == "left_forearm"
    frames, landmarks = len(told["arrays"]["times"]), len(told["names"])
    assert told["arrays"]["places"].shape == told["arrays"]["goals"].shape == (frames, landmarks, 3)
    assert {one["part"] for one in told["contacts"]} == {"left heel", "left toe", "right heel", "right toe"}


def test_landmarks_are_shown_on_the_bones_that_they_are_made_from(opened: tuple[Desk, FakePage]) -> None:
    _, page = opened
    told = page.last("capture")
    names, bones, arrays = told["names"], told["bones"], told["arrays"]
    for part in told["parts"]:
        if len(part["sources"]) == 1:
            landmark = arrays["places"][:, names.index(part["name"])]
            bone = arrays["bone_places"][:, bones.index(part["sources"][0])]
            assert np.abs(landmark - bone).max() < 1e-3


def test_who_is_who_is_corrected_by_hand(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    before = take_of(desk)[0].motion
    ask(desk, page, "capture.map", part="left_wrist", person=["LeftForeArm", "LeftHand"])
    ask(desk, page, "capture.map", part="left_wrist", body="left_forearm", at=[0.0, 0.0, -0.05])
    _, source = take_of(desk)
    assert source.person["left_wrist"] == ("LeftForeArm", "LeftHand")
    assert source.robot["left_wrist"] == ("left_forearm", (0.0, 0.0, -0.05))
    wrist = next(one for one in page.last("capture")["parts"] if one["name"] == "left_wrist")
    assert wrist["said"] and wrist["placed"] and wrist["sources"] == ["LeftForeArm", "LeftHand"]
    ask(desk, page, "capture.map", part="left_wrist", person=["Head"])  # the forearm points at the head then
    after = take_of(desk)[0].motion
    assert after is not None and before is not None
    assert np.abs(after.positions - before.positions).max() > 0.5
    ask(desk, page, "capture.map", part="left_wrist", found="all")
    assert not take_of(desk)[1].person and not take_of(desk)[1].robot


def test_a_contact_is_edited_and_the_foot_leaves_the_floor(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    for part in ("left heel", "left toe"):
        ask(desk, page, "capture.contacts", part=part, intervals=[[0.0, 0.2]], gesture="one")
    told = {one["part"]: one for one in page.last("capture")["contacts"]}
    assert told["left toe"]["planted"] == [[0.0, 0.2]] and told["left toe"]["edited"]
    assert not told["right toe"]["edited"]
    ask(desk, page, "capture.contacts", foot="left", intervals=None)
    assert not take_of(desk)[1].contacts


def test_in_balance_when_it_is_asked_for_and_undone(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    following = take_of(desk)[0].motion
    assert "job" in ask(desk, page, "capture.solve")
    take, source = take_of(desk)
    assert take.motion is not None and take.motion is not following
    assert source.plain is not None and "in balance" in take.remark
    assert page.last("capture.plain")["frames"] > 0
    assert page.last("toast")["kind"] == "good"
    check = an.check(desk.document.character, take.motion)
    assert check.usage.peak("torque") < 1.0 and check.usage.peak("position") < 1.001
    ask(desk, page, "undo")
    assert take_of(desk)[0].motion is following and take_of(desk)[1].plain is None
    assert page.last("capture.plain")["frames"] == 0
    ask(desk, page, "undo")  # the part of the file
    ask(desk, page, "undo")  # the capture
    assert desk.document.open_take is None
    assert page.sent[-1].get("say") == "capture.none" or page.told("capture.none")


def test_speed_and_mirror(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    plain = page.last("capture")["arrays"]["places"]
    names = page.last("capture")["names"]
    ask(desk, page, "capture.contacts", part="left heel", intervals=[[0.0, 0.3]])
    ask(desk, page, "capture.option", name="speed", value=0.5)
    take, source = take_of(desk)
    assert take.motion is not None and take.motion.duration == pytest.approx(1.4, abs=0.07)
    assert source.pace[-1][1] == pytest.approx(0.5 * source.pace[-1][0], abs=1e-6)
    ask(desk, page, "capture.option", name="speed", value=1.0)
    ask(desk, page, "capture.option", name="mirror", value=True)
    assert set(take_of(desk)[1].contacts) == {"right heel"}
    told = page.last("capture")
    left, right = (plain[:, names.index(f"{side}_wrist"), 2] for side in ("left", "right"))
    mirrored = told["arrays"]["places"][:, told["names"].index("left_wrist"), 2]
    assert np.abs(mirrored - right).max() < 1e-4 < np.abs(left - right).max()
    wrist = next(one for one in told["parts"] if one["name"] == "left_wrist")
    assert wrist["sources"] == ["RightHand"]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("capture.open", {"file": "captures/none.bvh"}, "no file"),
    ("capture.open", {"file": "../secret.bvh"}, "project's folder"),
    ("capture.map", {"part": "tail"}, "tail"),
    ("capture.map", {"part": "left_wrist", "person": ["Tail"]}, "Tail"),
    ("capture.map", {"part": "left_wrist", "body": "tail", "at": [0, 0, 0]}, "tail"),
    ("capture.contacts", {"part": "nose", "intervals": []}, "nose"),
    ("capture.contacts", {"part": "left heel", "intervals": [[0, "x"]]}, "intervals"),
    ("capture.range", {"start": 1.0, "end": 1.1}, "0.3 s"),
    ("capture.option", {"name": "speed", "value": 0}, "from 0.1"),
    ("capture.option", {"name": "haste", "value": 1}, "haste"),
]


def test_what_cannot_be_is_refused(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    before = desk.document
    for do, fields, words in REFUSED:
        assert words in ask(desk, page, do, **fields)["error"]
        assert desk.document is before


def test_without_a_capture_there_is_nothing_to_correct() -> None:
    desk, page = desk_of("pico")
    for do in ("capture.solve", "capture.transfer", "capture.map", "capture.contacts"):
        assert "No capture is open" in ask(desk, page, do)["error"]


def test_a_robot_that_is_no_humanoid_says_so_and_takes_over_angles(tmp_path: Path) -> None:
    save_motion(tmp_path / "desk.bvh", stick_figure({"left_shoulder": "shoulder", "left_elbow": "elbow"}))
    desk, page = desk_of("lamp", tmp_path)
    ask(desk, page, "capture.open", file="desk.bvh")
    told = page.last("capture")
    assert "held in the world" in told["trouble"] and told["arrays"]["bone_places"].size
    assert "held in the world" in ask(desk, page, "capture.solve")["error"]
    assert take_of(desk)[0].motion is None
    ask(desk, page, "capture.transfer")
    take, _ = take_of(desk)
    assert take.motion is not None and {"shoulder", "elbow"} <= set(take.motion.names)
    assert np.ptp(take.motion.selected(["shoulder"]).positions) > 0.1


def test_bones_are_chosen_for_joints_where_names_do_not_tell() -> None:
    desk, page = desk_of("arm6")
    ask(desk, page, "capture.open", file=WAVE)
    trouble = page.last("capture")["trouble"]
    assert trouble == "'arm6' is held in the world; a robot that walks floats."
    ask(desk, page, "capture.transfer")
    assert "Choose below" in page.last("toast")["words"] and take_of(desk)[0].motion is None
    assert "tail" in ask(desk, page, "capture.joint", joint="shoulder", bone="tail")["error"]
    ask(desk, page, "capture.joint", joint="shoulder", bone="RightArm")
    take, source = take_of(desk)
    assert source.joints == {"shoulder": "RightArm"} and take.motion is not None
    assert np.ptp(take.motion.selected(["shoulder"]).positions) > 0.1
    ask(desk, page, "undo")
    assert take_of(desk)[0].motion is None


def test_a_person_that_is_not_found_can_be_named_bone_by_bone(tmp_path: Path) -> None:
    odd = {name: f"b{n}" for n, name in enumerate(("left_hip", "left_knee", "left_ankle"))}
    figure = stick_figure({**odd, "right_hip": ""}, frames=50)
    save_motion(tmp_path / "one_leg.bvh", figure)
    desk, page = desk_of("pico", tmp_path)
    ask(desk, page, "capture.open", file="one_leg.bvh")
    told = page.last("capture")
    assert "legs" in told["trouble"] and "`sources`" not in told["trouble"]
    assert told["names"] == [] and len(told["bones"]) == len(figure.names)


def test_a_file_that_is_no_capture_becomes_no_take(tmp_path: Path) -> None:
    (tmp_path / "no.bvh").write_text("not a capture")
    desk, page = desk_of("pico", tmp_path)
    ask(desk, page, "capture.open", file="no.bvh")
    assert not desk.document.takes and page.last("toast")["kind"] == "bad"


def _trc(place: Path) -> None:
    markers = points_of(stick_figure(frames=60))
    names = "\t\t\t".join(markers.names)
    rows = [
        f"{n + 1}\t{time:.5f}\t" + "\t".join(f"{1000 * value:.3f}" for value in row.ravel())
        for n, (time, row) in enumerate(zip(markers.times, markers.positions, strict=True))
    ]
    head = f"60\t60\t{len(rows)}\t{len(markers.names)}\tmm\t60\t1\t{len(rows)}"
    keys = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
    axes = "\t".join(f"X{n + 1}\tY{n + 1}\tZ{n + 1}" for n in range(len(markers.names)))
    lines = ["PathFileType\t4\t(X/Y/Z)\ta.trc", keys, head, f"Frame#\tTime\t{names}\t\t", f"\t\t{axes}", "", *rows]
    place.write_text("\n".join(lines) + "\n")


def _c3d(place: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    markers = points_of(stick_figure(frames=60))
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [60.0]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["LABELS"]["value"] = list(markers.names)
    points = 1000.0 * markers.positions
    file["data"]["points"] = np.concatenate([points.transpose(2, 1, 0), np.ones((1, *points.shape[1::-1]))])
    file.write(str(place))


def _glb(place: Path) -> None:
    figure, file = stick_figure(frames=60), GlbBuilder()
    nodes: list[dict[str, Any]] = [
        {
            "name": name,
            "translation": offset.tolist(),
            "children": [n for n, above in enumerate(figure.parents) if above == bone],
        }
        for bone, (name, offset) in enumerate(zip(figure.names, figure.offsets, strict=True))
    ]
    for bone in range(len(nodes)):
        file.keys(bone, "rotation", figure.times.tolist(), figure.rotations_wxyz[:, bone][:, [1, 2, 3, 0]])
    half = 0.5**0.5  # y is up in these files
    nodes.append({"name": "upright", "rotation": [-half, 0.0, 0.0, half], "children": [0]})
    place.write_bytes(file.written([{k: v for k, v in node.items() if v != []} for node in nodes]))


def _bvh(place: Path) -> None:
    save_motion(place, stick_figure(frames=60))


@pytest.mark.parametrize(("name", "write"), [("a.bvh", _bvh), ("a.glb", _glb), ("a.trc", _trc), ("a.c3d", _c3d)])
def test_files_of_all_kinds(tmp_path: Path, name: str, write: object) -> None:
    assert callable(write)
    write(tmp_path / name)
    desk, page = desk_of("pico", tmp_path)
    ask(desk, page, "capture.open", file=name)
    told = page.last("capture")
    take, _ = take_of(desk)
    assert not told["trouble"] and take.motion is not None, told["trouble"] or take.remark
    assert {"pelvis", "left_wrist", "right_toe"} <= set(told["names"])
    assert take.motion.duration == pytest.approx(59 / 60, abs=0.05)


def test_a_page_that_comes_later_sees_the_same(opened: tuple[Desk, FakePage]) -> None:
    desk, page = opened
    late = FakePage("two")
    desk.join(late)
    desk.run_due()
    assert np.array_equal(late.last("capture")["arrays"]["places"], page.last("capture")["arrays"]["places"])

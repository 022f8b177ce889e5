"""The posing tool at a desk without a thread."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

from animato.formats import load_character
from animato.motion import Posture
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.keys import Keyed, KeyTool
from animato.studio.posing import PoseTool
from animato.studio.watching import rest_clip
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


class Bench:
    """A desk with the tool, and one page that asks."""

    def __init__(self, character: str) -> None:
        self.desk = Desk(Document(load_character(character), character))
        self.tool = PoseTool(self.desk, Inline())
        self.desk.equip([KeyTool(self.desk, Inline()), self.tool])
        self.page = FakePage()
        self.desk.join(self.page)
        self.tool.wait()
        self.desk.run_due()

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.desk.answer(self.page, json.dumps({"do": do, "id": 1, **fields}))
        return next(one for one in reversed(self.page.sent) if "re" in one)

    def body(self, name: str) -> int:
        return [one.name for one in self.desk.document.character.bodies].index(name)


@pytest.fixture
def arm() -> Bench:
    bench = Bench("arm6")
    bench.ask("pose.set", posture="write", time=0.0)
    return bench


def test_says_when_it_is_ready_and_what_can_be_moved(arm: Bench) -> None:
    told = arm.tool.state()
    assert told["ready"] and told["driven"] == list(arm.desk.document.character.coordinate_names) and not told["root"]


def test_a_drag_is_shown_and_becomes_one_key(arm: Bench) -> None:
    body = arm.body("flange")
    begin = arm.page.last("pose")["poses"][body, :3]
    for n in range(10):
        target = (begin + np.array([0.0, 0.005 * n, 0.0])).tolist()
        arm.ask("pose.drag", body=body, local=[0, 0, 0], target=target, time=1.0, gesture="g1")
    assert not arm.desk.history.undo_label
    assert arm.ask("pose.done", time=1.0, key=True)["keyed"]
    shown = arm.page.last("pose")
    np.testing.assert_allclose(shown["poses"][body, :3], target, atol=1e-4)
    source = arm.desk.document.open_take.source  # type: ignore[union-attr]
    assert isinstance(source, Keyed) and [key.time for key in source.keys] == [1.0]
    np.testing.assert_allclose(source.keys[0].pose, shown["coordinates"], atol=1e-6)
    arm.ask("undo")
    assert arm.desk.document.open_take is None and not arm.desk.history.undo_label


def test_a_figure_that_lags_goes_on_by_itself(arm: Bench) -> None:
    body = arm.body("flange")
    target = (arm.page.last("pose")["poses"][body, :3] + [0.0, 0.5, 0.2]).tolist()
    arm.ask("pose.drag", body="flange", target=target, time=0.0, gesture="g")
    first = arm.page.last("pose")["coordinates"]
    assert arm.tool._hand is not None and not arm.tool._hand.still
    arm.tool._gone_on()
    assert np.abs(arm.page.last("pose")["coordinates"] - first).max() > 1e-3


def test_a_joint_stops_at_its_limit_and_that_is_told(arm: Bench) -> None:
    upper = arm.desk.document.character.joint("elbow").limits[0].range[1]
    assert arm.ask("pose.joint", name="elbow", value=99.0, time=0.0)["value"] == upper
    assert "elbow" in arm.page.last("pose")["at_limits"]
    assert "elbw" in arm.ask("pose.joint", name="elbw", value=0.0)["error"]


def test_postures_are_kept_set_and_forgotten(arm: Bench) -> None:
    arm.ask("pose.joint", name="elbow", value=0.3, time=0.0)
    assert arm.ask("pose.keep", name="  my   pose ")["name"] == "my pose"
    kept = arm.desk.document.postures["my pose"]
    assert kept.value("elbow") == pytest.approx(0.3)
    arm.ask("pose.reset")
    assert np.allclose(arm.page.last("pose")["coordinates"], 0.0)
    arm.ask("pose.set", posture="my pose")
    np.testing.assert_allclose(arm.page.last("pose")["coordinates"], kept.positions, atol=1e-6)
    assert "character itself" in arm.ask("pose.keep", name="write")["error"]
    arm.ask("pose.forget", name="my pose")
    assert not arm.desk.document.postures
    assert "error" in arm.ask("pose.forget", name="my pose")
    assert "error" in arm.ask("pose.root", by=[1, 0, 0])  # held on the ground


def test_what_floats_is_moved_as_a_whole_and_keeps_its_root_in_the_key() -> None:
    bench = Bench("pico")
    bench.ask("pose.set", posture="stand", time=0.0)
    begin = bench.page.last("pose")["poses"]
    for x in (0.1, 0.2):
        bench.ask("pose.root", by=[x, 0, 0], gesture="r", time=0.0)
    np.testing.assert_allclose(bench.page.last("pose")["poses"][:, 0] - begin[:, 0], 0.2, atol=1e-6)
    bench.ask("pose.done", key=True, time=0.0)
    source = bench.desk.document.open_take.source  # type: ignore[union-attr]
    assert isinstance(source, Keyed) and source.keys[0].root is not None
    rest = rest_clip(bench.desk.document.character).base_positions
    assert rest is not None and source.base.base_positions is not None
    np.testing.assert_allclose(source.base.base_positions, np.tile(rest, (source.base.frame_count, 1)))  # on the floor


def test_mirrored_twice_is_as_before() -> None:
    bench = Bench("pico")
    bench.ask("pose.set", posture="hello", time=0.0)
    begin = bench.page.last("pose")
    bench.ask("pose.mirror")
    assert np.abs(bench.page.last("pose")["coordinates"] - begin["coordinates"]).max() > 0.1
    bench.ask("pose.mirror")
    np.testing.assert_allclose(bench.page.last("pose")["poses"], begin["poses"], atol=1e-5)


def test_pins_come_and_go() -> None:
    bench = Bench("pico")
    head = bench.body("head")
    assert [one["body"] for one in bench.ask("pose.pin", body="head", local=[0, 0, 0.01])["pins"]] == [head]
    assert bench.ask("pose.pin", body=head)["pins"] == []
    bench.ask("pose.pin", body=head)
    assert bench.ask("pose.pin", all=True)["pins"] == []


def test_what_follows_cannot_be_set_and_motors_move_all_of_it() -> None:
    bench = Bench("four_bar")
    names = bench.desk.document.character.coordinate_names
    (motor,) = bench.tool.state()["driven"]
    follower = next(name for name in names if name != motor)
    assert "follows others" in bench.ask("pose.joint", name=follower, value=0.1)["error"]
    bench.ask("pose.joint", name=motor, value=0.2, time=0.0)
    one = bench.page.last("pose")["coordinates"]
    bench.ask("pose.joint", name=motor, value=0.4, time=0.0)
    other = bench.page.last("pose")["coordinates"]
    assert np.all(np.abs(other - one) > 1e-3)


def test_wrong_messages_are_refused_with_a_sentence(arm: Bench) -> None:
    for fields in ({"body": 99}, {"body": "nobody"}, {"body": 1, "target": [0, 0]}, {"body": 1, "target": ["x", 0, 0]}):
        assert "error" in arm.ask("pose.drag", gesture="bad", **fields)
    assert Posture.named(arm.desk.document.character, "write").value("elbow") == pytest.approx(
        arm.page.last("pose")["coordinates"][2], abs=1e-6
    )


def test_whoever_comes_sees_the_pose_that_is_being_made(arm: Bench) -> None:
    arm.ask("pose.joint", name=arm.desk.document.character.coordinate_names[0], value=0.3, time=0.0)
    other = FakePage("two")
    arm.desk.join(other)
    arm.desk.run_due()
    assert np.array_equal(other.last("pose")["poses"], arm.page.last("pose")["poses"])


def test_a_page_that_goes_in_the_middle_of_a_drag_holds_nothing(arm: Bench) -> None:
    arm.ask("pose.drag", body=arm.body("flange"), target=[9.0, 9.0, 9.0], time=0.0, gesture="g1")
    arm.desk.leave(arm.page)
    watcher = FakePage("two")
    arm.desk.join(watcher)
    for _ in range(3):
        time.sleep(0.02)
        arm.desk.run_due()
    assert len(watcher.told("pose")) == 1  # where it was left, and no more

"""The looking tool at a desk without a thread."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from animato.formats import load_character
from animato.mechanics.limits import limit_usage
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.facing import FaceTool, build_gaze
from animato.studio.facing.choosing import posture_named
from animato.studio.keys import Keyed
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


class Bench:
    """A desk with the tool, and one page that asks."""

    def __init__(self, character: str) -> None:
        self.desk = Desk(Document(load_character(character), character))
        self.tool = FaceTool(self.desk, Inline())
        self.desk.equip([self.tool])
        self.page = FakePage()
        self.desk.join(self.page)
        self.desk.run_due()

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.desk.answer(self.page, json.dumps({"do": do, "id": 1, **fields}))
        return next(one for one in reversed(self.page.sent) if "re" in one)

    def start(self, **fields: Any) -> dict[str, Any]:
        told = self.ask("face.start", **fields)
        self.tool.wait()
        self.desk.run_due()
        return told


@pytest.fixture
def lamp() -> Iterator[Bench]:
    bench = Bench("lamp")
    yield bench
    bench.tool.close()


def test_it_looks_is_shown_and_is_recorded(lamp: Bench) -> None:
    lamp.start(posture="curious")
    gaze = lamp.tool._gaze
    assert gaze is not None and lamp.tool.state()["on"]
    gaze.stop()  # from here on it is stepped by hand
    lamp.ask("face.target", place=[0.6, 0.4, 0.3])
    lamp.ask("face.record", on=True)
    for _ in range(300):
        gaze.step()
    lamp.tool._show()
    assert len(lamp.page.told("pose")) == 1 and lamp.tool.state()["off_rad"] < np.radians(1.0)
    told = lamp.ask("face.record", on=False)
    take = lamp.desk.document.open_take
    assert not told["recording"] and take is not None and isinstance(take.source, Keyed)
    assert take.motion is not None and take.motion.duration == pytest.approx(3.0)
    assert limit_usage(lamp.desk.document.character, take.motion).holds
    assert lamp.desk.history.undo_label == "look recorded"


def test_postures_idle_and_manner_change_while_it_looks(lamp: Bench) -> None:
    lamp.start(posture="curious")
    gaze = lamp.tool._gaze
    assert gaze is not None
    gaze.stop()
    lamp.ask("face.target", place=[0.6, 0.1, 0.3])
    for do, fields in (
        ("face.posture", {"name": "sad"}),
        ("face.idle", {"on": True}),
        ("face.manner", {"smoothness": 0.5, "overshoot": 0.2}),
    ):
        assert "error" not in lamp.ask(do, **fields)
    before = gaze.now.coordinates
    for _ in range(200):
        gaze.step()
    state = lamp.tool.state()
    assert np.abs(gaze.now.coordinates - before).max() > 0.05
    assert state["posture"] == "sad" and state["idle"] and state["manner"]["smoothness"] == 0.5
    assert "error" in lamp.ask("face.posture", name="furious")
    assert "error" in lamp.ask("face.manner", smoothness=2.0)


def test_it_stops_where_it_was_and_does_not_record_then(lamp: Bench) -> None:
    assert "start it first" in lamp.ask("face.record", on=True)["error"]
    lamp.start()
    assert lamp.tool.state()["on"] and not lamp.ask("face.stop")["on"]
    lamp.start()
    lamp.desk.leave(lamp.page)
    lamp.desk.run_due()
    assert not lamp.tool.state()["on"]  # nobody looks at it any more


def test_who_has_nothing_to_look_with_says_so() -> None:
    bench = Bench("biker")
    assert "no end-point" in bench.tool.state()["words"]
    bench.start()
    assert not bench.tool.state()["on"] and "biker" in bench.tool.state()["words"]
    assert "error" in bench.ask("face.start", end_point="nobody")
    bench.tool.close()


def test_a_floating_character_looks_at_what_is_on_the_stage() -> None:
    """The stage puts its soles on the floor; the target must be seen from there."""
    bench = Bench("pico")
    bench.start(end_point="eyes", posture="stand")
    gaze = bench.tool._gaze
    assert gaze is not None
    gaze.stop()
    target = np.array([0.5, 0.1, 0.35])
    bench.ask("face.target", place=target.tolist())
    bench.ask("face.record", on=True)
    bench.ask("face.posture", name="sad")  # it bends its knees: its feet stay where they are, its eyes come down
    for _ in range(80):
        for _ in range(5):
            gaze.step()
        bench.tool._show()
    sight = bench.tool._sight(gaze, bench.tool._figure)  # type: ignore[arg-type]
    way = target - sight["eye"]
    assert way @ np.array(sight["forward"]) / np.linalg.norm(way) > np.cos(np.radians(1.0))
    names = [body.name for body in bench.desk.document.character.bodies]
    sole = bench.desk.document.character.soles[0]
    figure, rest, now = bench.tool._figure, bench.tool._rest, bench.tool._stance
    assert figure is not None and rest is not None and now is not None
    at = names.index(sole.body)
    for before, after in zip(figure.bodies(rest), figure.bodies(now), strict=True):
        np.testing.assert_allclose(after[at], before[at], atol=1e-9)
    assert now.root[2] < rest.root[2] - 1e-3
    bench.ask("face.record", on=False)
    clip = bench.desk.document.open_take.clip  # type: ignore[union-attr]
    assert clip is not None and clip.base_positions is not None
    np.testing.assert_allclose(clip.base_positions[-1], now.root[:3], atol=1e-9)
    bench.tool.close()


def test_what_is_no_place_is_not_looked_at() -> None:
    character = load_character("lamp")
    gaze = build_gaze(character, posture_named(character, {}, "curious"), "light", {})
    gaze.face(np.array([0.6, 0.4, 0.3]))
    for _ in range(50):
        gaze.step()
    assert gaze.now.off_rad > 0.0 and np.isfinite(gaze.now.coordinates).all()
    assert not gaze.face(np.array([np.nan, 0.0, 0.0])) and gaze.recording() is None


def test_a_reload_keeps_what_was_recorded_so_far(lamp: Bench) -> None:
    lamp.start(target=[0.5, 0.2, 0.4])
    gaze = lamp.tool._gaze
    assert gaze is not None
    gaze.stop()  # from here on it is stepped by hand
    lamp.ask("face.record", on=True)
    for _ in range(20):
        gaze.step()
    lamp.desk.leave(lamp.page)
    lamp.desk.run_due()
    take = lamp.desk.document.open_take
    assert take is not None and take.name == "look"
    assert not lamp.tool.state()["on"]

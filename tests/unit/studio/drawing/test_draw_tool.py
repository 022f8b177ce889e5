"""Drawing through messages, as a page does it, and what comes out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.drawing import Drawn, DrawTool, calming
from animato.studio.drawing.performing import Performed
from animato.studio.workers import Inline, Workshop
from tests.studio_builders import FakePage

NEVER = 1e-9


class Studio:
    """A desk with the tool and a page, on a clock that stands unless it is moved."""

    def __init__(self, character: str, workshop: Workshop | None = None) -> None:
        self.now = 100.0
        self.desk = Desk(Document(an.load_character(character), character))
        self.tool = DrawTool(self.desk, workshop or Inline(), clock=lambda: self.now)
        self.desk.equip([self.tool])
        self.page = FakePage()
        self.desk.join(self.page)
        self.desk.run_due()
        self.number = 0

    def ask(self, do: str, page: FakePage | None = None, **fields: Any) -> dict[str, Any]:
        self.number += 1
        page = page or self.page
        self.desk.answer(page, json.dumps({"do": do, "id": self.number, **fields}))
        return next(one for one in reversed(page.sent) if one.get("re") == self.number)

    def make_ready(self) -> dict[str, Any]:
        self.ask("draw.enter", t=0.0)
        until = time.monotonic() + 300.0  # code that is not compiled yet
        while not self.tool.state()["ready"]:
            assert time.monotonic() < until
            time.sleep(0.01)
            self.desk.run_due()
        return dict(self.tool.state())

    def draw(self, places: np.ndarray, times: np.ndarray, **begin: Any) -> dict[str, Any]:
        """A line on the board, in frames of 16 ms, the robot following."""
        zero = self.now
        answer = self.ask("draw.begin", t=zero - 100.0, **begin)
        if "error" in answer:
            return answer
        rows = np.column_stack([places, times + zero - 100.0, np.full(len(times), 0.5)])
        sent = 0
        for moment in np.arange(0.0, times[-1] + 0.016, 0.016):
            self.now = zero + float(moment)
            due = int(np.searchsorted(times, moment, side="right"))
            if due > sent:
                self.ask("draw.add", samples=rows[sent:due].tolist())
                sent = due
            self.tool.tick()
        return self.ask("draw.lift")

    def settle(self) -> None:
        """Waits until limits of jerk are kept, too."""
        while self.tool.busy:
            time.sleep(0.02)
            self.desk.run_due()

    @property
    def drawn(self) -> Drawn:
        take = self.desk.document.open_take
        assert take is not None and isinstance(take.source, Drawn)
        return take.source

    @property
    def clip(self) -> an.Clip:
        take = self.desk.document.open_take
        assert take is not None and take.clip is not None
        return take.clip


def hello(width: float) -> tuple[np.ndarray, np.ndarray]:
    """The word about the middle of a board, twice as fast as it was drawn."""
    stroke = an.formats.strokes.read_stroke("hello")
    assert stroke.times is not None
    points = stroke.points - 0.5 * (stroke.points.min(axis=0) + stroke.points.max(axis=0))
    return points * width / np.ptp(points[:, 0]), stroke.times / 2.0


def line(studio: Studio, *, height: float = 0.0, seconds: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A straight line across a third of the board, at rest at both ends."""
    width = studio.tool.state()["board"]["width"]
    times = np.linspace(0.0, seconds, 60)
    share = 0.5 - 0.5 * np.cos(np.pi * times / seconds)
    return np.column_stack([0.3 * width * (share - 0.5), np.full(60, height * width)]), times


@pytest.fixture(scope="module")
def _compiled() -> None:
    Studio("arm6").make_ready()


@pytest.fixture
def studio(_compiled: None) -> Studio:
    one = Studio("arm6")
    one.make_ready()
    return one


def test_hello_is_followed_and_performed_inside_all_limits(studio: Studio) -> None:
    board = studio.tool.state()["board"]
    places, times = hello(0.8 * board["width"])
    rest = studio.desk.document.character.coordinate_names
    begin = np.zeros(len(rest)).tolist()
    assert studio.draw(places, times, coordinates=begin)["tap"] is False

    assert "smoother" in studio.desk.document.takes[0].remark
    studio.settle()
    result = an.check(studio.desk.document.character, studio.clip)
    assert result.outcome.usable, result.outcome.reason
    solved = studio.page.told("draw.solved")[-1]
    assert solved["good"] and solved["play"] and solved["off_mm"] < 2.0
    assert studio.page.told("pose")[0]["poses"].shape == (len(studio.desk.document.character.bodies), 7)
    assert studio.page.told("pose")[-1]["off"]


def test_limits_hold_while_following(studio: Studio) -> None:
    places, times = hello(0.8 * studio.tool.state()["board"]["width"])
    zero = studio.now
    studio.ask("draw.begin", t=0.0)
    following = studio.tool.hand.following if studio.tool.hand else None
    assert following is not None
    rows = np.column_stack([places, times, np.full(len(times), 0.5)])
    sent = 0
    for moment in np.arange(0.0, times[-1], 0.016):
        studio.now = zero + float(moment)
        due = int(np.searchsorted(times, moment, side="right"))
        if due > sent:
            studio.ask("draw.add", samples=rows[sent:due].tolist())
            sent = due
        studio.tool.tick()
    # the frames of a plan are a spline through its states; accelerations switch inside, so its states are looked at
    motion = following.loop.motion
    moments = np.linspace(motion.plans[0].begins, motion.ends, 4000)
    q, v, a = motion.states(moments)
    limits = {joint.name: joint.limits[0] for joint in studio.desk.document.character.joints if joint.limits}
    for column, name in enumerate(following.loop.names):
        assert np.abs(v[:, column]).max() <= limits[name].velocity * (1.0 + NEVER)
        assert np.abs(a[:, column]).max() <= limits[name].acceleration * (1.0 + 1e-6)
        assert q[:, column].min() >= limits[name].lower - NEVER and q[:, column].max() <= limits[name].upper + NEVER
    assert 0.05 < following.lag_s < 0.4
    studio.ask("draw.cancel")
    assert studio.desk.document.open_take is None


def test_options_solve_again_in_one_step_of_undo(studio: Studio) -> None:
    studio.draw(*line(studio))
    before = studio.clip.duration
    for seconds in (2.0, 3.0, 4.0):
        studio.ask("draw.option", name="duration_s", value=seconds, gesture="slider 1")
    assert studio.clip.duration == pytest.approx(4.0, abs=0.05)
    studio.ask("undo")
    assert studio.clip.duration == before and studio.drawn.wishes.duration_s is None
    studio.ask("undo")
    assert studio.desk.document.open_take is None
    studio.ask("redo")
    assert studio.clip.duration == before


class Slow(Inline):
    """Does short work when it is told to; the latest wins, as in the true one."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: Callable[[], None] | None = None
        self.waits: Callable[[], None] | None = None

    def quickly(self, lane: str, function: Callable[..., Any], *arguments: Any, **then: Any) -> None:
        if lane != "trace":
            super().quickly(lane, function, *arguments, **then)
            return
        quickly = super().quickly
        self.waits = lambda: quickly(lane, function, *arguments, **then)
        if self.runs is None:
            self.runs, self.waits = self.waits, None

    def finish(self) -> None:
        """All that runs and waits."""
        while self.runs is not None:
            done, self.runs, self.waits = self.runs, self.waits, None
            done()


def left_as_it_is(*_: object, **__: object) -> Performed:
    return Performed(None, "it is left as it is.", False)


@pytest.mark.parametrize("finished", ["before the slide", "while it slides", "after undo"])
def test_one_slide_is_one_step_whenever_its_motions_come(
    _compiled: None, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if finished != "before the slide":  # once is enough for what takes longest
        monkeypatch.setattr(calming, "smoothed", left_as_it_is)
    workshop = Slow()
    studio = Studio("arm6", workshop)
    studio.make_ready()
    studio.draw(*line(studio))
    workshop.finish()
    studio.settle()
    studio.ask("draw.option", name="tempo_lock", value=False)
    if finished == "before the slide":
        workshop.finish()
        studio.settle()
    for seconds in (2.0, 3.0, 4.0):
        studio.ask("draw.option", name="duration_s", value=seconds, gesture="slider 1")
    if finished == "while it slides":
        workshop.finish()
    studio.ask("draw.option", name="duration_s", value=4.0, gesture="slider 1")  # let go
    studio.ask("undo")
    workshop.finish()
    studio.settle()
    assert studio.drawn.wishes.duration_s is None and not studio.drawn.wishes.tempo_lock
    fresh = Studio("arm6")
    fresh.make_ready()
    fresh.draw(*line(fresh))
    fresh.ask("draw.option", name="tempo_lock", value=False)
    fresh.settle()
    assert studio.clip.duration == pytest.approx(fresh.clip.duration, abs=1e-6)  # the motion of this drawing
    studio.ask("undo")
    assert studio.drawn.wishes.tempo_lock


def test_what_cannot_be_is_said_and_the_last_motion_stays(studio: Studio) -> None:
    studio.draw(*line(studio))
    before = studio.clip
    studio.ask("draw.option", name="duration_s", value=0.1)
    assert studio.clip is before
    assert "tempo" in studio.desk.document.takes[0].remark
    assert not studio.page.told("draw.solved")[-1]["good"]
    assert "error" in studio.ask("draw.option", name="beta", value="much")
    assert "error" in studio.ask("draw.option", name="speed", value=1)


def test_out_of_reach_is_performed_as_near_as_it_goes_and_said(studio: Studio) -> None:
    places, times = line(studio)
    studio.draw(places * 30.0, times * 8.0)
    studio.settle()
    assert an.check(studio.desk.document.character, studio.clip).outcome.usable
    assert not studio.page.told("draw.solved")[-1]["good"]
    assert studio.desk.document.takes[0].remark


def test_lines_are_moved_scaled_turned_and_deleted(studio: Studio) -> None:
    studio.draw(*line(studio))
    studio.draw(*line(studio, height=0.1))
    first, second = studio.drawn.strokes
    studio.ask("draw.move", strokes=[1], by=[0.01, -0.02], gesture="a")
    studio.ask("draw.move", strokes=[1], by=[0.01, 0.0], gesture="a")
    assert studio.drawn.strokes[0] is first
    np.testing.assert_allclose(studio.drawn.strokes[1].places, second.places + np.array([0.02, -0.02]), atol=1e-12)
    studio.ask("draw.scale", strokes=[0], by=2.0, about=[0.0, 0.0])
    np.testing.assert_allclose(studio.drawn.strokes[0].places, 2.0 * first.places, atol=1e-12)
    studio.ask("draw.turn", strokes=[0], by=np.pi / 2, about=[0.0, 0.0])
    np.testing.assert_allclose(studio.drawn.strokes[0].places[:, 1], 2.0 * first.places[:, 0], atol=1e-12)
    assert "error" in studio.ask("draw.delete", strokes=[5])
    studio.ask("draw.delete", strokes=[0])
    assert len(studio.drawn.strokes) == 1
    studio.ask("draw.delete")
    assert studio.desk.document.open_take is None


def test_a_part_is_redrawn_with_its_own_timing(studio: Studio) -> None:
    places, times = line(studio)
    studio.draw(places, times)
    part = places[20:41] + np.column_stack([np.zeros(21), 0.02 * np.sin(np.linspace(0.0, np.pi, 21))])
    answer = studio.draw(part, np.linspace(0.0, 2.0, 21), over=0.01)
    assert "error" not in answer
    (stroke,) = studio.drawn.strokes
    kept = times[20] + 2.0 + times[-1] - times[40]
    assert stroke.duration == pytest.approx(kept, abs=1e-9)
    assert stroke.places[:, 1].max() == pytest.approx(0.02, abs=1e-4)
    np.testing.assert_allclose(stroke.places[[0, -1]], places[[0, -1]])
    before = studio.drawn
    answer = studio.draw(part + np.array([0.0, 0.2]), np.linspace(0.0, 1.0, 21), over=0.01)
    assert "begin and end on the line" in answer["error"]
    assert studio.drawn is before


def test_the_pen_is_lifted_between_lines(studio: Studio) -> None:
    studio.draw(*line(studio))
    one = studio.clip.duration
    studio.draw(*line(studio, height=0.1))
    assert studio.clip.duration > 2.0 * one
    studio.draw(*line(studio), fresh=True)
    assert [take.name for take in studio.desk.document.takes] == ["drawing", "drawing 2"]


def test_a_board_takes_its_lines_along(studio: Studio) -> None:
    studio.draw(*line(studio))
    board = dict(studio.tool.state()["board"])
    board["origin"] = [board["origin"][0] - 0.05, *board["origin"][1:]]
    studio.ask("draw.plane", **board, carry=True, gesture="drag")
    assert studio.drawn.strokes[0].board.values() == board
    studio.ask("undo")
    assert studio.drawn.strokes[0].board.origin[0] == pytest.approx(board["origin"][0] + 0.05)
    floor = {**board, "kind": "floor", "origin": [0.7, 0.0, 0.0], "up": [1.0, 0.0, 0.0]}
    studio.ask("draw.plane", **floor)
    assert studio.tool.state()["board"]["kind"] == "floor" and studio.drawn.strokes[0].board.kind == "board"
    assert "error" in studio.ask("draw.plane", **{**floor, "right": [0.0, 0.0, 0.0]})
    studio.ask("draw.plane", kind="board")
    assert studio.tool.state()["board"]["kind"] == "board"


def test_any_place_of_a_body_draws(studio: Studio) -> None:
    bodies = [body.name for body in studio.desk.document.character.bodies]
    answer = studio.ask("draw.point", body=len(bodies) - 1, place=[0.01, 0.0, 0.02])
    assert answer["point"]["body"] == len(bodies) - 1
    studio.draw(*line(studio))
    assert studio.drawn.points == (answer["point"]["name"],)
    assert studio.desk.document.open_take is not None and studio.clip.frame_count > 10
    assert "error" in studio.ask("draw.point", body=0, place=[0.0, 0.0, 0.0])  # it does not move


def test_a_tap_and_another_page_change_nothing(studio: Studio) -> None:
    studio.ask("draw.begin", t=0.0)
    studio.ask("draw.add", samples=[[0.0, 0.0, 0.1, 1.0], [0.0, 0.0, 0.2, 1.0]])
    other = FakePage("two")
    studio.desk.join(other)
    studio.desk.run_due()
    assert "another page" in studio.ask("draw.begin", other, t=0.0)["error"]
    assert studio.ask("draw.lift")["tap"]
    assert studio.desk.document.open_take is None
    studio.ask("draw.begin", t=0.0)
    studio.desk.leave(studio.page)
    studio.desk.run_due()
    assert studio.tool.hand is None


def test_a_character_that_cannot_draw_says_so_before() -> None:
    studio = Studio("four_bar")
    assert "loops" in studio.tool.state()["refusal"]
    assert "loops" in studio.ask("draw.begin", t=0.0)["error"]


def test_two_points_draw_together_or_one_after_the_other() -> None:
    studio = Studio("torso29")
    studio.ask("draw.point", name="left_hand")
    studio.draw(*line(studio))
    alone = studio.clip.duration
    studio.ask("draw.point", name="right_hand")
    studio.draw(*line(studio))
    assert studio.drawn.points == ("left_hand", "right_hand")
    together = studio.clip.duration
    studio.ask("draw.option", name="together", value=False)
    assert together < 1.6 * alone < studio.clip.duration
    studio.settle()
    assert an.check(studio.desk.document.character, studio.clip).outcome.usable

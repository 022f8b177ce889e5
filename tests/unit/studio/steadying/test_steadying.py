"""What bends is simulated while somebody looks, and steadied; what came out is put where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed
from animato.studio.steadying import Seen, SteadyTool, make_steady, see
from animato.studio.workers import Inline, Job
from tests.studio_builders import FakePage, ask


class Later(Inline):
    """Does long work when it is told to, and counts what is asked for quickly."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def start(self, title: str, function: Callable[..., Any], *arguments: Any, then: Any, failed: Any = None) -> Job:
        self.work: Callable[[], Job] = lambda: Inline.start(self, title, function, *arguments, then=then, failed=failed)
        return Job(1, title, lambda: None)

    def quickly(self, lane: str, function: Callable[..., Any], *arguments: Any, then: Any, failed: Any = None) -> None:
        self.asked.append(lane)
        Inline.quickly(self, lane, function, *arguments, then=then, failed=failed)


def lean(degrees: float = 10.0, name: str = "motor") -> Clip:
    """From rest, a quick lean, and a pause in which it rings; 1.2 s."""
    times = np.linspace(0.0, 1.2, 121)
    share = np.clip((times - 0.2) / 0.2, 0.0, 1.0)
    smooth = share**2 * (3.0 - 2.0 * share)
    return Clip(times, (name,), np.radians(degrees) * smooth[:, None], source="lean")


def desk_with(workshop: Inline, clip: Clip | None, character: str = "rod") -> tuple[Desk, FakePage]:
    model = an.load_character(character)
    takes = () if clip is None else (Take("lean", Keyed.of(clip), clip),)
    desk, page = Desk(Document(model, character, takes, "lean" if takes else "")), FakePage()
    desk.equip([SteadyTool(desk, workshop)])
    desk.join(page)
    desk.run_due()
    return desk, page


@pytest.fixture(scope="module")
def seen() -> Seen:
    rod = an.load_character("rod")
    clip = lean()
    made = make_steady(rod, clip, an.steady.Options(), 1.0, ("ball",))
    assert made.clip is not None
    assert "ball" in made.words
    return see(rod, clip, made.clip, True, 1.0, ("ball",), False)


def test_what_is_seen_is_what_the_simulation_says(seen: Seen) -> None:
    rod, clip = an.load_character("rod"), lean()
    told = an.simulate(rod, clip, an.SimulationOptions(step_s=0.5e-3))
    assert seen.before.peak == pytest.approx(told.peak_deviation_m, rel=0.01)  # other steps, another integrator
    assert seen.modes_hz[0] == pytest.approx(2.083, abs=0.002)
    figure = seen.before.figure
    links = figure.positions.shape[1] - len(rod.bodies)
    assert links == len(told.performance.rods["rod"])
    far = np.interp(figure.times, told.frame_times, told.points[told.frames][:, 0, 0])
    assert np.abs(figure.points[:, 0, 0] - far).max() < 0.01 * told.peak_deviation_m + 2e-4
    assert figure.times[-1] == pytest.approx(clip.times[-1])


def test_steadied_it_rings_no_more_where_the_artists_motion_does(seen: Seen) -> None:
    assert seen.after is not None
    assert seen.after.peak < 0.2 * seen.before.peak
    assert seen.after.ring < 0.1 * seen.before.ring
    near = np.abs(seen.before.frequencies - seen.modes_hz[0]) < 1.0
    assert seen.before.frequencies[int(np.argmax(seen.before.spectrum))] == pytest.approx(seen.modes_hz[0], abs=1.0)
    assert seen.after.spectrum[near].max() < 0.2 * seen.before.spectrum[near].max()


def test_roughly_is_near_to_accurately() -> None:
    rod, clip = an.load_character("rod"), lean()
    rough, fine = (see(rod, clip, None, False, 0.9, ("ball",), rough) for rough in (True, False))
    assert rough.rough and not fine.rough
    assert rough.before.peak == pytest.approx(fine.before.peak, rel=0.05)
    assert len(rough.before.figure.times) < len(fine.before.figure.times)
    softer = see(rod, clip, None, False, 0.64, ("ball",), False)
    # without gravity it would be 0.8 times as fast; an upright one under its own weight is a little slower still
    assert 0.75 < softer.modes_hz[0] / 2.083 < 0.8


def test_who_enters_sees_it_bend_and_who_leaves_asks_for_nothing() -> None:
    workshop = Later()
    desk, page = desk_with(workshop, lean())
    assert workshop.asked == []
    told = ask(desk, page, "steady.enter")
    assert told["bends"] and told["words"] == "" and told["tracked"] == ["ball"] and not told["working"]
    shown, scene = page.last("steady.seen"), page.last("steady.scene")
    assert shown["before"]["peak_mm"] > 10.0
    assert shown["after"] is None
    bodies = shown["arrays"]["before_positions"].shape[1]
    assert bodies == len(desk.document.character.bodies) + len(scene["link_labels"])
    assert set(scene["link_labels"]) == {"rod"}
    other = FakePage("two")
    desk.join(other)
    desk.run_due()
    ask(desk, other, "steady.enter")
    assert other.told("steady.scene") and other.told("steady.seen")
    assert workshop.asked == ["steady scene", "steady"]
    for one in (page, other):
        ask(desk, one, "steady.leave")
    ask(desk, page, "steady.stiffness", value=0.8)
    assert workshop.asked == ["steady scene", "steady"]


def test_the_stiffness_slider_is_one_step_of_undo() -> None:
    desk, page = desk_with(Later(), lean())
    ask(desk, page, "steady.enter")
    first = page.last("steady.seen")
    for value in (0.9, 0.8):
        ask(desk, page, "steady.stiffness", value=value, gesture="drag", done=False)
        assert page.last("steady.seen")["rough"]
    ask(desk, page, "steady.stiffness", value=0.8, gesture="drag", done=True)
    softer = page.last("steady.seen")
    assert not softer["rough"] and softer["stiffness"] == 0.8
    assert softer["modes_hz"][0] < first["modes_hz"][0]
    assert not page.last("steady")["working"]
    ask(desk, page, "undo")
    assert page.last("steady")["stiffness"] == 1.0
    assert page.last("steady.seen")["before"] == first["before"]
    assert "error" in ask(desk, page, "steady.stiffness", value=50.0)
    assert "error" in ask(desk, page, "steady.stiffness", value="soft")


def test_a_take_is_steadied_and_that_is_undone_in_one_step() -> None:
    desk, page = desk_with(Inline(), lean())
    ask(desk, page, "steady.enter")
    assert "job" in ask(desk, page, "steady.make")
    take = desk.document.takes[0]
    assert take.verb == "steady" and take.performed is not None and take.motion is not None
    assert page.last("toast")["kind"] == "good"
    shown = page.last("steady.seen")
    assert shown["verb"] == "steady"
    assert shown["after"]["peak_mm"] < 0.2 * shown["before"]["peak_mm"]
    assert an.check(desk.document.character, take.performed).outcome.usable
    ask(desk, page, "undo")
    assert desk.document.takes[0].performed is None
    assert page.last("steady.seen")["after"] is None
    ask(desk, page, "redo")
    ask(desk, page, "steady.drop")
    assert desk.document.takes[0].performed is None
    assert desk.document.takes[0].motion is take.motion


def test_what_was_steadied_of_a_take_that_changed_is_a_take_of_its_own() -> None:
    workshop = Later()
    desk, page = desk_with(workshop, lean())
    ask(desk, page, "steady.make")
    other = lean(5.0)
    desk.edit_take("changed", desk.document.takes[0].made_anew(Keyed.of(other), other))
    workshop.work()
    assert [one.name for one in desk.document.takes] == ["lean", "lean steadied"]
    assert desk.document.takes[0].performed is None
    assert desk.document.current == "lean"


def test_wishes_are_kept_in_the_project_and_wrong_ones_refused() -> None:
    desk, page = desk_with(Inline(), lean())
    ask(desk, page, "steady.enter")
    assert "error" not in ask(desk, page, "steady.set", stiffness_spread=0.1, hold_weight=20, tracked=["ball", "hub"])
    assert desk.document.settings["steady"] == {"stiffness_spread": 0.1, "hold_weight": 20, "tracked": ["ball", "hub"]}
    assert page.last("steady.seen")["tracked"] == ["ball", "hub"]
    assert "bal" in ask(desk, page, "steady.set", tracked=["bal"])["error"]
    assert "error" in ask(desk, page, "steady.set", acceleration_factor=-1)
    assert "error" in ask(desk, page, "steady.make", options={"stiffness_spread": 2})
    desk.edit("another", replace(desk.document, settings={"steady": {"stiffness": "x", "tracked": ["nobody"]}}))
    assert page.last("steady")["stiffness"] == 1.0  # a project that was written by hand
    assert page.last("steady")["tracked"] == ["ball"]


def test_what_does_not_bend_is_told_so() -> None:
    desk, page = desk_with(Inline(), None, "pico")
    told = ask(desk, page, "steady.enter")
    assert not told["bends"]
    assert "Nothing of 'pico' bends" in told["words"]
    assert "Nothing of 'pico' bends" in ask(desk, page, "steady.make")["error"]
    assert not page.told("steady.seen")


def test_without_a_motion_there_is_nothing_to_steady() -> None:
    desk, page = desk_with(Inline(), None)
    assert "no motion" in ask(desk, page, "steady.enter")["words"]
    assert "no motion" in ask(desk, page, "steady.make")["error"]
    still = Clip(np.zeros(1), ("motor",), np.zeros((1, 1)))
    desk.edit_take("a pose", Take("pose", Keyed.of(still), still))
    assert "single pose" in page.last("steady")["words"]


def test_a_motion_that_does_not_begin_at_rest_is_seen_and_not_steadied() -> None:
    times = np.linspace(0.0, 1.0, 51)
    desk, page = desk_with(Inline(), Clip(times, ("motor",), 0.3 * times[:, None]))
    assert ask(desk, page, "steady.enter")["words"] == ""
    assert page.last("steady.seen")["before"]["peak_mm"] > 1.0
    failed: list[str] = []
    desk.tools["steady"]._workshop.on_jobs(lambda: None, failed.append)  # type: ignore[attr-defined]
    ask(desk, page, "steady.make")
    assert "rest" in failed[0]
    assert desk.document.takes[0].performed is None

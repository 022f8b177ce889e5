"""The design tool on a desk without a thread, with a workshop that works in place."""

import json
from dataclasses import replace

import numpy as np
import pytest

from animato.formats import load_character
from animato.mechanics.loops import clip_with_loops, loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.motion import Clip
from animato.studio.designing import DesignTool, Wish
from animato.studio.designing.bending import handle_places
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.drawing import Board, Drawn, DrawnStroke
from animato.studio.keys import Keyed
from animato.studio.watching import lift_of, moving, rest_clip
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


class At:
    """A desk with the design tool, and a page that talks to it."""

    def __init__(self, document):
        self.desk, self.page = Desk(document), FakePage()
        self.tool = DesignTool(self.desk, Inline())
        self.desk.equip([self.tool])
        self.desk.join(self.page)
        self.desk.run_due()

    def do(self, message, /, **fields):
        self.desk.answer(self.page, json.dumps({"do": message, "id": 1, **fields}))
        self.desk.run_due()
        return self.page.last("design")

    @property
    def wish(self):
        return self.desk.document.settings["design"]


def turning_crank(character, frames=60):
    times = np.linspace(0.0, 2.0, frames)
    turns = Clip(times, ("crank_axle",), np.linspace(0.0, 2.0 * np.pi, frames)[:, None])
    return clip_with_loops(character, turns)


@pytest.fixture
def four_bar():
    character = load_character("adjustable_four_bar")
    clip = turning_crank(character)
    return At(Document(character, "adjustable_four_bar", (Take("turn", Keyed.of(clip), clip),), "turn"))


def handle_place(at, point, index):
    """Where a handle stands [m]."""
    motion = at.tool._bench.targets.motion
    return handle_places(motion, Wish.from_values(at.wish).handles)[point][index]


def raised(place, up):
    """A place farther up [m], as a message has it."""
    return [float(place[0]), float(place[1]), float(place[2]) + up]


def test_a_path_as_it_is_asks_for_nothing(four_bar):
    told = four_bar.do("design.begin", points=["pen"])
    assert told["found"]["usable"] and told["found"]["verdict"] == "met"
    assert told["found"]["before"]["mm"][0] < 0.01
    assert len(four_bar.wish["handles"]["pen"]) == 8


def test_a_dragged_handle_is_followed_and_kept(four_bar):
    four_bar.do("design.begin", points=["pen"])
    four_bar.do("design.set", keep_motors=True)
    old = four_bar.desk.document.character
    place = handle_place(four_bar, "pen", 2)
    for share in (0.25, 0.5, 0.75):
        told = four_bar.do(
            "design.handle",
            point="pen",
            index=2,
            place=raised(place, 0.02 * share),
            gesture="g",
            done=False,
        )
        assert told["found"]["rough"]
    told = four_bar.do("design.handle", point="pen", index=2, place=raised(place, 0.02), gesture="g", done=True)
    found = told["found"]
    assert not found["rough"] and found["usable"]
    assert found["after"]["mm"][0] < found["before"]["mm"][0]  # a bump is not what a four-bar can draw, but some of it
    assert found["less_percent"] > 5 and found["changes"]

    four_bar.do("design.accept")
    document = four_bar.desk.document
    assert document.character is not old and document.character_name == "character/adjustable_four_bar.yaml"
    assert document.settings["design"]["kind"] == "" and document.take("turn").verb == "design"
    mechanism = build_mechanism(document.character)
    column = document.take("turn").performed.column("crank_axle")
    motion = loop_kinematics(mechanism, document.take("turn").performed.positions[:, [column]])
    assert motion.reached.all() and np.nanmax(motion.residual) < 1e-9
    # the take as the artist made it follows the new mechanism too
    again = clip_with_loops(document.character, document.take("turn").motion)
    assert np.allclose(again.positions, document.take("turn").motion.positions, atol=1e-9)

    four_bar.desk.answer(four_bar.page, '{"do": "undo"}')
    assert four_bar.desk.document.character is old
    assert four_bar.wish["kind"] == "take" and four_bar.tool._bench.found.usable


def test_a_larger_curve_is_drawn_by_longer_bars(four_bar):
    four_bar.do("design.begin", points=["pen"])
    four_bar.do("design.set", keep_motors=True)
    places = [handle_place(four_bar, "pen", n) for n in range(8)]
    middle = np.mean(places, axis=0)
    for n, place in enumerate(places):
        told = four_bar.do("design.handle", point="pen", index=n, place=(middle + 1.1 * (place - middle)).tolist())
    found = told["found"]
    assert found["before"]["mm"][0] > 3.0 and found["after"]["mm"][0] < 0.25 * found["before"]["mm"][0]


def test_a_drag_is_one_step_of_undo(four_bar):
    four_bar.do("design.begin", points=["pen"])
    place = handle_place(four_bar, "pen", 1)
    for n in range(5):
        four_bar.do(
            "design.handle",
            point="pen",
            index=1,
            place=raised(place, 0.002 * n),
            gesture="one",
            done=n == 4,
        )
    assert any(any(pull[1:]) for pull in four_bar.wish["handles"]["pen"])
    four_bar.desk.answer(four_bar.page, '{"do": "undo"}')
    assert not any(any(pull[1:]) for pull in four_bar.wish["handles"]["pen"])
    assert four_bar.tool._bench.found.after.off.places[0] < 1e-5  # and it was worked out again


def test_shipped_targets_and_a_take_of_them(four_bar):
    told = four_bar.do("design.begin", kind="shipped", name="four_bar")
    assert told["found"]["before"]["mm"][0] > 20.0 and told["found"]["after"]["mm"][0] < 0.1
    assert four_bar.wish["keep_motors"]
    four_bar.do("design.accept")
    assert [one.name for one in four_bar.desk.document.takes] == ["turn", "four_bar"]
    assert four_bar.desk.document.current == "four_bar"


def test_a_freed_length_helps_where_nothing_could_change():
    arm = load_character("arm6")
    names = arm.coordinate_names
    times = np.linspace(0.0, 1.0, 40)
    swing = 0.4 * np.sin(2 * np.pi * times)[:, None] * np.linspace(1.0, 0.3, len(names))
    clip = Clip(times, names, swing)
    at = At(Document(arm, "arm6", (Take("swing", Keyed.of(clip), clip),), "swing"))
    point = arm.end_points[0].name
    at.do("design.begin", points=[point])
    at.do("design.set", keep_motors=True)
    place = handle_place(at, point, 3)
    told = at.do("design.handle", point=point, index=3, place=(place * 1.06).tolist())
    stuck = told["found"]["after"]["mm"][0]
    joint = arm.joints[3].name
    at.do("design.choices", joint=joint)
    offered = at.page.sent[-1]["choices"]
    assert {"axis", "position"} <= {one["what"] for one in offered}
    at.do("design.free", name=joint, what="position", on=True)
    told = at.do("design.free", name=joint, what="axis", on=True, far=20.0)
    assert len(told["freed"]) == 2 and "20" in told["freed"][1]["bounds"]
    assert told["found"]["usable"]
    assert told["found"]["after"]["mm"][0] < told["found"]["before"]["mm"][0]
    assert stuck > 0.0
    at.do("design.accept")
    built = at.desk.document.character
    assert [body.name for body in built.bodies] == [body.name for body in arm.bodies]
    assert built.coordinate_names == arm.coordinate_names and built != arm


def test_what_motors_do_alone_builds_nothing_anew():
    arm = load_character("arm6")
    times = np.linspace(0.0, 1.0, 30)
    swing = 0.2 * np.sin(2 * np.pi * times)[:, None] * np.ones(len(arm.coordinate_names))
    clip = Clip(times + 2.0, arm.coordinate_names, swing)
    at = At(Document(arm, "arm6", (Take("swing", Keyed.of(clip), clip),), "swing"))
    at.do("design.begin", points=["pen"])
    place = handle_place(at, "pen", 2)
    told = at.do("design.handle", point="pen", index=2, place=raised(place, 0.01))
    assert told["found"]["verdict"] == "met" and not told["found"]["changes"]
    at.do("design.accept")
    take = at.desk.document.take("swing")
    assert at.desk.document.character is arm and take.verb == "design"
    assert np.isclose(take.performed.times[0], 2.0)  # on the take's own clock


def test_a_drawn_line_becomes_the_target():
    arm = load_character("arm6")
    angles = np.linspace(0.0, 2.0 * np.pi, 50)
    places = np.column_stack([0.05 * np.cos(angles), 0.05 * np.sin(angles)])
    board = Board("board", (0.35, 0.0, 0.3), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 0.3, 0.3)
    line = DrawnStroke("pen", board, places, np.linspace(0.0, 2.0, 50), np.ones(50))
    at = At(Document(arm, "arm6", (Take("line", Drawn((line,))),), "line"))
    told = at.do("design.begin", kind="drawing")
    assert told["words"] == "" and told["points"] == ["pen"] and told["found"]["usable"]
    assert told["found"]["after"]["mm"][0] <= told["found"]["before"]["mm"][0] + 1e-6


def test_what_is_refused_is_said(four_bar):
    four_bar.do("design.accept")
    four_bar.do("design.handle", point="pen", index=0, place=[0, 0, 0])
    four_bar.do("design.begin", kind="shipped", name="legs")
    four_bar.do("design.begin", points=[])
    assert len(four_bar.page.errors()) == 4
    told = four_bar.do("design.begin", points=["nobody"])
    assert "nobody" in told["words"] and not told["working"]
    four_bar.do("design.begin", points=["pen"])
    four_bar.do("design.free", name="ground", what="axis")
    assert "world" in four_bar.page.errors()[-1] or "axis" in four_bar.page.errors()[-1]


def test_opened_again_it_goes_on(four_bar):
    four_bar.do("design.begin", points=["pen"])
    place = handle_place(four_bar, "pen", 2)
    four_bar.do("design.handle", point="pen", index=2, place=raised(place, 0.01))
    kept = replace(four_bar.desk.document, settings=json.loads(json.dumps(four_bar.desk.document.settings)))
    again = At(kept)
    assert again.page.last("design")["found"]["usable"]
    assert again.page.last("design")["found"]["before"]["mm"] == pytest.approx(
        four_bar.page.last("design")["found"]["before"]["mm"], abs=1e-3
    )


def test_targets_of_turns_alone_have_no_handles():
    biker = load_character("biker")
    at = At(Document(biker, "biker"))
    told = at.do("design.begin", kind="shipped", name="biker")
    assert told["found"]["usable"] and told["found"]["before"]["mm"] is None
    assert told["found"]["after"]["deg"][0] < 0.1 * told["found"]["before"]["deg"][0]
    assert at.wish["handles"] == {}


def test_discard_leaves_the_character(four_bar):
    old = four_bar.desk.document.character
    four_bar.do("design.begin", points=["pen"])
    four_bar.do("design.discard")
    assert four_bar.desk.document.character is old and four_bar.wish["kind"] == ""
    assert four_bar.page.last("design")["found"] is None


def test_who_floats_is_designed_where_the_stage_shows_it():
    """Neither the robot nor its paths sink into the floor, and a handle that is dragged nowhere bends nothing."""
    pico = load_character("pico")
    times = np.linspace(0.0, 1.0, 12)
    places = np.repeat(rest_clip(pico).positions, len(times), axis=0)
    places[:, pico.coordinate_names.index("left_elbow")] = 0.5 + 0.5 * np.sin(np.pi * times)
    elbow = Clip(times, pico.coordinate_names, places)
    at = At(Document(pico, "pico", (Take("bend", Keyed.of(elbow), elbow),), "bend"))
    told = at.do("design.begin", points=["left_hand"])
    assert told["found"]["usable"]
    seen, found, paths = moving(pico, elbow), at.page.last("design.found"), at.page.last("design.paths")
    for side in ("before", "after"):
        # joints may do it in another way than they did, and rest a little inside their ranges; the root stays
        assert found[f"{side}_positions"][:, 0] == pytest.approx(seen.positions[:, 0], abs=1e-6)
    hand = at.tool._bench.targets.motion.targets[0].positions + lift_of(pico)
    assert lift_of(pico)[2] > 0.1
    assert paths["paths"][0] == pytest.approx(hand, abs=1e-6)
    assert paths["handles"][0] == pytest.approx(paths["paths"][0][0], abs=1e-6)
    at.do("design.handle", point="left_hand", index=1, place=paths["handles"][1].tolist(), gesture="g", done=True)
    assert at.page.last("design.paths")["paths"] == pytest.approx(paths["paths"], abs=1e-6)

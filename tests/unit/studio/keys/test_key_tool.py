"""The timeline's tool at a desk without a thread."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from animato.formats import load_character, load_motion
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.keys import Ease, Keyed, KeyTool
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


class Bench:
    """A desk with the tool, and one page that asks."""

    def __init__(self, character: str, *takes: Take) -> None:
        current = takes[0].name if takes else ""
        self.desk = Desk(Document(load_character(character), character, takes, current))
        self.desk.equip([KeyTool(self.desk, Inline())])
        self.page = FakePage()
        self.desk.join(self.page)
        self.desk.run_due()

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.desk.answer(self.page, json.dumps({"do": do, "id": 1, **fields}))
        return next(one for one in reversed(self.page.sent) if "re" in one)

    @property
    def take(self) -> Take:
        take = self.desk.document.open_take
        assert take is not None
        return take

    @property
    def keyed(self) -> Keyed:
        source = self.take.source
        assert isinstance(source, Keyed)
        return source

    @property
    def times(self) -> list[float]:
        return [key.time for key in self.keyed.keys]


@pytest.fixture
def lamp() -> Bench:
    return Bench("lamp")


@pytest.fixture
def pico() -> Bench:
    clip = load_motion("pico_hello")
    assert isinstance(clip, Clip)
    return Bench("pico", Take("hello", Keyed.of(clip), clip))


def test_the_first_key_begins_a_take(lamp: Bench) -> None:
    name = lamp.desk.document.character.coordinate_names[1]
    assert lamp.ask("key.set", time=1.013, pose={name: 0.4})["times"] == [pytest.approx(1.02)]
    assert lamp.keyed.blank
    clip = lamp.take.clip
    assert clip is not None
    assert clip.positions[51, clip.column(name)] == 0.4
    assert clip.positions[-1, clip.column(name)] == 0.4  # held where there is nothing under it


def test_a_key_is_overwritten_and_keeps_its_ease(lamp: Bench) -> None:
    name = lamp.desk.document.character.coordinate_names[0]
    lamp.ask("key.set", time=1.0, pose={name: 0.4}, ease="snap")
    lamp.ask("key.set", time=1.0, pose={name: -0.2})
    assert len(lamp.keyed.keys) == 1
    assert lamp.keyed.keys[0].ease is Ease.SNAP
    assert lamp.keyed.keys[0].pose[0] == -0.2


def test_a_drag_is_one_step_of_undo(lamp: Bench) -> None:
    for time in (0.5, 1.0, 2.0):
        lamp.ask("key.set", time=time)
    for by in (0.3, 1.0, 1.2):  # over the key at 2 s and on
        (at,) = lamp.ask("key.move", **{"from": [1.0], "by": by, "gesture": "drag 1"})["times"]
        assert at == pytest.approx(1.0 + by)
    assert lamp.times == pytest.approx([0.5, 2.0, 2.2])
    lamp.ask("undo")
    assert lamp.times == pytest.approx([0.5, 1.0, 2.0])


def test_several_keys_move_together_and_stop_at_the_end(lamp: Bench) -> None:
    for time in (0.5, 1.0, 2.0):
        lamp.ask("key.set", time=time)
    assert lamp.ask("key.move", **{"from": [0.5, 1.0], "by": -3.0})["times"] == pytest.approx([0.0, 0.5])
    assert lamp.times == pytest.approx([0.0, 0.5, 2.0])


def test_keys_are_eased_copied_and_deleted(lamp: Bench) -> None:
    name = lamp.desk.document.character.coordinate_names[0]
    lamp.ask("key.set", time=0.5, pose={name: 0.3})
    lamp.ask("key.set", time=1.0, pose={name: 0.1})
    lamp.ask("key.ease", times=[0.5, 1.0], ease="hold")
    assert {key.ease for key in lamp.keyed.keys} == {Ease.HOLD}
    assert lamp.ask("key.copy", times=[0.5, 1.0])["copied"] == 2
    assert lamp.ask("key.paste", to=2.0)["times"] == pytest.approx([2.0, 2.5])
    assert lamp.keyed.keys[2].pose[0] == 0.3
    lamp.ask("key.delete", times=[0.5, 2.5])
    assert lamp.times == pytest.approx([1.0, 2.0])


def test_what_is_wrong_is_said_and_changes_nothing(lamp: Bench) -> None:
    lamp.ask("key.set", time=0.5)
    before = lamp.desk.document
    for do, fields in (
        ("key.delete", {"times": [3.0]}),
        ("key.delete", {"times": []}),
        ("key.ease", {"times": [0.5], "ease": "bouncy"}),
        ("key.set", {"time": 0.2, "pose": {"nose": 1.0}}),
        ("key.set", {"time": 0.2, "pose": [1.0]}),
        ("key.set", {"time": 0.2, "root": [0, 0, 0, 1, 0, 0, 0]}),
        ("key.set", {}),
        ("key.duration", {"seconds": 0}),
        ("key.paste", {"to": 1.0}),
        ("key.mirror", {"times": [0.5]}),
    ):
        answer = lamp.ask(do, **fields)
        assert "Something is wrong in the studio itself" not in answer["error"]
    assert lamp.desk.document is before


def test_keys_on_a_clip_leave_the_rest_of_it_alone(pico: Bench) -> None:
    base = pico.keyed.base
    pico.ask("key.set", time=3.0, pose={"neck_pan": 0.3})
    clip = pico.take.clip
    assert clip is not None
    assert clip.positions[150, clip.column("neck_pan")] == 0.3
    far = np.abs(base.times - 3.0) > 1.01
    assert np.array_equal(clip.positions[far], base.positions[far])
    pico.ask("key.delete", times=[3.0])
    assert pico.take.clip is base


def test_the_root_is_set_and_mirrored_in_its_place(pico: Bench) -> None:
    lean = [0.0, 0.1, 0.3, np.cos(0.1), np.sin(0.1), 0.0, 0.0]
    pico.ask("key.set", time=2.0, root=lean, pose={"left_elbow": -0.5, "neck_pan": 0.2})
    pico.ask("key.mirror", times=[2.0])
    key, names = pico.keyed.keys[0], pico.keyed.base.names
    assert key.root is not None
    assert key.root[2:] == pytest.approx([0.3, np.cos(0.1), -np.sin(0.1), 0.0, 0.0])
    assert key.pose[names.index("right_elbow")] == -0.5
    assert key.pose[names.index("neck_pan")] == pytest.approx(-0.2)


def test_another_kind_of_take_is_kept_and_goes_on_beside() -> None:
    class Sketch:
        kind = "drawn"

        def for_page(self) -> dict[str, Any]:
            return {}

    clip = load_motion("lamp_look")
    assert isinstance(clip, Clip)
    bench = Bench("lamp", Take("drawing", Sketch(), clip))  # type: ignore[arg-type]
    bench.ask("key.set", time=1.0, gesture="a drag")
    bench.ask("key.set", time=1.0, gesture="a drag")
    assert [one.name for one in bench.desk.document.takes] == ["drawing", "drawing keyed"]
    assert bench.page.toasts() == ["'drawing' is kept; your keys are in 'drawing keyed'."]
    bench.ask("undo")
    assert bench.take.name == "drawing"


def test_the_duration_is_stretched_and_cut(pico: Bench) -> None:
    pico.ask("key.set", time=3.0, pose={"neck_pan": 0.3})
    pico.ask("key.duration", seconds=12.0, how="stretch")
    clip = pico.take.clip
    assert clip is not None
    assert clip.duration == pytest.approx(12.0)
    assert pico.times == pytest.approx([6.0])
    assert clip.positions[300, clip.column("neck_pan")] == 0.3
    pico.ask("key.duration", seconds=5.0, how="cut")
    assert pico.times == []
    pico.ask("key.duration", seconds=7.0, how="cut")
    clip = pico.take.clip
    assert clip is not None
    assert clip.duration == pytest.approx(7.0)
    assert np.array_equal(clip.positions[-1], clip.positions[250])


def test_few_keys_make_a_clip(pico: Bench) -> None:
    before = pico.take.clip
    pico.ask("key.extract", tolerance=0.1)
    after = pico.take.clip
    assert before is not None
    assert after is not None
    assert np.abs(after.positions - before.positions).max() <= 0.1
    assert len(pico.keyed.keys) < 0.2 * before.frame_count
    assert "keys now make what 301 frames were" in pico.page.toasts()[-1]


def test_loops_are_closed_between_keys() -> None:
    bench = Bench("four_bar")
    motor = bench.desk.document.character.actuated_coordinate_names[0]
    bench.ask("key.set", time=0.0)
    bench.ask("key.set", time=2.0, pose={motor: 0.5})
    clip = bench.take.clip
    assert clip is not None
    passive = [name for name in clip.names if name != motor]
    moved = np.ptp(clip.positions[:, [clip.column(name) for name in passive]], axis=0)
    assert moved.max() > 0.1
    assert clip.positions[100, clip.column(motor)] == 0.5
    assert bench.take.remark == ""

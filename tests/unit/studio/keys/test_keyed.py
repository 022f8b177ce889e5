"""Keys in files, and what cannot be a key."""

from __future__ import annotations

import json

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.formats import load_character
from animato.motion import Clip, Posture
from animato.studio.document import source_from
from animato.studio.keys import Ease, Key, Keyed, completed


def _turning() -> Keyed:
    times = np.arange(101) / 50.0
    base = Clip(times, ("neck",), np.sin(times)[:, None], np.zeros((101, 3)), np.tile((1.0, 0.0, 0.0, 0.0), (101, 1)))
    root = (0.1, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0)
    return Keyed(base, (Key(1.5, np.array([0.1]), np.array(root), Ease.SNAP),), reach=0.4)


def test_a_file_gives_back_every_number() -> None:
    keyed = _turning()
    kept: dict[str, Clip] = {}

    def keep(clip: Clip, suffix: str) -> str:
        kept[suffix] = clip
        return suffix

    values = json.loads(json.dumps(keyed.for_file(keep)))
    again = source_from(values, kept.__getitem__, {Keyed.kind: Keyed})
    assert isinstance(again, Keyed)
    assert again.clip.same_as(keyed.clip)
    assert again.for_page() == keyed.for_page()


@pytest.mark.parametrize("wrong", [{"time": 1.0}, {"time": "soon", "pose": [0.0]}, {"pose": [0.0]}, 7])
def test_a_file_with_something_else_is_refused(wrong: object) -> None:
    keyed = _turning()
    values = {"kind": "keyed", "base": "base", "keys": [wrong]}
    with pytest.raises(MotionError):
        Keyed.from_file(values, lambda _: keyed.base)


def test_a_key_has_all_numbers_of_its_take() -> None:
    with pytest.raises(MotionError, match="has 1 numbers; the take has 8"):
        _turning().with_keys([Key(0.5, np.zeros(1))])


def test_keys_stand_at_frames_and_the_later_one_counts() -> None:
    base = Clip(np.arange(11) / 10.0, ("neck",), np.zeros((11, 1)))
    keyed = Keyed(base, (Key(0.52, np.array([1.0])), Key(0.2, np.zeros(1)), Key(0.47, np.array([2.0]))), blank=True)
    assert [key.time for key in keyed.keys] == [0.2, 0.5]
    assert keyed.keys[1].pose[0] == 2.0


def test_one_pose_is_held() -> None:
    character = load_character("lamp")
    name = character.coordinate_names[2]
    keyed = Keyed.hold(character, 2.0, Posture((name,), np.array([0.3])))
    assert keyed.clip.duration == 2.0
    assert np.all(keyed.clip.positions[:, keyed.clip.column(name)] == 0.3)
    with pytest.raises(OptionError, match="duration"):
        Keyed.hold(character, 0.0)


def test_what_a_clip_does_not_state_is_filled_in() -> None:
    character = load_character("pico")
    base = Clip(np.arange(11) / 10.0, ("neck_pan",), np.ones((11, 1)))
    keyed = Keyed(base, (Key(0.5, np.array([0.2])),))
    whole = completed(character, keyed, with_root=True)
    assert whole.base.names == character.coordinate_names
    assert whole.base.has_base
    assert whole.keys[0].pose[whole.base.column("neck_pan")] == 0.2
    assert completed(character, whole, with_root=False) is whole

from dataclasses import replace
from pathlib import Path

import numpy as np

import animato as an
from animato.character import Body, Character, Mesh, Shape
from animato.loading import fingerprint
from animato.motion import Clip


def test_the_same_clip_has_the_same_fingerprint_wherever_it_came_from() -> None:
    clip = an.load_clip("lamp_look", "lamp")
    assert fingerprint(clip) == fingerprint(replace(clip, source="elsewhere"))
    moved = np.array(clip.positions)
    moved[3, 1] = np.nextafter(moved[3, 1], 9.0)
    assert fingerprint(clip) != fingerprint(replace(clip, positions=moved))


def test_names_and_shapes_count() -> None:
    first = Clip(np.arange(2.0), ("a", "b"), np.zeros((2, 2)))
    assert fingerprint(first) != fingerprint(Clip(np.arange(2.0), ("ab", "c"), np.zeros((2, 2))))
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_a_robot_in_another_folder_is_the_same_robot(tmp_path: Path) -> None:
    def robot(folder: str, text: str) -> Character:
        (tmp_path / folder).mkdir(exist_ok=True, parents=True)
        file = tmp_path / folder / "part.obj"
        file.write_text(text)
        return Character("one", (Body("a", shapes=(Shape(Mesh(str(file))),)),))

    assert fingerprint(robot("here", "v 0 0 0")) == fingerprint(robot("a/much/longer/way/" * 4 + "there", "v 0 0 0"))
    assert fingerprint(robot("here", "v 0 0 0")) != fingerprint(robot("there", "v 0 0 1"))

from __future__ import annotations

from pathlib import Path

import pytest

from tests.layers import FULL, circles, fault, faults


def test_every_import_goes_the_right_way() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("layer", "module"),
    [
        ("spatial", "animato.character"),
        ("motion", "animato.mechanics.tree.states"),
        ("express", "animato.trace"),
        ("solvers", "animato.character"),
        ("formats", "animato.solvers"),
        ("formats", "animato.report"),
        ("mechanics", "matplotlib.pyplot"),
        ("gallery", "PIL"),
        ("motion", ".clip"),
        ("motion", "animato.surprise"),
    ],
)
def test_wrong_ways_are_found(layer: str, module: str) -> None:
    assert fault(layer, module)


def test_right_ways_are_not() -> None:
    assert fault("mechanics", "animato.character.joint") is None
    assert fault("view", "PIL.Image") is None
    assert fault("solvers", "animato.spatial.basis") is None


def planted(folder: Path, files: dict[str, str]) -> list[str]:
    """What the check says of a small house of these files."""
    package = folder / "src" / "animato"
    for name, text in files.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for room in {file.parent for file in package.rglob("*.py")} | {package}:
        for one in (room, *room.parents):
            if one.is_relative_to(package) and not (one / "__init__.py").exists():
                (one / "__init__.py").write_text("", encoding="utf-8")
    return faults(package)


def test_a_sound_house_has_no_faults(tmp_path: Path) -> None:
    door = "from animato.motion.inner.clip import Clip\n\n__all__ = ['Clip']\n"
    files = {
        "motion/inner/clip.py": "Clip = 1\n",
        "motion/inner/__init__.py": door,
        "mechanics/tree/states.py": "from animato.motion.inner import Clip\n",
    }
    assert planted(tmp_path, files) == []


def test_a_full_room_is_found(tmp_path: Path) -> None:
    found = planted(tmp_path, {f"motion/m{n}.py": "" for n in range(FULL)})
    assert found == [f"animato.motion has {FULL + 1} modules; a room of more than {FULL} is two"]


@pytest.mark.parametrize(
    "second",
    [
        "from animato.motion.a import A\n",
        "def f():\n    from animato.motion import a\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from animato.motion.a import A\n",
    ],
)
def test_a_circle_of_modules_is_found(tmp_path: Path, second: str) -> None:
    found = planted(tmp_path, {"motion/a.py": "from animato.motion.b import B\n", "motion/b.py": second})
    assert found == ["modules import one another in a circle: animato.motion.a, animato.motion.b"]


def test_a_circle_of_rooms_is_found(tmp_path: Path) -> None:
    """No module is in it: each room has one that imports and one that is imported."""
    files = {
        "mechanics/tree/one.py": "from animato.mechanics.loops import two\n",
        "mechanics/tree/three.py": "",
        "mechanics/tree/__init__.py": "__all__ = ['three']\n",
        "mechanics/loops/two.py": "",
        "mechanics/loops/four.py": "from animato.mechanics.tree import three\n",
        "mechanics/loops/__init__.py": "__all__ = ['two']\n",
    }
    found = planted(tmp_path, files)
    assert found == ["rooms import one another in a circle: animato.mechanics.loops, animato.mechanics.tree"]


@pytest.mark.parametrize(
    "line",
    [
        "from animato.motion.clip import Clip",
        "from animato.motion import clip",
        "import animato.motion.clip",
        "from animato.motion import Hidden",
    ],
)
def test_the_files_behind_a_door_are_private(tmp_path: Path, line: str) -> None:
    files = {
        "motion/clip.py": "Clip = 1\nHidden = 2\n",
        "motion/__init__.py": "from animato.motion.clip import Clip, Hidden\n\n__all__ = ['Clip']\n",
        "mechanics/tree/states.py": line + "\n",
    }
    (found,) = planted(tmp_path, files)
    assert "private file" in found or "does not name 'Hidden'" in found


def test_circles() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}) == [["a", "b", "c"]]
    assert circles({"a": ["b"], "b": []}) == []

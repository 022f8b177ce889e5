from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import animato as an


def test_everything_that_is_named_is_there() -> None:
    for name in an.__all__:
        assert getattr(an, name) is not None, name
    assert set(an.__all__) <= set(dir(an))


def test_importing_it_imports_nothing_heavy() -> None:
    program = "import sys, animato; print([n for n in ('numpy', 'numba', 'scipy', 'tyro') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="Did you mean 'load_character'"):
        an.load_charakter  # noqa: B018
    assert not hasattr(an, "nothing_like_it")


def test_from_a_file_to_a_page(tmp_path: Path) -> None:
    pico = an.load_character("pico")
    result = an.check(pico, an.load_clip("pico_hello", pico))
    assert not result.outcome.usable and result.outcome.status is an.Status.INFEASIBLE
    assert result.save_page(tmp_path / "report.html").read_text().startswith("<!doctype html>")


def test_names_and_files_stand_for_what_they_hold() -> None:
    assert an.check("lamp", "lamp_look").outcome.usable
    with pytest.raises(an.AnimatoError, match="`character` must be a Character"):
        an.check(3, "lamp_look")  # type: ignore[arg-type]
    with pytest.raises(an.AnimatoError, match="`clip` must be a Clip"):
        an.check("lamp", np.zeros(3))  # type: ignore[arg-type]


def test_save_takes_what_it_is_given(tmp_path: Path) -> None:
    lamp = an.load_character("lamp")
    clip = an.load_clip("lamp_look", lamp)
    result = an.check(lamp, clip)
    assert an.save(tmp_path / "lamp.yaml", lamp) == ()
    assert an.save(tmp_path / "look.npz", clip, lamp) == ()
    assert an.save(tmp_path / "again.npz", result, lamp) == ()
    assert an.save(tmp_path / "page.html", result) == ()
    assert an.load_character(tmp_path / "lamp.yaml") == lamp
    assert an.load_clip(tmp_path / "again.npz").same_as(clip)
    with pytest.raises(an.AnimatoError, match="`thing` is a character"):
        an.save(tmp_path / "x.npz", 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "thing",
    [
        an.load_character("torso29"),
        an.load_clip("pico_hello"),
        an.Posture(("a", "b"), np.zeros(2)),
        an.Stroke(np.zeros((3, 2)) + np.arange(3)[:, None]),
        an.MarkerMotion(np.arange(2.0), ("m",), np.zeros((2, 1, 3))),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_reprs_are_short(thing: object) -> None:
    line = repr(thing)
    assert len(line) < 400 and "\n" not in line
    assert line.startswith("<") and type(thing).__name__ in line
    html = thing._repr_html_()  # type: ignore[attr-defined]
    assert html.startswith("<table>") and html.endswith("</table>") and len(html) < 2500


def test_a_result_says_what_it_is() -> None:
    result = an.check("lamp", "lamp_look")
    assert "lamp" in repr(result) and "Every limit that is known holds." in repr(result)
    assert "velocity" in repr(result.usage)

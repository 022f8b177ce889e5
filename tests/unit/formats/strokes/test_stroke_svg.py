"""Drawings as strokes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, UnknownNameError
from animato.formats.strokes.pen_stroke import PenStroke
from animato.formats.strokes.reader import read_stroke, read_strokes
from animato.formats.strokes.svg_strokes import METRES_PER_PX, load_stroke_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="{box}">{body}</svg>'


def write(folder: Path, body: str, *, w: str = "100", h: str = "100", box: str = "0 0 100 100") -> Path:
    file = folder / "drawing.svg"
    file.write_text(HEAD.format(w=w, h=h, box=box, body=body), encoding="utf-8")
    return file


def test_px_become_metres_with_y_up(tmp_path: Path) -> None:
    stroke = read_stroke(write(tmp_path, '<path d="M10,20 L30,20 L30,50"/>'))
    px = np.array([[10, -20], [30, -20], [30, -50]])
    np.testing.assert_allclose(stroke.points, METRES_PER_PX * px, rtol=1e-12)
    assert stroke.times is None and stroke.source == "drawing.svg"
    np.testing.assert_allclose(read_stroke(tmp_path / "drawing.svg", metres_per_unit=0.5).points, 0.5 * px, rtol=1e-12)


def test_stated_millimetres_are_true(tmp_path: Path) -> None:
    file = write(tmp_path, '<line x1="0" y1="0" x2="200" y2="0"/>', w="100mm", h="50mm", box="0 0 200 100")
    assert read_stroke(file).length == pytest.approx(0.1, rel=1e-6)


def test_transforms_of_groups_are_applied(tmp_path: Path) -> None:
    body = '<g transform="translate(10,0)"><g transform="rotate(90)"><path d="M0,0 L5,0" transform="scale(2)"/></g></g>'
    stroke = read_stroke(write(tmp_path, body))
    np.testing.assert_allclose(stroke.points / METRES_PER_PX, [[10, 0], [10, -10]], atol=1e-9)


def test_curves_have_their_length(tmp_path: Path) -> None:
    file = write(tmp_path, '<circle cx="50" cy="50" r="40"/>')
    assert read_stroke(file).length == pytest.approx(2.0 * np.pi * 40.0 * METRES_PER_PX, rel=2e-4)
    arc = read_stroke(write(tmp_path, '<path d="M0,0 C0,55.2285 44.7715,100 100,100"/>'))
    radius = np.linalg.norm(arc.points / METRES_PER_PX - [100.0, 0.0], axis=1)
    np.testing.assert_allclose(radius, 100.0, rtol=3e-4)  # the usual Bezier of a quarter circle is that good


def test_several_shapes_are_joined_or_chosen(tmp_path: Path) -> None:
    body = '<path id="a" d="M0,0 L10,0"/><path id="b" d="M10,10 L0,10"/><path d="M0,0 H1" style="display:none"/>'
    file = write(tmp_path, body)
    assert read_stroke(file).length == pytest.approx(20.0 * METRES_PER_PX, rel=1e-12)  # the way between is not drawn
    assert list(read_strokes(file, join=False)) == ["a", "b"]
    (chosen,) = read_strokes(file, path_ids=["b"]).values()
    np.testing.assert_allclose(chosen.points[:, 1], -10.0 * METRES_PER_PX, rtol=1e-12)
    turned = read_stroke(file, path_ids=["b", "a"]).points
    np.testing.assert_allclose(turned[0] / METRES_PER_PX, [10.0, -10.0], atol=1e-9)
    with pytest.raises(UnknownNameError, match=r"Shape 'c' is not in 'drawing\.svg'"):
        read_strokes(file, path_ids=["c"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<svg", "line 1"),
        ("<html/>", "not <svg>"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "no lines"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><text>hello</text></svg>', "turned into paths"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0"/></svg>', "no lines"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><path d="nonsense"/></svg>', "character 1: a letter such as M"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 L1e300,1e300"/></svg>', "leaves all bounds"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 L1,1" transform="scale("/></svg>',
            "transform breaks at character 1",
        ),
        ('<!DOCTYPE s [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><path d="&a;"/></svg>', "ntit"),
    ],
)
def test_damage_is_said_in_words(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.svg"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=words):
        read_strokes(file)


ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>{style}</style>{body}</svg>'


def test_what_nobody_sees_is_not_drawn_and_said(tmp_path: Path) -> None:
    body = '<path d="M0 0h24v24H0z" fill="none"/><g opacity="0"><path d="M1 1h2"/></g><path d="M2 2L20 20"/>'
    body += "<text>hello</text><image/>"
    file = tmp_path / "icon.svg"
    file.write_text(ICON.format(style="", body=body))
    (stroke,) = load_stroke_svg(file, metres_per_unit=1.0).values()
    assert isinstance(stroke, PenStroke) and np.ptp(stroke.points[:, 0]) == 18.0
    text, picture, unseen = stroke.notes
    assert "1 text is not drawn" in text and "1 picture" in picture and "2 shapes are not drawn" in unseen


@pytest.mark.parametrize("style", ["", "g path {stroke: black}"])
def test_paint_that_is_nowhere_or_not_understood_hides_nothing(tmp_path: Path, style: str) -> None:
    body = '<g><path d="M0 0h24" fill="none"/><path d="M0 9h24" fill="none"/></g>'
    body += '<path d="M0 12h24"/>' if style else ""
    file = tmp_path / "icon.svg"
    file.write_text(ICON.format(style=style, body=body))
    (stroke,) = load_stroke_svg(file).values()
    assert isinstance(stroke, PenStroke) and len(stroke.lines) == (3 if style else 2) and not stroke.notes

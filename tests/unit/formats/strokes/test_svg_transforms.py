"""Every kind of shape under every kind of transform is where SVG says, and separate lines stay separate."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.formats.strokes.pen_stroke import PenStroke
from animato.formats.strokes.svg_strokes import strokes_from_svg

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {how}>{body}</svg>'
C, S, T = math.cos(math.radians(30.0)), math.sin(math.radians(30.0)), math.tan(math.radians(20.0))

TRANSFORMS = {
    "": [[1, 0, 0], [0, 1, 0]],
    "translate(3)": [[1, 0, 3], [0, 1, 0]],
    "translate(3,-4)": [[1, 0, 3], [0, 1, -4]],
    "scale(2)": [[2, 0, 0], [0, 2, 0]],
    "scale(-1,0.5)": [[-1, 0, 0], [0, 0.5, 0]],
    "rotate(30)": [[C, -S, 0], [S, C, 0]],
    "rotate(30 1,2)": [[C, -S, 1 - C + 2 * S], [S, C, 2 - S - 2 * C]],
    "skewX(20)": [[1, T, 0], [0, 1, 0]],
    "skewY(20)": [[1, 0, 0], [T, 1, 0]],
    "matrix(1 .5-.25 2 3 4)": [[1, -0.25, 3], [0.5, 2, 4]],
    "translate(3 , -4) , scale(2)": [[2, 0, 3], [0, 2, -4]],
}


def on_ellipse(point: np.ndarray, centre: tuple[float, float], radii: tuple[float, float]) -> np.ndarray:
    return np.asarray(np.abs(np.sum(((point - centre) / radii) ** 2, axis=1) - 1.0))


def off_rect(p: np.ndarray) -> np.ndarray:
    """Distance from the border of the rectangle 1, 2, 11 x 5 [units]."""
    inner = np.minimum.reduce([p[:, 0] - 1.0, 12.0 - p[:, 0], p[:, 1] - 2.0, 7.0 - p[:, 1]])
    return np.asarray(np.abs(inner))


def off_rounded(p: np.ndarray) -> np.ndarray:
    """The same with corners of radius 2."""
    beyond = np.maximum(np.abs(p - [6.5, 4.5]) - [3.5, 0.5], 0.0)
    flat = np.maximum(beyond[:, 0], beyond[:, 1])
    return np.asarray(np.abs(np.where(beyond.min(axis=1) > 0.0, np.linalg.norm(beyond, axis=1), flat) - 2.0))


SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    '<circle cx="3" cy="4" r="5"': lambda p: on_ellipse(p, (3, 4), (5, 5)),
    '<ellipse cx="3" cy="4" rx="5" ry="2"': lambda p: on_ellipse(p, (3, 4), (5, 2)),
    '<path d="M8,4 A5,2 0 0 1 3,6"': lambda p: on_ellipse(p, (3, 4), (5, 2)),
    '<rect x="1" y="2" width="11" height="5"': off_rect,
    '<rect x="1" y="2" width="11" height="5" rx="2"': off_rounded,
    '<line x1="0" y1="1" x2="6" y2="4"': lambda p: np.abs(p @ [0.5, -1.0] + 1.0),
    '<polyline points="0,1 2,2 6,4"': lambda p: np.abs(p @ [0.5, -1.0] + 1.0),
    '<polygon points="1,2 12,2 12,7 1,7"': off_rect,
    '<path d="M0,1 q2,1 6,3 l2,1"': lambda p: np.where(p[:, 0] > 6, np.abs(p @ [0.5, -1.0] + 1.0), 0.0),
}


def drawn(body: str, how: str = "") -> np.ndarray:
    """All points of a drawing [px], y down."""
    (stroke,) = strokes_from_svg(OPEN.format(how=how, body=body), "a.svg", metres_per_unit=1.0).values()
    return stroke.points * [1.0, -1.0]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_shape_keeps_its_transform(shape: str, transform: str) -> None:
    matrix = np.array(TRANSFORMS[transform], dtype=float)
    points = drawn(f'{shape} transform="{transform}"/>')
    own = np.linalg.solve(matrix[:, :2], (points - matrix[:, 2]).T).T
    assert len(points) > 1 and SHAPES[shape](own).max() < 1e-9
    grouped = drawn(f'<g transform="{transform}"><g><g transform="rotate(10)">{shape}/></g></g></g>')
    turn = np.array(
        [
            [math.cos(math.radians(10)), -math.sin(math.radians(10))],
            [math.sin(math.radians(10)), math.cos(math.radians(10))],
        ]
    )
    np.testing.assert_allclose(grouped, (own @ turn.T) @ matrix[:, :2].T + matrix[:, 2], atol=1e-9)


def test_a_transform_may_stand_in_a_style() -> None:
    body = '<circle cx="3" cy="4" r="5" style="transform: rotate(90deg) translate(10px, 0px)"/>'
    assert on_ellipse(drawn(body), (-4, 13), (5, 5)).max() < 1e-9
    about = '<rect width="2" height="2" style="transform: rotate(180deg); transform-origin: 10px 5px"/>'
    np.testing.assert_allclose(drawn(about).max(axis=0), [20, 10], atol=1e-9)
    sheet = "<style>.hid { display : none } /* x */ #b{visibility:hidden}</style>"
    body = sheet + '<path class="a hid" d="M0,0H9"/><path id="b" d="M0,0H9"/><path id="c" d="M0,0H5"/>'
    assert drawn(body).max() == 5.0


@pytest.mark.parametrize(
    ("how", "scale", "shift"),
    [
        ('width="200" height="100" viewBox="0 0 100 100"', (1, 1), (50, 0)),
        ('width="200" height="100" viewBox="0 0 100 100" preserveAspectRatio="none"', (2, 1), (0, 0)),
        ('width="200" height="100" viewBox="0 0 100 100" preserveAspectRatio="xMinYMax slice"', (2, 2), (0, -100)),
        ('viewBox="10 20 100 50"', (1, 1), (-10, -20)),
        ('width="50" viewBox="0 0 100 200"', (0.5, 0.5), (0, 0)),
        ('width="1in" height="1in" viewBox="0 0 1 1"', (96, 96), (0, 0)),
        ('width="100%" height="100%" viewBox="0 0 40 40"', (1, 1), (0, 0)),
    ],
)
def test_a_view_box_is_a_transform(how: str, scale: tuple[float, float], shift: tuple[float, float]) -> None:
    points = drawn('<circle cx="3" cy="4" r="5"/>', how)
    assert on_ellipse((points - shift) / scale, (3, 4), (5, 5)).max() < 1e-9


def test_what_is_used_is_drawn_where_it_is_used() -> None:
    body = (
        '<defs><g id="g" transform="scale(2)"><rect id="r" width="3" height="1"/></g></defs>'
        '<use id="u" href="#g" x="10" transform="rotate(90)"/><use xlink:href="#r" y="7"/><use href="#nobody"/>'
    )
    strokes = strokes_from_svg(OPEN.format(how="", body=body), "a.svg", metres_per_unit=1.0, join=False)
    assert list(strokes) == ["u", "r"]
    np.testing.assert_allclose(strokes["u"].points.min(axis=0), [-2, -16], atol=1e-9)
    np.testing.assert_allclose(strokes["r"].points.min(axis=0), [0, -8], atol=1e-9)
    symbol = '<symbol id="s" viewBox="0 0 10 10"><path d="M0,0L10,10"/></symbol>'
    np.testing.assert_allclose(drawn(symbol + '<use href="#s" x="5" width="20" height="20"/>'), [[5, 0], [25, 20]])
    nested = '<svg x="5" y="1" width="20" height="10" viewBox="0 0 10 10"><path d="M0,0L10,10"/></svg>'
    np.testing.assert_allclose(drawn(nested), [[10, 1], [20, 11]])


def test_lines_stay_apart() -> None:
    body = '<path d="M0,0H10M0,5h10 z m0,5 h4"/><line x1="4" y1="10" x2="9" y2="10"/><path d="M50,0V1"/>'
    (stroke,) = strokes_from_svg(OPEN.format(how="", body=body), "a.svg", metres_per_unit=1.0).values()
    assert isinstance(stroke, PenStroke)
    # the line goes on where the third part of the path ended
    assert [len(line.points) for line in stroke.lines] == [2, 3, 4, 2]
    assert stroke.length == pytest.approx(10 + 20 + 9 + 1)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("M0,0 L10,0 L20,x L30,0", "character 16: a number is wanted, the second of 2 of 'L'; there is 'x L30,0'"),
        ("M0,0 L10,0 20", "character 14: a number is wanted.*it ends there"),
        ("M0,0 C1,2 3,4 5", "it ends there"),
        ("M0,0 A5,5 0 2 0 1,1", "0 or 1 is wanted"),
        ("M0,0 L1,1 $ L2,2", "character 11: a letter"),
        ("L1,1", "begins with M"),
        ("M0,0 L1,1e99999", "leaves all bounds"),
        ("M0,0 L" + "9" * 5000 + ",1", "leaves all bounds"),
    ],
)
def test_a_broken_path_says_where_it_breaks(data: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=f"line 1: 'p': .*{words}"):
        drawn(f'<path id="p" d="{data}"/>')


def test_what_would_grow_for_ever_is_refused() -> None:
    groups = "".join(f'<g id="g{k}">' + f'<use href="#g{k - 1}"/>' * 10 + "</g>" for k in range(1, 12))
    with pytest.raises(FileFormatError, match="paints more than 50000 elements"):
        drawn(f'<path id="g0" d="M0,0H1"/><defs>{groups}</defs><use href="#g11"/>')
    with pytest.raises(FileFormatError, match="uses itself"):
        drawn('<g id="a"><path d="M0,0H1"/><use href="#b"/></g><g id="b"><use href="#a"/></g>')
    chain = "".join(f'<g id="c{k}"><use href="#c{k - 1}"/></g>' for k in range(1, 400))
    with pytest.raises(FileFormatError, match="levels deep"):
        drawn(f'<path id="c0" d="M0,0H1"/><defs>{chain}</defs><use href="#c399"/>')
    with pytest.raises(FileFormatError, match=r"more points than any stroke|more than 2000000 points"):
        drawn('<path d="M0,0' + "c1,1 2,2 3,0 " * 40_000 + '"/>')

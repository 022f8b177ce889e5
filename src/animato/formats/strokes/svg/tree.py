"""Walks an SVG drawing as a browser paints it: groups, nested drawings, `use`, with every transform on the way.

Nothing is copied: what is used a thousand times is walked a thousand times, and the walk ends with an error where a
file of 2 kB would become a drawing of gigabytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.files import XmlElement, parse_xml, shortened
from animato.formats.strokes.svg.matrices import IDENTITY, applied, chained, moved, parse_transform, view_box
from animato.formats.strokes.svg.numbers import LARGEST, Viewport, parse_length, parse_numbers
from animato.formats.strokes.svg.shapes import SHAPES, shape_lines
from animato.formats.strokes.svg.style import StyleSheet

MOST_ELEMENTS = 50_000
MOST_POINTS = 2_000_000
DEEPEST = 250

_GROUPS = ("svg", "g", "a", "switch", "symbol")
_WITHOUT_LINES = ("text", "image", "foreignObject")
_UNSEEN, _NOTHING = ("none", "transparent"), ("0", "0.0", ".0")
_USUAL = Viewport(300.0, 150.0)  # of a drawing that says nothing about its size


@dataclass(frozen=True)
class DrawnShape:
    """Lines of one shape on the page.

    Attributes:
        name: Its id, or that of the `use` that draws it; empty where it has none.
        lines: Where the pen is down [px], y down, each [point, 2].
        line: Of the file.
        painted: Whether anything of it is seen: it is filled, or its line is drawn.
    """

    name: str
    lines: tuple[np.ndarray, ...]
    line: int
    painted: bool = True


@dataclass(frozen=True)
class Drawing:
    """What an SVG file paints.

    Attributes:
        shapes: In the order of painting.
        ignored: How many elements there are that are seen but have no lines, by tag.
        clipped: How many elements are cut by a clip path, which is not followed.
    """

    shapes: tuple[DrawnShape, ...]
    ignored: Mapping[str, int]
    clipped: int


@dataclass(frozen=True, eq=False)
class _Place:
    """What holds inside an element: its matrix to the page, what percentages are of, and by whom it is drawn."""

    matrix: np.ndarray
    port: Viewport
    visible: bool = True
    fill: str = "black"
    stroke: str = ""
    clear: bool = False
    user: str = ""
    depth: int = 0
    using: tuple[str, ...] = ()


def read_drawing(text: str, path: str | Path) -> Drawing:
    """Every shape of a drawing that is not hidden, in the order of painting, and what else there is.

    Args:
        text: The content of the file.
        path: Its name, for errors.

    Raises:
        FileFormatError: Something cannot be read, or it is too much, with its line.
    """
    root = parse_xml(text.encode("utf-8"), path)
    if root.tag.rpartition(":")[2] != "svg":
        raise FileFormatError(path, f"the outer element is <{shortened(root.tag)}>, not <svg>.", root.line)
    walk = _Walk(root, StyleSheet.from_text(text), path)
    shapes = tuple(walk.shapes())
    return Drawing(shapes, dict(walk.ignored), walk.clipped)


class _Walk:
    """A drawing that is walked.

    Args:
        root: Its outer element.
        sheet: Its style.
        path: Of the file, for errors.
    """

    def __init__(self, root: XmlElement, sheet: StyleSheet, path: str | Path) -> None:
        self.root, self.sheet, self.path = root, sheet, path
        self.prefix = root.tag.rpartition(":")[0]
        self.by_id: dict[str, XmlElement] = {}
        for element in root.walk():
            self.by_id.setdefault(element.attributes.get("id", ""), element)
        self.elements, self.points, self.clipped = 0, 0, 0
        self.ignored: Counter[str] = Counter()

    def shapes(self) -> Iterator[DrawnShape]:
        yield from self._walk(self.root, _Place(IDENTITY, _USUAL))

    def _walk(self, element: XmlElement, place: _Place) -> Iterator[DrawnShape]:
        self._count(element, place)
        try:
            tag = element.tag.rpartition(":")[2] if element.tag.rpartition(":")[0] == self.prefix else ""
            inner = self._inside(tag, element, place)
            if inner is None:
                return
            lines = self._lines(tag, element, inner) if tag in SHAPES else []
        except ValueError as error:
            who = f"'{shortened(element.attributes['id'])}'" if element.attributes.get("id") else f"this <{tag}>"
            raise FileFormatError(self.path, f"{who}: {error}.", element.line) from None
        if lines:
            name = inner.user or element.attributes.get("id", "")
            yield DrawnShape(name, tuple(lines), element.line, self._seen(tag, inner))
        elif tag == "use":
            yield from self._used(element, inner)
        elif tag in _GROUPS:
            children = element.children
            if tag == "switch":  # the first that can be painted
                children = [one for one in children if one.tag.rpartition(":")[2] in (*SHAPES, *_GROUPS, "use")][:1]
            for child in children:
                if child.tag.rpartition(":")[2] != "symbol":  # painted where it is used
                    yield from self._walk(child, inner)

    def _count(self, element: XmlElement, place: _Place) -> None:
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            message = f"it paints more than {MOST_ELEMENTS} elements, counting each <use>; no robot draws that."
            raise FileFormatError(self.path, message, element.line)
        if place.depth > DEEPEST:
            raise FileFormatError(self.path, f"it is nested more than {DEEPEST} levels deep.", element.line)

    def _inside(self, tag: str, element: XmlElement, place: _Place) -> _Place | None:
        """What holds inside an element; None where nothing of it is painted."""
        if tag not in (*SHAPES, *_GROUPS, *_WITHOUT_LINES, "use"):
            return None
        said = self.sheet.of(tag, element.attributes)
        if said.get("display") == "none":
            return None
        if tag in _WITHOUT_LINES:
            self.ignored[tag] += 1
            return None
        self.clipped += said.get("clip-path", "none") != "none"
        visible = place.visible
        if "visibility" in said and said["visibility"] != "inherit":
            visible = said["visibility"] == "visible"
        matrix = place.matrix
        if "transform" in said:
            matrix = chained(matrix, _about(parse_transform(said["transform"]), said, place.port))
        fill, stroke = (
            outer if said.get(name, "inherit") == "inherit" else said[name]
            for name, outer in (("fill", place.fill), ("stroke", place.stroke))
        )
        clear = place.clear or said.get("opacity", "1").strip().rstrip("%") in _NOTHING
        inner = replace(place, matrix=matrix, visible=visible, clear=clear, depth=place.depth + 1)
        inner = replace(inner, fill=fill.strip(), stroke=stroke.strip())
        return self._port(element, inner) if tag in ("svg", "symbol") else inner

    def _seen(self, tag: str, place: _Place) -> bool:
        """Whether a shape is filled or its line is drawn. A line alone that says nothing of its colour is meant."""
        if not self.sheet.knows_paint:
            return True
        drawn = place.stroke not in _UNSEEN if place.stroke else tag == "line"
        return not place.clear and (drawn or (tag != "line" and place.fill not in _UNSEEN))

    def _port(self, element: XmlElement, place: _Place) -> _Place:
        """Inside a drawing within a drawing, or the outer one: its viewport and viewBox."""
        said, outer = element.attributes, element is self.root
        box = parse_numbers(said["viewBox"]) if said.get("viewBox", "none").strip() not in ("", "none") else None
        if box is not None and (len(box) != 4 or box[2] <= 0.0 or box[3] <= 0.0):
            raise ValueError(f"a viewBox is four numbers, the last two above 0, not '{shortened(said['viewBox'])}'")
        width, height = _size(said, box, place.port, outer=outer)
        if width <= 0.0 or height <= 0.0:
            raise ValueError(f"its size is {width:g} x {height:g}; there is nothing to see")
        matrix = place.matrix
        if not outer:
            x, y = (
                parse_length(said.get("x", "0"), place.port.width),
                parse_length(said.get("y", "0"), place.port.height),
            )
            matrix = chained(matrix, moved(x, y))
        if box is not None:
            matrix = chained(matrix, view_box(box, width, height, said.get("preserveAspectRatio", "xMidYMid")))
            width, height = box[2], box[3]
        return replace(place, matrix=matrix, port=Viewport(width, height))

    def _used(self, element: XmlElement, place: _Place) -> Iterator[DrawnShape]:
        said = element.attributes
        name = said.get("href") or next((said[key] for key in said if key.endswith(":href")), "")
        target = self.by_id.get(name[1:]) if name.startswith("#") and len(name) > 1 else None
        if target is None:
            return  # a browser paints nothing, too
        if name in place.using:
            raise FileFormatError(self.path, f"'{shortened(name)}' uses itself.", element.line)
        try:
            x, y = (
                parse_length(said.get("x", "0"), place.port.width),
                parse_length(said.get("y", "0"), place.port.height),
            )
        except ValueError as error:
            raise FileFormatError(self.path, f"this <use>: {error}.", element.line) from None
        inner = replace(
            place,
            matrix=chained(place.matrix, moved(x, y)),
            user=place.user or said.get("id", ""),
            using=(*place.using, name),
        )
        if target.tag.rpartition(":")[2] in ("svg", "symbol"):  # it has the size that is said here
            sizes = {key: value for key, value in said.items() if key in ("width", "height")}
            target = XmlElement(target.tag, {**target.attributes, **sizes}, target.line, target.children)
        yield from self._walk(target, inner)

    def _lines(self, tag: str, element: XmlElement, place: _Place) -> list[np.ndarray]:
        if not place.visible:
            return []
        lines = []
        for points in shape_lines(tag, element.attributes, place.port, MOST_POINTS - self.points):
            self.points += len(points)
            if self.points > MOST_POINTS:
                raise ValueError(f"the drawing has more than {MOST_POINTS} points; no robot draws that")
            with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
                on_page = applied(place.matrix, points)
            if not np.all(np.isfinite(on_page)) or np.abs(on_page).max(initial=0.0) > LARGEST:
                raise ValueError("it leaves all bounds; the drawing is damaged")
            moves = np.concatenate([[True], np.any(np.diff(on_page, axis=0) != 0.0, axis=1)])
            if moves.sum() > 1:
                lines.append(on_page[moves])
        return lines


def _about(matrix: np.ndarray, said: Mapping[str, str], port: Viewport) -> np.ndarray:
    """A transform about its `transform-origin`, where it has one."""
    words = said.get("transform-origin", "").replace(",", " ").split()[:2]
    if not words:
        return matrix
    sides = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
    words = [*words, "center"][:2]
    if words[0] in ("top", "bottom") or words[1] in ("left", "right"):
        words.reverse()
    x, y = (
        parse_length(sides.get(one, one), whole) for one, whole in zip(words, (port.width, port.height), strict=True)
    )
    return chained(chained(moved(x, y), matrix), moved(-x, -y))


def _size(said: Mapping[str, str], box: list[float] | None, port: Viewport, *, outer: bool) -> tuple[float, float]:
    """Width and height of a viewport in the units around it."""
    texts = [said.get(name, "auto").strip() for name in ("width", "height")]
    given = [None if text in ("auto", "") else text for text in texts]
    if outer:  # there is no page around it that a share could be of
        given = [None if text is None or text.endswith("%") else text for text in given]
    wholes = (port.width, port.height)
    sizes = [None if text is None else parse_length(text, whole) for text, whole in zip(given, wholes, strict=True)]
    if not outer:
        return tuple(whole if size is None else size for size, whole in zip(sizes, wholes, strict=True))  # type: ignore[return-value]
    if box is None:
        return sizes[0] or port.width, sizes[1] or port.height
    width, height = sizes
    if width is None and height is None:
        return box[2], box[3]
    if width is None:
        return float(height or 0.0) * box[2] / box[3], float(height or 0.0)
    return width, width * box[3] / box[2] if height is None else height

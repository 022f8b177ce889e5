"""The `d` of a path, letter by letter, as lines of points. What is broken is said with its place."""

from __future__ import annotations

import math
import re

import numpy as np

from animato.formats.strokes.svg.curves import PIECES, arc, bezier
from animato.formats.strokes.svg.numbers import LARGEST, NUMBER, SPACE, parse_number

_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAG = re.compile(r"[01]")
_CURVES = "CSQTA"


class BrokenPathError(ValueError):
    """A path that goes wrong in the middle: what a reader would cut short without a word."""


def parse_path(data: str, most: int) -> list[np.ndarray]:
    """The lines of a path, one for each time the pen is put down, each [point, 2] in user units.

    Args:
        data: The attribute `d`.
        most: Points that may come of it.

    Raises:
        BrokenPathError: It is not a path, or too long, with the character at which it breaks.
    """
    return _Pen(data, most).lines()


class _Pen:
    """Where the pen is while a path is read."""

    def __init__(self, data: str, most: int) -> None:
        self.data, self.at, self.most = data, 0, most
        self.done: list[list[np.ndarray]] = []
        self.place, self.start = np.zeros(2), np.zeros(2)
        self.control = np.zeros(2)  # the last one, which smooth curves mirror
        self.before = ""  # the letter before

    def lines(self) -> list[np.ndarray]:
        self.skip()
        while self.at < len(self.data):
            self.command()
        every = [np.vstack(line) for line in self.done]
        return [line for line in every if len(line) > 1]

    def command(self) -> None:
        letter = self.data[self.at]
        kind = letter.upper()
        if kind not in _COUNTS:
            raise self.broken("a letter such as M, L or C is wanted")
        if not self.done and kind != "M":
            raise self.broken("a path begins with M")
        self.at += 1
        self.skip()
        if kind == "Z":
            self.close()
            return
        while True:
            self.step(kind, self.numbers(kind), relative=letter.islower())
            kind = "L" if kind == "M" else kind
            if self.at >= len(self.data) or NUMBER.match(self.data, self.at) is None:
                return

    def numbers(self, kind: str) -> np.ndarray:
        values = []
        for index in range(_COUNTS[kind]):
            form = _FLAG if kind == "A" and index in (3, 4) else NUMBER
            match = form.match(self.data, self.at)
            if match is None:
                what = "0 or 1" if form is _FLAG else "a number"
                raise self.broken(f"{what} is wanted, the {_ordinal(index)} of {_COUNTS[kind]} of '{kind}'")
            try:
                value = parse_number(match[0])
            except ValueError as error:
                raise self.broken(str(error)) from None
            values.append(value)
            self.at = match.end()
            self.skip()
        return np.array(values)

    def step(self, kind: str, given: np.ndarray, *, relative: bool) -> None:
        self.most -= PIECES if kind in _CURVES else 1
        if self.most < 0:
            raise self.broken("it has more points than any stroke")
        here = self.place
        if kind == "A":
            end = given[5:] + (here if relative else 0.0)
            self.add(arc(here, given[:2], math.radians(given[2]), bool(given[3]), bool(given[4]), end), end)
        elif kind in ("H", "V"):
            end = here.copy()
            axis = "HV".index(kind)
            end[axis] = given[0] + (here[axis] if relative else 0.0)
            self.add(end[None], end)
        else:
            places = given.reshape(-1, 2) + (here if relative else 0.0)
            self.drawn(kind, places)
        self.before = kind
        if not np.abs(self.place).max() <= LARGEST:
            raise self.broken("it leaves all bounds; the drawing is damaged")

    def drawn(self, kind: str, places: np.ndarray) -> None:
        """One step whose numbers are all places."""
        here, end = self.place, places[-1]
        if kind == "M":
            self.done.append([end[None]])
            self.place = self.start = end
        elif kind == "L":
            self.add(end[None], end)
        else:
            family = "CS" if kind in "CS" else "QT"
            mirrored = 2.0 * here - self.control if self.before and self.before in family else here
            inner = [mirrored, *places[:-1]] if kind in "ST" else list(places[:-1])
            self.control = inner[-1]
            self.add(bezier(here, *inner, end), end)

    def add(self, points: np.ndarray, end: np.ndarray) -> None:
        if self.before == "Z":  # after a closed line the next one begins where that began
            self.done.append([self.place[None]])
        self.done[-1].append(points)
        self.place = end

    def close(self) -> None:
        if self.before != "Z":
            if not np.array_equal(self.place, self.start):
                self.done[-1].append(self.start[None])
            self.place = self.start
        self.before = "Z"

    def skip(self) -> None:
        self.at = SPACE.match(self.data, self.at).end()  # type: ignore[union-attr]  # it matches nothing, too

    def broken(self, why: str) -> BrokenPathError:
        met = f"there is '{self.data[self.at : self.at + 16]}'" if self.at < len(self.data) else "it ends there"
        return BrokenPathError(f"the path breaks at character {self.at + 1}: {why}; {met}")


def _ordinal(index: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")[index]

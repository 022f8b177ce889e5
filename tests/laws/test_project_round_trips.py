"""A document survives its project's folder bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from animato.formats import load_character
from animato.motion import Clip, Posture
from animato.studio.document import Document, Keep, Read, Take
from animato.studio.project import Keeper

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
WORDS = st.text(max_size=20)
NAMES = st.text(min_size=1, max_size=70)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.integers(-(2**60), 2**60) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
LAMP = load_character("lamp")
CHARACTERS = (LAMP, replace(LAMP, description="changed"))


@dataclass(frozen=True, eq=False)
class Kept:
    """A source with plain values and clips of its own."""

    kind: ClassVar[str] = "kept"
    values: Any
    clips: tuple[Clip, ...]

    def for_file(self, keep: Keep) -> dict[str, Any]:
        return {"values": self.values, "clips": [keep(clip, f"part{n}") for n, clip in enumerate(self.clips)]}

    def for_page(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Kept:
        return cls(values["values"], tuple(read(name) for name in values["clips"]))


@st.composite
def clips(draw: st.DrawFn) -> Clip:
    count = draw(st.integers(1, 4))
    names = tuple(
        draw(st.lists(st.sampled_from((*LAMP.coordinate_names, "time", "x [deg]", "\u00e9", " odd")), unique=True))
    )
    values = draw(arrays(np.float64, (count, len(names)), elements=NUMBERS))
    times = np.cumsum(draw(arrays(np.float64, count, elements=st.floats(1e-3, 10.0))))
    base = draw(st.none() | arrays(np.float64, (count, 3), elements=NUMBERS))
    return Clip(times, names, values, base, None, draw(st.sampled_from(("", 'a, "b"\n'))))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    document = Document(draw(st.sampled_from(CHARACTERS)), "lamp")
    for wanted in draw(st.lists(NAMES, max_size=4)):
        if not any(letter.isalnum() for letter in wanted):
            continue
        motion, performed = draw(st.none() | clips()), draw(st.none() | clips())
        source = Kept(draw(PLAIN), tuple(draw(st.lists(clips(), max_size=2))))
        verb = "fix" if performed is not None else ""
        take = Take(document.free_name(wanted), source, motion, performed, verb, draw(WORDS))
        document = document.with_take(take, opened=draw(st.booleans()))
    values = draw(st.dictionaries(WORDS, PLAIN, max_size=3))
    document = replace(document, settings={"tool": values}, current=document.current or _first(document))
    for name in draw(st.lists(WORDS, max_size=2)):
        document = document.with_posture(name, Posture(("a", "b"), draw(arrays(np.float64, 2, elements=NUMBERS)), name))
    return document


def _first(document: Document) -> str:
    return document.takes[0].name if document.takes else ""


def _same(first: Clip | None, second: Clip | None) -> bool:
    if first is None or second is None:
        return first is second
    return first.same_as(second) and first.source == second.source


def _check(again: Document, document: Document) -> None:
    assert again.character == document.character and again.current == document.current
    assert [one.name for one in again.takes] == [one.name for one in document.takes]
    assert again.settings == document.settings and list(again.postures) == list(document.postures)
    for name, posture in document.postures.items():
        assert again.postures[name].positions.tobytes() == posture.positions.tobytes()
        assert (again.postures[name].names, again.postures[name].source) == (posture.names, posture.source)
    for one, other in zip(again.takes, document.takes, strict=True):
        assert _same(one.motion, other.motion) and _same(one.performed, other.performed)
        assert (one.verb, one.remark) == (other.verb, other.remark)
        assert isinstance(one.source, Kept) and isinstance(other.source, Kept)
        assert one.source.values == other.source.values
        assert all(_same(a, b) for a, b in zip(one.source.clips, other.source.clips, strict=True))


@given(first=documents(), second=documents())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_documents_come_back_bit_for_bit(first: Document, second: Document) -> None:
    with TemporaryDirectory() as folder:
        for document in (first, second, second):  # new, over another one, and unchanged
            keeper = Keeper(Path(folder))
            keeper.keep(document)
            keeper.close()
            told: list[str] = []
            keeper = Keeper(Path(folder))
            again = keeper.load({"kept": Kept}, told.append)
            _check(again, document)
            assert told == []
            keeper.keep(again.with_settings("other", number=1))  # only that is written, the rest stays as it is
            keeper.close()
            keeper = Keeper(Path(folder))
            _check(replace(keeper.load({"kept": Kept}), settings=document.settings), document)
            keeper.close()

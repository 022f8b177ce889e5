"""Whatever pages send, in whatever order: answered in a sentence, saved, and undone to the beginning."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from animato.studio.desk import Desk, Fields
from animato.studio.document import Document
from animato.studio.opening import SOURCES, all_tools
from animato.studio.project import Keeper, load_project, new_document, save_project
from animato.studio.workers import Inline, Job
from animato.studio.workers.workshop import Failed, Then
from tests.studio_builders import FakePage

CHARACTERS = ["pico", "four_bar", "arm6", "lamp", "rod"]
OURS = "Something is wrong in the studio itself"
SLOW_LANES = ("trace", "board", "design", "steady", "capture")  # what takes a second is tested elsewhere

WRONG: list[Any] = [
    *(None, True, 0, -1, 2, 1e308, -1e308, 1e-320, 10**400, "", " ", "..", "../../etc/passwd", "/etc/passwd"),
    *("a\0b", "\ud800", "<img src=x onerror=alert(1)>", "x" * 5_000, "x" * 20_000, "nul", "NaN", "\U0001f483" * 50),
    *([], {}, [[]], [None], [[1, 2], [3]], [1e308] * 3, [10**400] * 3, ["1", "2", "3"], {"a": 1}, [0] * 100_000),
    *({"": {"": {}}}, ["a"], [{}], [{"name": []}]),
]
WORDS = ["one", "g1", "g2", "stretch", "cut", "board", "floor", "view", "alpha", "jerk", "axis", "length", "hello"]
NUMBERS = [0, 1, 3, 0.5, -0.5, 2.0, 10.0, 1e-9, 1e6]


class Hasty(Inline):
    """A workshop in which all that takes long fails."""

    def start(
        self, title: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> Job:
        job = Job(1, title, lambda: None, over=True)
        (failed or self._trouble)("It was not done.")
        return job

    def quickly(
        self, lane: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> None:
        if not lane.startswith(SLOW_LANES):
            super().quickly(lane, function, *arguments, then=then, failed=failed)
        elif failed is not None:
            failed("It was not done.")


class Heard(dict[str, Any]):
    """Fields of a message that write down which of them are read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


class Bench:
    """A desk with all tools and two pages, and what each message reads."""

    def __init__(self, character: str, folder: Path) -> None:
        self.keeper = Keeper(folder)
        self.desk = Desk(new_document(character), None, self.keeper.folder)
        self.desk.equip(all_tools(self.desk, Hasty(), self.keeper))
        self.pages = [FakePage("one"), FakePage("two")]
        for page in self.pages:
            self.desk.join(page)
        self.desk.tools["pose"].wait()  # type: ignore[attr-defined]
        self.desk.run_due()
        self.names = {do: self._read_by(do) for do in sorted(self.desk._answers)}

    def _read_by(self, do: str) -> list[str]:
        """Fields that a message asks for, by asking it again and again with what it asked for so far."""
        fate, names = random.Random(1), set[str]()
        for _ in range(12):
            heard = Heard({name: fate.choice(self.fitting()) for name in names})
            with contextlib.suppress(Exception):  # what is wrong is found below
                self.desk._answers[do](self.pages[0], Fields(heard))
            names |= heard.names
        return sorted(names)

    def fitting(self) -> list[Any]:
        """Values that make sense somewhere."""
        document = self.desk.document
        names = list(document.character.coordinate_names)
        things = [*WORDS, *NUMBERS, True, False, *(one.name for one in document.takes)]
        things += [document.character.bodies[-1].name, *names[:2], [one.name for one in document.takes]]
        things += [
            [0.1, 0.2, 0.3],
            [0.1, 0.2],
            [0.5],
            [0.0, 1.0],
            [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0],
            [0.0] * len(names),
        ]
        things += [{names[0]: 0.2}, [[0.1 * n, 0.02 * n, 0.01 * n * n, 0.5] for n in range(20)], "project.json"]
        things += [[0.0] * len(names)]
        return things

    def send(self, page: int, do: str, fields: dict[str, Any]) -> None:
        """Sends a message; what pages are told is plain JSON, and no fault of ours."""
        told = self.pages[page].sent
        told.clear()
        with contextlib.redirect_stderr(io.StringIO()) as complaints:
            self.desk.answer(self.pages[page], json.dumps({"do": do, "id": 1, **fields}))
            self.desk.run_due()
        assert "Traceback" not in complaints.getvalue(), complaints.getvalue()
        assert any(one.get("re") == 1 for one in told), do
        for one in told:
            assert OURS not in str(one.get("error", "")), (do, one)
            plain = {key: value for key, value in one.items() if key not in one.get("arrays", {}) and key != "arrays"}
            json.dumps(plain, allow_nan=False)


@pytest.fixture(scope="module", params=CHARACTERS)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(request.param, tmp_path_factory.mktemp("project"))
    yield made
    made.desk.close()
    made.desk.run_due()
    made.keeper.close()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_messages_of_any_kind(bench: Bench, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(4, 16))):
        do = data.draw(st.sampled_from(sorted(bench.names)))
        values = st.one_of(st.sampled_from(bench.fitting()), st.sampled_from(WRONG), st.floats(-5.0, 5.0))
        names = data.draw(st.lists(st.sampled_from(bench.names[do]), unique=True)) if bench.names[do] else []
        bench.send(data.draw(st.integers(0, 1)), do, {name: data.draw(values) for name in names})
    comes_back(bench.desk.document)
    while bench.desk.history.undo_label:
        bench.send(0, "undo", {})
    comes_back(bench.desk.document)


def comes_back(document: Document) -> None:
    """Saved and opened, a document is the same."""
    with tempfile.TemporaryDirectory() as folder:
        save_project(Path(folder), document)
        told: list[str] = []
        again = load_project(folder, SOURCES, told.append)
    assert not told
    assert again.character == document.character
    assert (again.current, list(again.postures)) == (document.current, list(document.postures))
    assert json.dumps(again.settings) == json.dumps(json.loads(json.dumps(document.settings, default=list)))
    assert [one.for_page() for one in again.takes] == [one.for_page() for one in document.takes]
    for one, other in zip(again.takes, document.takes, strict=True):
        assert one.source.for_page() == other.source.for_page()
        if one.clip is not None and other.clip is not None:
            assert np.array_equal(one.clip.positions, other.clip.positions)

import json
import threading
from collections.abc import Mapping

import numpy as np
import pytest

from animato.errors import OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool, packed
from animato.studio.document import Document
from tests.studio_builders import FakePage, ask, document_of, take_of, unpacked


class Counting(Tool):
    """Edits, fails and counts."""

    name = "count"

    def __init__(self, desk: Desk) -> None:
        self.desk, self.changes, self.gone = desk, 0, []

    def answers(self) -> Mapping[str, Answer]:
        return {"count.add": self.add, "count.fail": self.fail, "count.break": self.broken}

    def add(self, page: Page, fields: Fields) -> dict[str, object]:
        self.desk.edit_take("added", take_of(self.desk.document, fields.text("name")))
        return {"name": fields.text("name")}

    def fail(self, page: Page, fields: Fields) -> None:
        raise OptionError("`name` is wrong.")

    def broken(self, page: Page, fields: Fields) -> None:
        raise ZeroDivisionError("oh")

    def changed(self, before: Document, after: Document) -> None:
        self.changes += 1

    def left(self, page: Page) -> None:
        self.gone.append(page.name)


def equipped() -> tuple[Desk, Counting, FakePage]:
    desk = Desk(document_of())
    tool = Counting(desk)
    desk.equip([tool])
    page = FakePage()
    desk.join(page)
    desk.run_due()
    return desk, tool, page


def test_a_page_is_told_everything_when_it_comes_and_of_every_change() -> None:
    desk, tool, page = equipped()
    assert page.sent[0]["say"] == "hello"
    assert page.sent[0]["tools"] == {"count": {}}
    assert ask(desk, page, "count.add", name="wave") == {"re": 1, "name": "wave"}
    assert page.last("document")["takes"][0]["name"] == "wave"
    assert page.last("document")["undo"] == "added"
    assert tool.changes == 1


def test_undo_and_redo_are_told_to_all_pages() -> None:
    desk, tool, page = equipped()
    other = FakePage("two")
    desk.join(other)
    desk.run_due()
    ask(desk, page, "count.add", name="wave")
    ask(desk, other, "undo")
    assert page.last("document")["takes"] == []
    assert (page.last("document")["undo"], page.last("document")["redo"]) == ("", "added")
    ask(desk, page, "undo")  # nothing there: nothing happens
    ask(desk, page, "redo")
    assert other.last("document")["takes"][0]["name"] == "wave"
    assert tool.changes == 3


def test_errors_are_sentences_and_the_desk_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    desk, _, page = equipped()
    assert ask(desk, page, "count.fail")["error"] == "`name` is wrong."
    assert "itself" in ask(desk, page, "count.break")["error"]
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert "Did you mean 'count.add'" in ask(desk, page, "count.ad")["error"]
    for wrong in ("", "[]", "{", "3", '{"do": 4}', '{"do": null}', "[" * 100_000):
        desk.answer(page, wrong)
        assert "error" in page.sent[-1]
    assert "`name` is missing" in ask(desk, page, "count.add")["error"]
    assert ask(desk, page, "count.add", name="x")["name"] == "x"


def test_pages_that_left_are_told_nothing() -> None:
    desk, tool, page = equipped()
    desk.leave(page)
    desk.leave(page)
    desk.run_due()
    before = len(page.sent)
    desk.edit_take("added", take_of(desk.document))
    assert len(page.sent) == before
    assert tool.gone == ["one"]


def test_messages_are_done_in_order_in_one_thread() -> None:
    desk, _, _ = equipped()
    seen: list[tuple[int, str]] = []
    desk.start()
    done = threading.Event()
    for n in range(200):
        desk.post(lambda n=n: seen.append((n, threading.current_thread().name)))
    ticks: list[int] = []
    timer = desk.every(0.001, lambda: ticks.append(1))
    desk.later(0.05, done.set)
    assert done.wait(10.0)
    timer.cancel()
    desk.close()
    assert [n for n, _ in seen] == list(range(200))
    assert {name for _, name in seen} == {"animato-desk"}
    assert len(ticks) >= 3


def test_a_result_finds_the_take_that_asked_for_it_or_not() -> None:
    desk, _, _ = equipped()
    take = take_of(desk.document)
    desk.edit_take("added", take)
    assert desk.amend_take(take, take.performed_by("fix", take.motion))
    assert desk.document.takes[0].verb == "fix"
    desk.edit_take("changed", take.made_anew(take_of(desk.document, number=3.0).source, take.motion))
    assert not desk.amend_take(take, take.performed_by("fix", take.motion))
    assert desk.document.takes[0].verb == ""


def test_numbers_are_packed_where_a_browser_finds_them() -> None:
    message = packed("pose", {"figure": "main"}, {"a": np.arange(6).reshape(2, 3), "b": np.array(0.5)})
    found = unpacked(message)
    assert found["figure"] == "main"
    np.testing.assert_array_equal(found["arrays"]["a"], np.arange(6).reshape(2, 3))
    assert int.from_bytes(message[:4], "little") % 4 == 0


@pytest.mark.parametrize("value", [None, "x", True, float("nan"), [1], 12, -1, 10**400, 1e300])
def test_numbers_outside_of_their_bounds_are_refused(value: object) -> None:
    fields = Fields(json.loads(json.dumps({"alpha": value})))
    with pytest.raises(OptionError, match="`alpha`"):
        fields.number("alpha", least=0.0, most=10.0)


@pytest.mark.parametrize(
    "value", [None, [[1, 2]], [1, 2, "x"], [1, 2, None], {"a": 1}, [1, 2], [[1], [2, 3]], [10**400] * 3]
)
def test_arrays_of_another_shape_are_refused(value: object) -> None:
    with pytest.raises(OptionError, match="`place` is"):
        Fields({"place": value}).numbers("place", (3,))


def test_fields_that_are_there_are_read() -> None:
    fields = Fields({"a": 2, "b": [1, 2.5, 3], "c": "x", "d": False, "e": {"f": 1}, "g": [{"h": 2}]})
    assert fields.whole("a") == 2
    assert fields.numbers("b", (3,)).tolist() == [1.0, 2.5, 3.0]
    assert fields.choice("c", ("x", "y")) == "x"
    assert fields.flag("d") is False
    assert fields.fields("e").number("f") == 1.0
    assert fields.all_fields("g")[0].number("h") == 2.0
    assert fields.number("z", 4.0) == 4.0
    assert not fields.has("z")


@pytest.mark.parametrize(
    "text",
    [
        *('"', "[]", "{}", '{"do": []}', '{"do": {}}', '{"do": 1, "id": [[]]}', '{"do": "undo", "a": NaN}'),
        *('{"do": "count.add", "name": -Infinity}', '{"do": "count.add", "name": ' + "9" * 10_000 + "}"),
        *("[" * 100_000, '{"do": "count.add", "id": ' + "[" * 900 + "]" * 900 + "}"),
    ],
)
def test_what_is_no_message_is_answered_in_a_sentence(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    desk, _, page = equipped()
    desk.answer(page, text)
    assert page.errors() and "Something is wrong" not in page.errors()[0]
    assert not capfd.readouterr().err

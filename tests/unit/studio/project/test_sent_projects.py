"""A project's folder that somebody sent, with anything in it: it opens or says why not, and touches nothing else."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from animato.errors import AnimatoError
from animato.studio.capturing import Captured
from animato.studio.document import Document
from animato.studio.drawing import Drawn
from animato.studio.keys import Keyed
from animato.studio.project import Keeper, load_project
from tests.studio_builders import PlainSource, document_of, take_of

KINDS: dict[str, Any] = {"plain": PlainSource, "keyed": Keyed, "drawn": Drawn, "captured": Captured}
SECRET = "mine alone"


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """The folder of a project, beside a folder of the one who opens it."""
    keeper = Keeper(tmp_path / "sent")
    first = document_of()
    keeper.keep(first.with_take(take_of(first, "one")))
    keeper.close()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "diary.txt").write_text(SECRET)
    return tmp_path / "sent"


def worked_on(folder: Path) -> None:
    """Opens a project, changes everything in it, and closes it."""
    keeper = Keeper(folder)
    try:
        document = keeper.load(KINDS)
        for number in range(2):
            document = document.with_take(take_of(document, "one", number=number)).with_take(take_of(document, "new"))
            keeper.keep(document)
    finally:
        keeper.close()


@pytest.mark.parametrize(
    "name",
    [
        *(".studio.lock", ".saving.json", ".new..saving.json", ".new.project.json", "project.json"),
        *("takes/one.json", "takes/.new.one.json", "takes/new.json", "takes/.new.new.json"),
        *("clips/one.csv", "clips/.new.one.csv", "clips/.new.new.csv"),
    ],
)
def test_a_link_to_a_file_of_mine_leaves_it_as_it_is(sent: Path, name: str) -> None:
    diary = sent.parent / "home" / "diary.txt"
    (sent / name).unlink(missing_ok=True)
    (sent / name).symlink_to(diary)
    with contextlib.suppress(AnimatoError):  # it may refuse, in a sentence
        worked_on(sent)
    assert diary.read_text() == SECRET
    assert [one.name for one in diary.parent.iterdir()] == [diary.name]


@pytest.mark.parametrize("name", ["takes", "clips", "set_aside", "character"])
def test_a_link_to_a_folder_of_mine_has_nothing_put_there(sent: Path, name: str) -> None:
    home = sent.parent / "home"
    shutil.rmtree(sent / name, ignore_errors=True)
    (sent / name).symlink_to(home)
    if name == "set_aside":
        (sent / "takes" / "one.json").write_text("{")  # it would be put there
    with contextlib.suppress(AnimatoError):
        worked_on(sent)
    assert [one.name for one in home.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize("part", ["written", "removed"])
def test_a_list_of_work_left_to_do_reaches_nothing_outside(sent: Path, part: str) -> None:
    diary = sent.parent / "home" / "diary.txt"
    (diary.parent / ".new.diary.txt").write_text("yours")
    todo: dict[str, list[Any]] = {"written": [], "removed": []}
    (sent / ".saving.json").write_text(json.dumps({**todo, part: ["../home/diary.txt", str(diary)]}))
    worked_on(sent)
    assert diary.read_text() == SECRET


WRONG: list[Any] = [
    *(None, True, 1, -1.5, 10**30, "", "x", "../home/diary.txt", "<b>x</b>", "\ud800", "a\0b"),
    *([], {}, [[]], [None], {"kind": "keyed"}, {"kind": []}, ["takes/one.json"] * 3, {"": {"": {}}}),
]


@pytest.mark.parametrize("field", ["character", "current", "takes", "postures", "settings", "files", "animato"])
def test_a_project_file_with_anything_in_a_field(sent: Path, field: str) -> None:
    good = json.loads((sent / "project.json").read_text())
    for value in WRONG:
        (sent / "project.json").write_text(json.dumps({**good, field: value}))
        opened(sent)


@pytest.mark.parametrize("field", ["name", "source", "motion", "performed", "verb", "remark"])
def test_a_take_with_anything_in_a_field(sent: Path, field: str) -> None:
    good = (sent / "takes" / "one.json").read_text()
    whole = (sent / "project.json").read_text()
    clips = {one: one.read_bytes() for one in (sent / "clips").iterdir()}
    for value in WRONG:
        (sent / "project.json").write_text(whole)
        (sent / "takes" / "one.json").write_text(json.dumps({**json.loads(good), field: value}))
        for place, content in clips.items():
            place.write_bytes(content)
        document = opened(sent)
        assert document is not None
        json.dumps([one.for_page() for one in document.takes], allow_nan=False)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"animato": ' + "9" * 100_000 + "}",
        '{"animato": 1, "character": "lamp", "settings": {"draw": {"a": NaN, "b": 1e999}}}',
        '{"animato": 1, "animato": 2, "character": "lamp"}',
        '{"animato": 1, "character": "lamp", "settings": {' + ",".join(f'"{n}": {{}}' for n in range(50_000)) + "}}",
        "\x00" * 1000,
    ],
    ids=["lists", "objects", "digits", "no numbers", "twice", "many", "nothing"],
)
def test_a_project_file_that_wants_to_be_too_much(sent: Path, text: str) -> None:
    (sent / "project.json").write_text(text)
    opened(sent)


def opened(folder: Path) -> Document | None:
    """The project, which can then be kept; None where it is refused in a sentence."""
    try:
        document = load_project(folder, KINDS)
    except AnimatoError as error:
        assert 10 < len(str(error)) < 1000
        return None
    keeper = Keeper(folder.parent / "again")
    keeper.keep(document)
    keeper.close()
    assert not keeper.kept.trouble, keeper.kept.trouble
    shutil.rmtree(keeper.folder)
    return document

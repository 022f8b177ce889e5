"""The project's tool: whether all is saved, and another character."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from animato.formats import load_character, save_character
from animato.studio.desk import Desk
from animato.studio.keys import Keyed
from animato.studio.project import Keeper, ProjectTool, load_project, new_document, with_character, with_clip
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, ask, document_of, take_of


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[tuple[Desk, Keeper, FakePage]]:
    keeper = Keeper(tmp_path / "dance")
    desk = Desk(new_document("lamp"), keeper.keep, keeper.folder)
    desk.equip([ProjectTool(desk, Inline(), keeper)])
    page = FakePage()
    desk.join(page)
    desk.run_due()
    yield desk, keeper, page
    keeper.close()


def until_saved(desk: Desk, page: FakePage) -> None:
    end = time.monotonic() + 5.0
    while time.monotonic() < end and not (page.told("saved") and page.last("saved")["saved"]):
        time.sleep(0.01)
        desk.run_due()


def test_pages_are_told_when_all_is_saved(studio: tuple[Desk, Keeper, FakePage]) -> None:
    desk, _, page = studio
    state = page.last("hello")["tools"]["project"]
    assert (
        state["folder"] == "dance"
        and {"name": "pico", "words": "Small whole-body humanoid, 45 cm, 24 servos"} in (state["characters"])
    )
    desk.edit_take("new", take_of(desk.document, "b"))
    assert page.last("saved")["saved"] is False
    until_saved(desk, page)
    assert page.last("saved")["saved"] is True and page.last("saved")["when"] > 0.0
    assert ask(desk, page, "project.save")["saved"] is True


def test_another_character_keeps_what_fits(studio: tuple[Desk, Keeper, FakePage]) -> None:
    desk, _, page = studio
    ask(desk, page, "project.character", name="rod")
    assert desk.document.character.name == "rod" and [one.name for one in desk.document.takes] == ["take 1"]
    ask(desk, page, "undo")
    assert desk.document.character.name == "lamp"
    assert "error" in ask(desk, page, "project.character", name="../lamp")
    assert "error" in ask(desk, page, "project.character", file="../lamp.yaml")


def test_a_character_from_a_file_goes_into_the_project(studio: tuple[Desk, Keeper, FakePage]) -> None:
    desk, keeper, page = studio
    place = keeper.folder / "captures" / "four.urdf"
    place.parent.mkdir(parents=True)
    save_character(place, load_character("skeleton_a"))
    assert "error" not in ask(desk, page, "project.character", file="captures/four.urdf")
    until_saved(desk, page)
    keeper.close()
    assert load_project(keeper.folder, {"keyed": Keyed}).character == desk.document.character


def test_the_same_joints_keep_all_takes_but_not_what_kept_other_limits() -> None:
    document = document_of()
    take = take_of(document, "a")
    document = document.with_take(take.performed_by("fix", take.motion)).with_settings("draw", alpha=1.0)
    other = with_character(document, load_character("lamp"), "lamp")
    assert other.takes[0].performed is None and other.takes[0].verb == "" and other.settings == document.settings
    assert with_character(document, load_character("rod"), "rod").settings == {}


def test_a_document_begins_with_a_clip() -> None:
    document = with_clip(new_document("lamp"), "lamp_look")
    assert [one.name for one in document.takes] == ["take 1", "lamp_look"] and document.current == "lamp_look"

"""A project is opened as it was left, whatever happened in between."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion import Clip, Posture
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed
from animato.studio.project import Keeper, inside, is_project, load_project, stems
from animato.studio.project.together import LIST, change, complete, put_beside
from tests.studio_builders import PlainSource, document_of, take_of

KINDS = {"plain": PlainSource, "keyed": Keyed}


def saved(folder: Path, *documents: Document) -> None:
    keeper = Keeper(folder)
    for document in documents:
        keeper.keep(document)
    keeper.close()


def three_takes() -> Document:
    document = document_of()
    for name in ("one", "two", "three"):
        document = document.with_take(take_of(document, name))
    return document


def test_a_project_comes_back(tmp_path: Path) -> None:
    document = three_takes().opened("two").with_settings("draw", alpha=0.1, freed=["a", "b"])
    document = document.with_posture(
        "proud", Posture(document.character.coordinate_names[:1], np.array([0.1]), "by hand")
    )
    lamp = document.character
    keyed = Keyed.of(load_clip("lamp_look", lamp))
    document = document.with_take(Take("look", keyed, keyed.clip, keyed.clip, "fix", "It is \u00e9."), opened=False)
    saved(tmp_path, document)
    again = load_project(tmp_path, KINDS)
    assert again.character == document.character and again.character_name == "lamp"
    assert [one.name for one in again.takes] == ["one", "two", "three", "look"]
    assert again.current == "two" and again.settings == document.settings
    assert again.postures["proud"].positions[0] == 0.1 and again.postures["proud"].source == "by hand"
    look = again.take("look")
    assert isinstance(look.source, Keyed) and look.source.base.same_as(keyed.base)
    assert look.performed is not None and look.performed.same_as(keyed.clip)
    assert (look.verb, look.remark) == ("fix", "It is \u00e9.")


def test_only_what_changed_is_written_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    document = three_takes()
    saved(tmp_path, document)
    keeper = Keeper(tmp_path)
    document = keeper.load(KINDS)
    before = {place: place.stat().st_ino for place in tmp_path.rglob("*.*") if place.is_file()}
    keeper.keep(document.without_take("one").renamed("two", "zwei"))
    keeper.close()
    after = {place: place.stat().st_ino for place in tmp_path.rglob("*.*") if place.is_file()}
    told = {place.relative_to(tmp_path).as_posix() for place in before.keys() - after.keys()}
    assert told == {"takes/one.json", "clips/one.csv", "takes/two.json", "clips/two.csv"}
    changed = {place.relative_to(tmp_path).as_posix() for place in after if before.get(place) != after[place]}
    assert changed == {"project.json", "takes/zwei.json", "clips/zwei.csv"}
    assert [one.name for one in load_project(tmp_path, KINDS).takes] == ["zwei", "three"]


def test_a_character_that_is_not_shipped_is_in_the_project(tmp_path: Path) -> None:
    lamp = replace(load_character("lamp"), description="one with another shade")
    saved(tmp_path, Document(lamp, "lamp"))
    assert (tmp_path / "character" / "lamp.yaml").is_file()
    again = load_project(tmp_path, KINDS)
    assert again.character == lamp and again.character_name == "character/lamp.yaml"
    saved(tmp_path, again, replace(again, character=load_character("lamp"), character_name="lamp"))
    assert not (tmp_path / "character" / "lamp.yaml").exists()


def test_a_damaged_take_is_kept_aside_and_the_others_open(tmp_path: Path) -> None:
    saved(tmp_path, three_takes())
    (tmp_path / "takes" / "two.json").write_text('{\n "name": "two",\n oh no\n}')
    told: list[str] = []
    keeper = Keeper(tmp_path)
    document = keeper.load(KINDS, told.append)
    assert [one.name for one in document.takes] == ["one", "three"]
    assert len(told) == 1 and "two.json, line 3" in told[0]
    keeper.keep(document.with_take(take_of(document, "two", number=2.0)))
    keeper.close()
    assert "oh no" in (tmp_path / "set_aside" / "two.json").read_text()
    assert len(load_project(tmp_path, KINDS, told.append).takes) == 3 and len(told) == 1


@pytest.mark.parametrize(
    "content", ["[]", '{"source": 3}', '{"source": {"kind": "song"}}', '{"source": {"kind": "plain"}}']
)
def test_a_foreign_take_is_told_of(tmp_path: Path, content: str) -> None:
    saved(tmp_path, three_takes())
    (tmp_path / "takes" / "two.json").write_text(content)
    told: list[str] = []
    assert len(load_project(tmp_path, KINDS, told.append).takes) == 2
    assert "two.json" in told[0]


def test_a_clip_that_is_gone_leaves_the_source(tmp_path: Path) -> None:
    saved(tmp_path, three_takes())
    (tmp_path / "clips" / "two.csv").unlink()
    told: list[str] = []
    take = load_project(tmp_path, KINDS, told.append).take("two")
    assert take.motion is None and take.remark and "two.csv" in told[0]


def test_a_clip_of_keys_that_is_gone_is_made_anew(tmp_path: Path) -> None:
    document = document_of()
    keyed = Keyed.hold(document.character, 1.0)
    keyed = keyed.with_keys([keyed.key_here(0.0), replace(keyed.key_here(0.5), pose=np.full(5, 0.1))])
    saved(tmp_path, document.with_take(Take("keys", keyed, keyed.clip)))
    (tmp_path / "clips" / "keys.csv").write_text("time [s],\nbroken")
    told: list[str] = []
    take = load_project(tmp_path, KINDS, told.append).take("keys")
    assert take.motion is not None and take.motion.same_as(keyed.clip)
    assert "made anew from its keys" in take.remark and "keys.csv" in told[0]


def test_a_clip_that_was_changed_by_hand_is_taken_as_it_is(tmp_path: Path) -> None:
    saved(tmp_path, three_takes())
    place = tmp_path / "clips" / "two.csv"
    place.write_text(place.read_text().replace("\n1.0,", "\n1.5,"))
    take = load_project(tmp_path, KINDS).take("two")
    assert take.motion is not None and take.motion.duration == 1.5 and "outside" in take.remark


def test_a_project_file_that_cannot_be_read_is_an_error_with_a_line(tmp_path: Path) -> None:
    (tmp_path / "project.json").write_text('{\n"animato": 1,,}')
    with pytest.raises(AnimatoError, match=r"project.json, line 2"):
        load_project(tmp_path, KINDS)
    (tmp_path / "project.json").write_text('{"animato": 99, "written_by": "9.9"}')
    with pytest.raises(AnimatoError, match="later animato"):
        load_project(tmp_path, KINDS)


def test_two_studios_do_not_work_in_one_folder(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    with pytest.raises(AnimatoError, match="Another studio"):
        Keeper(tmp_path)
    keeper.close()
    Keeper(tmp_path).close()


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(AnimatoError, match="other things"):
        Keeper(tmp_path)
    assert not is_project(tmp_path)


def test_files_of_others_are_not_written_over(tmp_path: Path) -> None:
    saved(tmp_path, document_of())
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "one.csv").write_text("mine")
    saved(tmp_path, three_takes())
    assert (tmp_path / "set_aside" / "one.csv").read_text() == "mine"
    assert load_project(tmp_path, KINDS).take("one").motion is not None


def test_what_cannot_be_saved_is_told_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(tmp_path)
    troubles = []
    keeper.on_kept = lambda kept: troubles.append(kept.trouble)
    document = document_of()
    monkeypatch.setattr(PlainSource, "for_file", lambda self, keep: {"number": object()})
    keeper.keep(document.with_take(take_of(document)))
    until = time.monotonic() + 5.0
    while not troubles and time.monotonic() < until:
        time.sleep(0.01)
    assert "cannot be kept" in troubles[0] and not keeper.kept.saved
    monkeypatch.undo()
    keeper.close()
    assert load_project(tmp_path, KINDS).takes


def test_a_change_is_completed_or_never_was(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    put_beside(tmp_path, "a.txt", b"new")
    complete(tmp_path)  # no list: it never was
    assert (tmp_path / "a.txt").read_text() == "old" and len(list(tmp_path.iterdir())) == 1
    put_beside(tmp_path, "a.txt", b"new")
    put_beside(tmp_path, "b/c.txt", b"more")
    os.replace(tmp_path / ".new.a.txt", tmp_path / "a.txt")  # noqa: PTH105 - as a kill in the middle leaves it
    (tmp_path / LIST).write_text(json.dumps({"written": ["a.txt", "b/c.txt"], "removed": ["gone.txt"]}))
    complete(tmp_path)
    assert (tmp_path / "a.txt").read_text() == "new" and (tmp_path / "b" / "c.txt").read_text() == "more"
    assert not (tmp_path / LIST).exists()
    change(tmp_path, [], ["a.txt"])
    assert not (tmp_path / "a.txt").exists()


def test_a_list_of_somebody_else_does_nothing(tmp_path: Path) -> None:
    outside = tmp_path / "thesis.txt"
    outside.write_text("mine")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / LIST).write_text(json.dumps({"written": [], "removed": ["../thesis.txt"]}))
    complete(folder)
    assert outside.exists() and not (folder / LIST).exists()


@pytest.mark.parametrize(
    "name", ["../a", "/etc/passwd", "clips/../../a", ".studio.lock", "", "C:\\a", "a\0b", "\ud800", "x" * 300]
)
def test_names_outside_of_the_project_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(AnimatoError):
        inside(tmp_path, name)


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "clips").symlink_to(tmp_path)
    with pytest.raises(AnimatoError, match="leads out"):
        inside(tmp_path / "project", "clips/a.csv")


def test_stems_never_meet() -> None:
    names = ["Hello", "hello", "hello.base", "hello_base", "CON", "e\u0301", "\u00e9", "x" * 60, "\U0001f600" * 60, "."]
    found = stems(names)
    assert len({one.casefold() for one in found}) == len(names)
    assert not any("." in one or one.lower() == "con" for one in found)
    assert max(len(one.encode()) for one in found) <= 130


def test_a_clip_with_names_that_no_table_holds(tmp_path: Path) -> None:
    clip = Clip(np.array([0.0, 1.0]), (" a\t", "time"), np.array([[0.1, -0.0], [1e-300, 3.0]]))
    document = document_of()
    saved(tmp_path, document.with_take(Take("odd", PlainSource(), clip)))
    again = load_project(tmp_path, KINDS).take("odd").motion
    assert again is not None and again.same_as(clip)

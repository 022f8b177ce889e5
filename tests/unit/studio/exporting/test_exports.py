"""Every export is written, can be read again where it is meant to, and says what it does not hold."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from animato.character import Character
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.exporting import EXPORTS, ExportTool
from animato.studio.keys import Keyed
from animato.studio.project import load_project
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, PlainSource, ask

AT_HAND = ("motion", "character", "project")
HERE = [one.name for one in EXPORTS if one.needs in AT_HAND and one.name not in ("gif", "mp4", "fix_page", "fix_json")]


def short(clip: Clip) -> Clip:
    return clip.part(slice(0, 12))


def desk_of(folder: Path, character: Character, clip: Clip | None) -> tuple[Desk, FakePage]:
    source = PlainSource() if clip is None else Keyed.of(clip)
    document = Document(character, character.name).with_take(Take("look here", source, clip))
    desk = Desk(document, folder=folder)
    desk.equip([ExportTool(desk, Inline(), folder)])
    page = FakePage()
    return desk, page


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.mark.parametrize("what", HERE)
def test_every_export_is_written(tmp_path: Path, lamp: Character, what: str) -> None:
    desk, page = desk_of(tmp_path, lamp, short(load_clip("lamp_look", lamp)))
    assert "error" not in ask(desk, page, "export.make", what=what)
    told = page.last("exported")
    assert told.get("error") is None
    written = tmp_path / "exports" / told["file"]
    assert written.stat().st_size > 0
    assert [one.name for one in written.parent.iterdir()] == [told["file"]]


def test_tables_come_back_exactly(tmp_path: Path, lamp: Character) -> None:
    clip = short(load_clip("lamp_look", lamp))
    desk, page = desk_of(tmp_path, lamp, clip)
    for what in ("csv", "npz"):
        ask(desk, page, "export.make", what=what)
        assert load_clip(tmp_path / "exports" / page.last("exported")["file"], lamp).same_as(clip)


def test_a_character_comes_back(tmp_path: Path, lamp: Character) -> None:
    desk, page = desk_of(tmp_path, lamp, None)
    ask(desk, page, "export.make", what="character_yaml")
    assert load_character(tmp_path / "exports" / page.last("exported")["file"]) == lamp
    ask(desk, page, "export.make", what="character_glb")
    assert page.last("exported")["losses"]


def test_files_that_belong_together_are_one_archive(tmp_path: Path) -> None:
    desk, page = desk_of(tmp_path, load_character("four_bar"), None)
    ask(desk, page, "export.make", what="character_urdf")
    told = page.last("exported")
    assert told["file"] == "four_bar.urdf.zip"
    with zipfile.ZipFile(tmp_path / "exports" / told["file"]) as archive:
        assert {Path(name).suffix for name in archive.namelist()} == {".urdf", ".yaml"}


def test_the_project_opens_elsewhere(tmp_path: Path, lamp: Character) -> None:
    (tmp_path / "captures").mkdir()
    (tmp_path / "captures" / "a.bvh").write_text("HIERARCHY")
    desk, page = desk_of(tmp_path, lamp, short(load_clip("lamp_look", lamp)))
    ask(desk, page, "export.make", what="project")
    with zipfile.ZipFile(tmp_path / "exports" / page.last("exported")["file"]) as archive:
        archive.extractall(tmp_path / "elsewhere")
    (folder,) = (tmp_path / "elsewhere").iterdir()
    again = load_project(folder, {"keyed": Keyed})
    assert again.open_take is not None and again.open_take.name == "look here"
    assert (folder / "captures" / "a.bvh").is_file()


def test_links_lead_nothing_out_of_the_machine(tmp_path: Path, lamp: Character) -> None:
    private, project, linked = tmp_path / "private", tmp_path / "project", tmp_path / "linked"
    for folder in (private, project / "captures", linked):
        folder.mkdir(parents=True)
    (private / "key.bvh").write_text("secret")
    (project / "captures" / "key.bvh").symlink_to(private / "key.bvh")
    desk, page = desk_of(project, lamp, short(load_clip("lamp_look", lamp)))
    ask(desk, page, "export.make", what="project")
    with zipfile.ZipFile(project / "exports" / page.last("exported")["file"]) as archive:
        assert not [name for name in archive.namelist() if "key" in name]
    (linked / "exports").symlink_to(private, target_is_directory=True)
    desk, page = desk_of(linked, lamp, short(load_clip("lamp_look", lamp)))
    assert "leads out" in ask(desk, page, "export.make", what="csv")["error"]
    assert [one.name for one in private.iterdir()] == ["key.bvh"]


def test_what_is_not_there_is_said(tmp_path: Path, lamp: Character) -> None:
    desk, page = desk_of(tmp_path, lamp, None)
    assert "no motion yet" in ask(desk, page, "export.make", what="csv")["error"]
    assert "not drawn" in ask(desk, page, "export.make", what="strokes")["error"]
    assert "float" in _error(tmp_path, lamp)
    assert "Did you mean 'csv'" in ask(desk, page, "export.make", what="csw")["error"]


def _error(folder: Path, lamp: Character) -> str:
    desk, page = desk_of(folder, lamp, short(load_clip("lamp_look", lamp)))
    return str(ask(desk, page, "export.make", what="training_csv")["error"])


def test_training_tables_of_a_character_that_floats(tmp_path: Path) -> None:
    pico = load_character("pico")
    desk, page = desk_of(tmp_path, pico, short(load_clip("pico_hello", pico)))
    for what in ("training_csv", "training_npz"):
        ask(desk, page, "export.make", what=what)
        assert (tmp_path / "exports" / page.last("exported")["file"]).stat().st_size > 0


@pytest.mark.parametrize(("what", "inside"), [("ros2_bag", "metadata.yaml"), ("lerobot", "meta/info.json")])
def test_folders_of_other_programs_are_one_archive(tmp_path: Path, lamp: Character, what: str, inside: str) -> None:
    desk, page = desk_of(tmp_path, lamp, short(load_clip("lamp_look", lamp)))
    ask(desk, page, "export.make", what=what)
    told = page.last("exported")
    with zipfile.ZipFile(tmp_path / "exports" / told["file"]) as archive:
        [root] = {name.split("/")[0] for name in archive.namelist()}
        assert f"{root}/{inside}" in archive.namelist()
        assert json.loads(archive.read(f"{root}/about.json"))["motion"] == "look here"
    assert told["losses"]


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, lamp: Character) -> None:
    (tmp_path / "exports").write_text("no folder")
    desk, page = desk_of(tmp_path, lamp, short(load_clip("lamp_look", lamp)))
    ask(desk, page, "export.make", what="csv")
    assert page.last("exported")["error"]


def test_names_of_takes_do_not_lead_out(tmp_path: Path, lamp: Character) -> None:
    desk, page = desk_of(tmp_path, lamp, short(load_clip("lamp_look", lamp)))
    take = desk.document.takes[0]
    desk.edit("renamed", Document(lamp, "lamp", (replace(take, name="../../up"),), "../../up"))
    ask(desk, page, "export.make", what="csv")
    assert [one.parent.name for one in tmp_path.rglob("*.csv")] == ["exports"]


def test_each_export_says_what_it_is_for() -> None:
    for one in EXPORTS:
        told = one.for_page()
        assert told["words"].endswith(".") and (not told["lacks"] or told["lacks"].endswith("."))
        json.dumps(told)

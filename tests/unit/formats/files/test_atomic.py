from __future__ import annotations

import os
from pathlib import Path

import pytest

from animato.errors import AnimatoError
from animato.formats.files.atomic import check_writable, write_whole


def test_it_makes_folders_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b.txt"
    assert write_whole(target, "käse") == target
    assert target.read_text(encoding="utf-8") == "käse"
    assert list(target.parent.iterdir()) == [target]


def test_a_failed_write_keeps_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")

    def full(self: Path, other: Path) -> Path:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(AnimatoError, match="No space left"):
        write_whole(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(AnimatoError, match="is a folder"):
        write_whole(tmp_path, "x")
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(AnimatoError, match="Cannot write"):
        write_whole(file / "below.txt", "x")


def test_results_go_to_regular_files_only(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.npz", tmp_path / "link.npz"
    os.mkfifo(pipe)
    link.symlink_to(os.devnull)
    for place in (pipe, link, Path(os.devnull)):
        before = place.lstat()
        with pytest.raises(AnimatoError, match=r"pipe or a device|folder"):
            write_whole(place, "x")
        assert place.lstat().st_ino == before.st_ino, "it is still there"


@pytest.mark.parametrize("name", ["a\0b.npz", "x" * 5000 + ".npz", "\ud800.npz"])
def test_names_that_no_file_can_have_are_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(AnimatoError, match="Cannot write") as told:
        write_whole(tmp_path / name, "x")
    assert len(str(told.value)) < 6000
    check_writable(tmp_path / "new.npz")


def test_half_a_character_is_told(tmp_path: Path) -> None:
    with pytest.raises(AnimatoError, match="surrogates"):
        write_whole(tmp_path / "a.txt", "\ud800")
    assert not list(tmp_path.iterdir())

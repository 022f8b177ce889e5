from __future__ import annotations

from pathlib import Path

import pytest

from animato.errors import AnimatoError
from animato.formats.files.atomic import write_whole


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

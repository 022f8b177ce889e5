"""What cannot be written leaves nothing behind, and is no trouble any more once it is undone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import animato.studio.project.together as together_room
from animato.errors import AnimatoError
from animato.formats import load_character
from animato.studio.document import Document
from animato.studio.project import Keeper, Kept
from tests.studio_builders import take_of


def full(place: Path, content: bytes) -> None:
    place.write_bytes(content[: len(content) // 2])
    raise OSError(28, "No space left on device")


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 20.0
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_half_a_file_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together_room, "_write", full)
    with pytest.raises(AnimatoError, match="No space left"):
        together_room.put_beside(tmp_path, "clips/a.csv", b"0123456789")
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == []


def test_an_edit_that_cannot_be_saved_is_forgotten_when_it_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path / "p")
    told: list[Kept] = []
    keeper.on_kept = told.append
    before = Document(load_character("lamp"), "lamp")
    keeper.keep(before)
    until(lambda: keeper.kept.saved)
    with monkeypatch.context() as patched:
        patched.setattr(together_room, "_write", full)
        keeper.keep(before.with_take(take_of(before)))
        until(lambda: keeper.kept.trouble)
        assert not keeper.kept.saved
        keeper.keep(before)
        assert keeper.kept.saved and not keeper.kept.trouble
        assert told[-1].saved
    keeper.close()

"""What a newcomer finds can be done where it says so, and cannot where it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.errors import AnimatoError
from animato.findings import check
from animato.studio.demos import DEMOS, demo_document, first_document
from animato.studio.drawing import Drawn
from animato.studio.keys import Keyed
from animato.studio.project import load_project, save_project


@pytest.mark.parametrize("which", DEMOS)
def test_demos_open_as_projects(tmp_path: Path, which: str) -> None:
    document = demo_document(which)
    save_project(tmp_path, document)
    again = load_project(tmp_path, {"keyed": Keyed, "drawn": Drawn})
    assert [one.name for one in again.takes] == [one.name for one in document.takes]
    assert again.current == "hello"
    for one, other in zip(again.takes, document.takes, strict=True):
        assert one.motion is not None and other.motion is not None and one.motion.same_as(other.motion)


@pytest.mark.parametrize("which", DEMOS)
def test_hello_can_be_performed_and_what_is_too_much_cannot(which: str) -> None:
    document = demo_document(which)
    for take in document.takes:
        assert take.clip is not None
        fits = check(document.character, take.clip).outcome.usable
        assert fits == ("too" not in take.name), take.name


def test_others_begin_standing_still() -> None:
    assert [one.name for one in first_document("lamp").takes] == ["take 1"]
    assert first_document().character.name == "pico"
    with pytest.raises(AnimatoError, match="arm6"):
        demo_document("arm7")

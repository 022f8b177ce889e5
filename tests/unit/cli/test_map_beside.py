"""A servo map that was made in this folder and is not named: commands say so, and not that there are no servos."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.cli import run
from animato.errors import OptionError

SHOW = "animato: 1\nname: short\ntimeline: [{pose: rest}]\n"


@pytest.mark.parametrize(
    "words",
    [
        ["play", "lamp_look", "--robot", "lamp", "--yes"],
        ["show", "show.yaml", "--robot", "lamp", "--yes"],
        ["export", "lamp_look", "--robot", "lamp", "--to", "arduino", "--no-check"],
        ["servos", "show", "lamp"],
    ],
    ids=lambda words: words[0],
)
def test_a_map_beside_is_named(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("show.yaml").write_text(SHOW)
    assert run(["servos", "map", "lamp", "--kind", "maestro"]) == 0
    with pytest.raises(OptionError, match=r"A servo map of 'lamp' is in this folder: .*`servos=lamp\.servos\.yaml`"):
        run(words)
    assert {one.name for one in tmp_path.iterdir()} == {"show.yaml", "lamp.servos.yaml"}


def test_a_show_says_itself_how_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("show.yaml").write_text(SHOW)
    with pytest.raises(OptionError, match=r"`loops` .* given 3\. .* write 'loops' into that step"):
        run(["show", "show.yaml", "--robot", "lamp", "--to", "dry", "--loops", "3"])

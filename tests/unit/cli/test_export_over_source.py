"""An export never goes over what it was made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.cli import run
from animato.errors import OptionError
from animato.formats import load_character, save_character, save_motion
from animato.loading import load_clip


@pytest.mark.parametrize(("to", "over"), [("unitree", "look.csv"), ("ros2-goal", "lamp.yaml")])
def test_what_is_read_is_not_written_over(to: str, over: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp = load_character("lamp")
    save_character("lamp.yaml", lamp)
    save_motion("look.csv", load_clip("lamp_look", lamp))
    before = Path(over).read_bytes()
    with pytest.raises(OptionError, match="choose another name"):
        run(["export", "look.csv", "--robot", "lamp.yaml", "--to", to, "--out", str(tmp_path / over), "--no-check"])
    assert Path(over).read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["lamp.yaml", "look.csv"]

"""What is out of range is refused before a folder of results is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.batch import run_batch
from animato.cli import run
from animato.cli.line import as_flags
from animato.errors import OptionError


@pytest.mark.parametrize("chunk", [0, -3])
def test_a_chunk_of_nothing(chunk: int, tmp_path: Path) -> None:
    clips = tmp_path / "clips"
    clips.mkdir()
    (clips / "a.csv").write_text("time [s],turn [rad]\n0,0\n1,0\n")
    with pytest.raises(OptionError, match=rf"`chunk` .* 1 or more; given {chunk}"):
        run_batch(clips, ["lamp"], "check", tmp_path / "results", on="serial", chunk=chunk)
    assert [one.name for one in tmp_path.iterdir()] == ["clips"]


def test_an_option_of_the_verb_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("time [s],turn [rad]\n0,0\n1,0\n")
    words = ["batch", str(tmp_path), "--robot", "lamp", "--verb", "fix", "--option", "time=lots"]
    with pytest.raises(OptionError) as caught:
        run([*words, "--out", str(tmp_path / "results")])
    assert as_flags(str(caught.value)).startswith("--option time is a share from 0")
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]

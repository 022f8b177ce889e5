from __future__ import annotations

import sys
from pathlib import Path

import pytest

from animato.errors import AnimatoError
from animato.gallery import warm_up
from animato.outcome import Iteration


def saying(*lines: str, then: str = "") -> list[str]:
    """A process that says lines, as `run_list` would, and ends as told."""
    return [sys.executable, "-c", f"import sys\nfor line in {lines!r}: print(line)\n{then}"]


def test_steps_run_in_order_and_say_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folders: list[Path] = []
    monkeypatch.setattr(warm_up, "LISTS", {"toy": {"one": folders.append, "two": folders.append}})
    warm_up.run_list("toy")
    assert capsys.readouterr().out.splitlines() == ["begin\tone", "done\tone", "begin\ttwo", "done\ttwo"]
    assert folders[0] == folders[1]
    assert not folders[0].exists()  # what was written goes with the folder


def test_progress_is_counted_over_all_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "LISTS", {"a": dict.fromkeys("xy", print), "b": dict.fromkeys("z", print)})
    said = {"a": saying("begin\tx", "done\tx", "begin\ty", "done\ty"), "b": saying("begin\tz", "done\tz")}
    monkeypatch.setattr(warm_up, "_command", said.__getitem__)
    told: list[Iteration] = []
    assert warm_up.warm(told.append) > 0.0
    assert sorted(one.stage for one in told) == ["x", "x", "y", "y", "z", "z"]
    assert [one.number for one in told] == sorted(one.number for one in told)
    assert (told[-1].number, told[-1].total) == (3, 3)


@pytest.mark.parametrize(
    ("then", "words"), [("sys.exit('no place to keep it')", "no place to keep it"), ("sys.exit(3)", "'a' ended")]
)
def test_a_step_that_fails_is_told(then: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "LISTS", {"a": {"x": print}})
    monkeypatch.setattr(warm_up, "_command", lambda _: saying("begin\tx", then=then))
    with pytest.raises(AnimatoError, match=words):
        warm_up.warm()

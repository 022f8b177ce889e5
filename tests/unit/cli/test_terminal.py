from __future__ import annotations

import io

import pytest
from rich.console import Console

from animato.cli import terminal
from animato.outcome import Iteration


def test_in_a_pipe_the_bar_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.working("tracing") as progress:
        progress(Iteration(stage="timing the path", number=3, total=10, objective=0.5))
    heard = capsys.readouterr()
    assert heard.out == heard.err == ""


def test_on_a_terminal_it_says_what_how_far_and_how_good(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(terminal, "console", lambda: Console(file=stream, force_terminal=True, width=100))
    with terminal.working("tracing") as progress:
        progress.stage("reading")
        progress(Iteration(stage="timing the path", number=3, total=10, objective=0.5))
    assert "timing the path" in stream.getvalue() and "3/10 0.5" in stream.getvalue()

from __future__ import annotations

import io

import pytest
from rich.console import Console

from animato.cli.line import terminal
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


NASTY = "arm\x1b[2J\x1b]0;owned\x07\u202egnp.exe\x9b31m\ud800\rgone"


def _is_clean(text: str) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in text)


def test_names_out_of_files_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.table import Table

    terminal.say(f"The clip: {NASTY}")
    table = Table("joint", "share")
    table.add_row(NASTY, "3 %")
    terminal.console(stderr=False).print(table)
    heard = capsys.readouterr()
    assert "arm" in heard.err and "gnp.exe" in heard.err and _is_clean(heard.err)
    assert "arm" in heard.out and "3 %" in heard.out and _is_clean(heard.out)
    assert terminal.cleaned(NASTY).startswith("arm\ufffd[2J")


def test_colours_of_our_own_stay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The control: what is cleaned is the text, not the colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    terminal.console(stderr=False).print(f"[bold]{NASTY}[/bold]")
    heard = capsys.readouterr().out
    assert "\x1b[1m" in heard and "\x1b[2J" not in heard


def test_errors_cannot_either(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from animato import cli

    monkeypatch.setattr("sys.argv", ["animato", "check", f"{NASTY}.urdf", "walk.csv"])
    with pytest.raises(SystemExit):
        cli.main()
    said = capsys.readouterr().err
    assert "cannot be read" in said and _is_clean(said)


def test_a_name_of_5000_letters_leaves_the_message_readable() -> None:
    message = terminal.cleaned(f"Point '{'x' * 5000}' is not in 'arm6'. Points: pen, flange.")
    assert len(message) < 300 and message.startswith("Point 'xxx") and message.endswith("Points: pen, flange.")
    assert len(terminal.cleaned("word " * 5000)) == 4000
    path = "/home/" + "folder/" * 30 + "clip.csv"
    assert terminal.cleaned(f"{path}: there is no such file.") == f"{path}: there is no such file."

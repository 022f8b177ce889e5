from __future__ import annotations

import io

from rich.console import Console

from animato.character.limits import Limits
from animato.report.check.text import check_text


def printed(result, width: int = 200, **options: object) -> str:
    console = Console(width=width, file=io.StringIO())
    console.print(check_text(result, **options))
    return console.file.getvalue()


def test_verdict_findings_help_table_and_notes(mixed_result) -> None:
    text = printed(mixed_result)
    first = text.splitlines()[0]
    assert first.startswith("✕ pico cannot do 'hello' as it is: left elbow is asked for too much.")
    assert "11.5 rad/s (659 deg/s), its limit is 8 rad/s." in text
    assert "→ Play it at 68 % speed" in text
    assert "! Right knee uses 95 % of its torque at 2.31 s (frame 115)." in text
    row = next(line for line in text.splitlines() if line.startswith("left elbow"))
    assert " ".join(row.split()) == "left elbow ✕ 110 % ✕ 144 % 50 % - 0 %"
    assert "held at rest: tail" in text
    assert "Jerk was not checked" in text
    assert "Acceleration" not in printed(mixed_result, table=False)


def test_what_fits_and_what_cannot_be_checked(make_result) -> None:
    fine = make_result({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.5]}})
    assert printed(fine).startswith("✓ pico can do 'hello'")
    free = make_result({"a": Limits()}, {"a": {"velocity": [0.5]}})
    assert printed(free).startswith("? pico has no limits")


def test_brackets_in_names_are_no_styles(make_result) -> None:
    name = "[bold]elbow[/bold] [link=x]"
    text = printed(
        make_result({name: Limits(velocity=1.0)}, {name: {"velocity": [2.0, 0.0]}}, speed=0.5, name="[red]x")
    )
    assert "[red]x cannot do" in text
    assert "[bold]elbow[ bold] [link=x]" in text.lower()


def test_long_lists_are_cut(make_result) -> None:
    limits = {f"joint_{n}": Limits(velocity=1.0) for n in range(30)}
    text = printed(make_result(limits, {name: {"velocity": [2.0, 0.0]} for name in limits}, speed=0.5))
    assert "and 18 more" in text

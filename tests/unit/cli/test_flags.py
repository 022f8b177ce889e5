from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

import pytest
import tyro
from tyro.conf import UseAppendAction

from animato.cli.line import as_flags, flags, joined_values, refuse_repeated, unset
from animato.errors import OptionError
from animato.trace.options import StrokeReading


@dataclass(frozen=True)
class Wishes:
    """What one can wish for.

    Attributes:
        duration_s: How long it shall take; free where not given.
        rate_hz: Frames a second.
        kind: Which kind.
        lock: Never faster.
        names: Which ones.
    """

    duration_s: float | None = None
    rate_hz: float = 250.0
    kind: Literal["one", "other"] = "one"
    lock: bool = True
    names: tuple[str, ...] = ()


class Reading(TypedDict, total=False):
    """How to read.

    Attributes:
        first_frame: Frames to leave out.
    """

    first_frame: int


class MoreReading(Reading, total=False):
    """How to read more.

    Attributes:
        mapping: Which bone a joint follows.
    """

    mapping: Mapping[str, str]


FLAGS, READING = flags(Wishes), flags(MoreReading, Reading, mapping="JOINT BONE")
NONE_SAID, UNREAD = unset(FLAGS), unset(READING)


def command(*, wishes: FLAGS = NONE_SAID, how: READING = UNREAD) -> tuple[Wishes, dict[str, object]]:  # type: ignore[valid-type]
    """Gives back what it was given."""
    return wishes, how.stated()  # type: ignore[attr-defined]


def test_defaults_are_those_of_the_library() -> None:
    wishes, stated = tyro.cli(command, args=[])
    assert isinstance(wishes, Wishes) and vars(wishes) == vars(Wishes()) and stated == {}


def test_flags_say_what_they_mean() -> None:
    said = "--duration-s 2 --kind other --no-lock --names a b --first-frame 3 --mapping hip Hips"
    wishes, stated = tyro.cli(command, args=said.split())
    assert vars(wishes) == vars(Wishes(2.0, 250.0, "other", False, ("a", "b")))
    assert stated == {"first_frame": 3, "mapping": {"hip": "Hips"}}


def test_help_has_units_and_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tyro.cli(command, args=["--help"])
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "--duration-s S" in text and "--rate-hz HZ" in text and "--mapping JOINT BONE" in text
    assert "How long it shall take; free where not given." in text and "Frames to leave out." in text


def test_parameters_become_flags() -> None:
    assert as_flags("Leave `size_m` out, or say `smooth_hz=6`.") == "Leave --size-m out, or say --smooth-hz 6."
    assert as_flags("Nothing `Like That` here") == "Nothing `Like That` here"


def test_an_axis_with_a_minus_belongs_to_its_flag() -> None:
    assert joined_values(["owl", "--forward", "-y", "--up", "z"]) == ["owl", "--forward=-y", "--up", "z"]
    assert joined_values(["a", "--plane", "-yz at 0.6,0,0.7"]) == ["a", "--plane=-yz at 0.6,0,0.7"]
    assert joined_values(["--plane", "-y-z", "--jerk", "-o", "a.npz"]) == ["--plane=-y-z", "--jerk", "-o", "a.npz"]
    assert joined_values(["-x", "--up=z", "-y"]) == ["-x", "--up=z", "-y"]  # nothing to belong to


def test_a_flag_that_stands_twice_is_refused_unless_it_gathers() -> None:
    def command(*, free: Annotated[tuple[str, ...], UseAppendAction] = (), weight: tuple[str, ...] = ()) -> int:
        return 0

    refuse_repeated(["--free", "a", "--free", "b", "--weight", "x", "y"], command)
    with pytest.raises(OptionError, match="--weight stands 2 times"):
        refuse_repeated(["--weight", "x", "--weight=y"], command)


def test_a_switch_of_a_reader_needs_no_value() -> None:
    made = flags(StrokeReading)
    assert tyro.cli(made, args=["--keep-outliers"]).stated() == {"keep_outliers": True}
    assert tyro.cli(made, args=[]).stated() == {}

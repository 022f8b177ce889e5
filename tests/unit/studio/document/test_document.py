import pytest

from animato.errors import OptionError, UnknownNameError
from tests.studio_builders import document_of, take_of


def test_takes_are_put_replaced_renamed_and_taken_away() -> None:
    document = document_of()
    for name in ("a", "b", "c"):
        document = document.with_take(take_of(document, name))
    assert document.current == "c"
    document = document.with_take(take_of(document, "b", seconds=2.0), opened=False)
    assert [one.name for one in document.takes] == ["a", "b", "c"]
    assert document.take("b").for_page()["duration"] == 2.0
    document = document.renamed("b", "wave")
    assert [one.name for one in document.takes] == ["a", "wave", "c"]
    document = document.without_take("c")
    assert document.current == "wave"
    assert document.without_take("a").without_take("wave").current == ""


def test_names_are_free_and_fit_every_file_system() -> None:
    document = document_of()
    document = document.with_take(take_of(document, "Hello"))
    assert document.free_name("hello") == "hello 2"
    assert document.free_name("  a/b:c  ") == "a b c"
    assert len(document.free_name("x" * 500)) == 60
    with pytest.raises(OptionError, match="letters or digits"):
        document.free_name("///")
    assert document.renamed("Hello", "hello").takes[0].name == "hello"


def test_an_unknown_take_is_told_with_those_there_are() -> None:
    document = document_of()
    document = document.with_take(take_of(document, "wave"))
    with pytest.raises(UnknownNameError, match="wave"):
        document.opened("wawe")


def test_settings_and_postures_leave_others_alone() -> None:
    document = (
        document_of().with_settings("draw", alpha=1.0).with_settings("draw", beta=2.0).with_settings("face", on=True)
    )
    assert document.settings == {"draw": {"alpha": 1.0, "beta": 2.0}, "face": {"on": True}}


def test_another_source_makes_what_was_performed_stale() -> None:
    document = document_of()
    take = take_of(document)
    done = take.performed_by("fix", take.motion, "kept")
    assert done.clip is take.motion
    assert done.for_page()["verb"] == "fix"
    again = done.made_anew(done.source, done.motion)
    assert (again.performed, again.verb) == (None, "")

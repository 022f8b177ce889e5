import pytest
import yaml

from animato.formats.character_yaml import SpliceError, with_entries

TEXT = """# a lamp that somebody wrote by hand
animato: 1
name: lamp   # its name
buses:
  neck: {kind: dynamixel}   # the long cable

servos:
  # the big one
  turn:
    bus: neck
    id: 1      # red dot
  nod: {bus: neck, id: 2}  # blue dot
  # nothing more

# postures follow
postures: {rest: {turn: 0}}
"""


def test_only_the_entry_that_changes_changes() -> None:
    after = with_entries(TEXT, "servos", {"nod": {"bus": "neck", "id": 7, "zero": 2048.0}})
    assert after == TEXT.replace("{bus: neck, id: 2}", "{bus: neck, id: 7, zero: 2048}")


def test_a_block_entry_becomes_one_line_and_its_neighbours_stay() -> None:
    after = with_entries(TEXT, "servos", {"turn": {"bus": "neck", "id": 3}})
    assert (
        "  # the big one\n  turn: {bus: neck, id: 3}      # red dot\n  nod: {bus: neck, id: 2}  # blue dot\n" in after
    )


def test_a_new_entry_goes_behind_the_last() -> None:
    after = with_entries(TEXT, "servos", {"tilt": {"bus": "neck", "id": 3}})
    assert after == TEXT.replace("# blue dot\n", "# blue dot\n  tilt: {bus: neck, id: 3}\n")


def test_an_entry_that_is_taken_out_leaves_no_line() -> None:
    after = with_entries(TEXT, "servos", {"nod": None})
    assert after == TEXT.replace("  nod: {bus: neck, id: 2}  # blue dot\n", "")


def test_a_section_that_is_not_there_goes_to_the_end() -> None:
    bare = "animato: 1\nname: x"
    assert with_entries(bare, "buses", {"a": {"kind": "feetech"}}) == (
        "animato: 1\nname: x\nbuses:\n  a: {kind: feetech}\n"
    )
    assert with_entries("animato: 1\nservos:\n", "servos", {"a": {"id": 1}}) == ("animato: 1\nservos:\n  a: {id: 1}\n")


def test_line_ends_of_windows_stay() -> None:
    after = with_entries(TEXT.replace("\n", "\r\n"), "servos", {"tilt": {"bus": "neck", "id": 3}})
    assert "\n" not in after.replace("\r\n", "")
    assert yaml.safe_load(after)["servos"]["tilt"] == {"bus": "neck", "id": 3}


@pytest.mark.parametrize(
    "text",
    ["{animato: 1, name: x}", "animato: 1\nservos: {turn: {id: 1}}\n", "a: &x {id: 1}\nservos:\n  turn: *x\n"],
)
def test_what_cannot_be_changed_alone_is_refused(text: str) -> None:
    with pytest.raises(SpliceError):
        with_entries(text, "servos", {"turn": {"id": 2}})


def test_aliases_elsewhere_do_not_matter() -> None:
    text = "a: &x {id: 1}\nb: *x\nservos:\n  turn: {id: 1}\nc: *x\n"
    assert with_entries(text, "servos", {"turn": {"id": 2}}) == text.replace("turn: {id: 1}", "turn: {id: 2}")

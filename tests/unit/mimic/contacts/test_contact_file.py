"""Contacts in files: written as planned, read as edits, and wrong ones refused with their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError
from animato.formats import load_character, load_motion
from animato.mimic.anatomy import anatomy_of
from animato.mimic.contacts import ContactEdit, ContactPlan, load_contacts, plan_contacts, save_contacts
from animato.mimic.person import Person, person_of
from animato.motion import CapturedMotion


@pytest.fixture(scope="module")
def person() -> Person:
    motion = load_motion("person_step")
    assert isinstance(motion, CapturedMotion)
    return person_of(motion)


def planned(person: Person, edits: tuple[ContactEdit, ...] = ()) -> ContactPlan:
    return plan_contacts(person, anatomy_of(load_character("pico")), person.times, edits=edits)


def test_what_is_written_is_read_as_the_same_plan(person: Person, tmp_path: Path) -> None:
    plan = planned(person)
    path = save_contacts(tmp_path / "step.yaml", plan)
    again = planned(person, load_contacts(path))
    np.testing.assert_array_equal(again.planted, plan.planted)
    np.testing.assert_array_equal(again.lowered, plan.lowered)


def test_an_edit_in_a_file_changes_the_plan(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "edit.yaml"
    path.write_text("animato_contacts: 1\nleft toe:\n  - {from: 100 ms, to: 0.2, state: free}\n")
    assert load_contacts(path) == (ContactEdit("left toe", 0.1, 0.2, "free"),)
    plan = planned(person, load_contacts(path))
    inside = (plan.times > 0.1) & (plan.times < 0.2)
    assert not plan.planted[inside, 1].any()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("left toe: []\n", "starts with 'animato_contacts: 1'"),
        ("animato_contacts: 1\nleft toe: planted\n", "left toe: must be a list of"),
        ("animato_contacts: 1\nleft toe:\n  - planted\n", r"left toe\[0\]: must be {from"),
        ("animato_contacts: 1\nleft toe:\n  - {from: 0, too: 1, state: free}\n", "Did you mean 'to'"),
        ("animato_contacts: 1\nleft toe:\n  - {from: 0, state: free}\n", "'to' is missing"),
        ("animato_contacts: 1\nleft toe:\n  - {from: 0, to: 1, state: up}\n", "State 'up'"),
        ("animato_contacts: 1\nleft toe:\n  - {from: 2, to: 1, state: free}\n", "not after"),
        ("animato_contacts: 1\nleft toe:\n  - {from: 0, to: 1 kg, state: free}\n", "kg"),
    ],
)
def test_wrong_files_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=words):
        load_contacts(path)


def test_another_ending_is_refused(person: Person, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"written as \.yaml"):
        save_contacts(tmp_path / "a.csv", planned(person))

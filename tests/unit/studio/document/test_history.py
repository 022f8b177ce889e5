from dataclasses import replace

import numpy as np

from animato.motion import Clip
from animato.studio.document import Document, History, Take
from animato.studio.document.weighing import added_bytes
from tests.studio_builders import document_of, take_of


def test_undo_gives_the_same_documents_back() -> None:
    first = document_of()
    history = History(first)
    documents = [first]
    for n in range(5):
        documents.append(documents[-1].with_take(take_of(first, f"take {n}")))
        history.edit(f"take {n} made", documents[-1])
    for document in reversed(documents):
        assert history.document is document
        assert history.undo() is (document is not first)
    for document in documents[1:]:
        assert history.redo()
        assert history.document is document
    assert not history.redo()


def test_an_edit_after_undo_forgets_what_was_undone() -> None:
    first = document_of()
    history = History(first)
    history.edit("one", first.with_take(take_of(first, "one")))
    history.undo()
    assert history.redo_label == "one"
    history.edit("two", first.with_take(take_of(first, "two")))
    assert (history.undo_label, history.redo_label) == ("two", "")
    assert [one.name for one in history.document.takes] == ["two"]


def test_a_drag_is_one_step() -> None:
    moment = [0.0]
    first = document_of()
    history = History(first, clock=lambda: moment[0])
    for n in range(100):
        moment[0] += 0.02
        history.edit("moved", first.with_take(take_of(first, number=n)), gesture="g1")
    moment[0] += 0.02
    history.edit("moved", first.with_take(take_of(first, number=-1)), gesture="g2")
    assert history.undo()
    assert history.document.takes[0].source.for_page()["number"] == 99
    assert history.undo()
    assert history.document is first


def test_a_hand_that_rests_in_a_drag_goes_on_with_it() -> None:
    """A slow machine, too: what a slider says when it is let go may come long after it was moved."""
    moment = [0.0]
    first = document_of()
    history = History(first, clock=lambda: moment[0])
    for n in range(3):
        moment[0] += 600.0
        history.edit("moved", first.with_take(take_of(first, number=n)), gesture="g1")
    assert history.undo()
    assert history.document is first


def test_what_has_no_name_of_its_own_is_one_step_for_a_while() -> None:
    moment = [0.0]
    first = document_of()
    history = History(first, clock=lambda: moment[0])
    for n, pause in enumerate((1.0, 1.0, 6.0)):
        moment[0] += pause
        history.edit("take opened", first.with_take(take_of(first, number=n)), "take.open", within_s=5.0)
    assert history.undo()
    assert history.document.takes[0].source.for_page()["number"] == 1
    assert history.undo()
    assert history.document is first


def test_the_first_document_is_never_part_of_a_gesture() -> None:
    first = document_of()
    history = History(first)
    history.edit("moved", replace(first), gesture="")
    history.undo()
    history.edit("moved", replace(first), gesture="")
    assert history.undo()
    assert history.document is first


def test_what_a_solve_adds_is_no_step() -> None:
    first = document_of()
    history = History(first)
    asked = first.with_take(replace(take_of(first), motion=None))
    history.edit("drawn", asked)
    history.amend(asked.with_take(take_of(first)))
    assert history.document.takes[0].motion is not None
    assert history.undo()
    assert history.document is first
    assert history.redo()
    assert history.document.takes[0].motion is not None


def test_old_steps_are_let_go() -> None:
    first = document_of()
    history = History(first)
    for n in range(1000):
        history.edit(str(n), first.with_settings("draw", number=n))
    count = 0
    while history.undo():
        count += 1
    assert count == 499
    assert history.document.settings["draw"]["number"] == 500


def test_what_is_forgotten_cannot_be_undone_and_is_not_offered() -> None:
    first = document_of()
    history = History(first)
    for n in range(600):
        history.edit(f"take {n} made", first.with_take(take_of(first, f"take {n}")))
    steps = 0
    while history.undo_label:
        assert history.undo()
        steps += 1
    assert 0 < steps < 600
    assert not history.undo()


def test_long_motions_do_not_fill_the_memory() -> None:
    first = document_of()
    history = History(first, most_bytes=1_000_000)
    clip_bytes = 0
    for n in range(50):
        take = long_take(first, n)
        assert take.motion is not None
        clip_bytes = take.motion.positions.nbytes
        history.edit("moved", first.with_take(take))
    held = 1
    while history.undo():
        held += 1
    assert 2 <= held <= 1_000_000 / clip_bytes
    assert history.redo_label == "moved"


def test_one_that_is_too_large_can_still_be_undone() -> None:
    first = document_of()
    history = History(first, most_bytes=1)
    for n in range(3):
        history.edit("moved", first.with_take(long_take(first, n)))
    assert history.undo()
    assert not history.undo()


def test_what_documents_share_counts_once() -> None:
    first = document_of()
    document = first.with_take(long_take(first, 0))
    size = added_bytes(first, document)
    assert size > 0
    assert added_bytes(document, replace(document, postures={})) == 0
    assert added_bytes(document, document.renamed("a", "b")) == 0
    assert added_bytes(document, document.with_take(long_take(first, 1))) == size


def long_take(document: Document, number: int) -> Take:
    """Of some 100 kB."""
    names = document.character.coordinate_names
    count = 100_000 // (8 * len(names))
    clip = Clip(np.arange(count) / 50.0, names, np.full((count, len(names)), float(number)))
    return replace(take_of(document), motion=clip)

"""Turns of asking: nobody is forgotten, and one that is silent does not stand for the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from animato.stage.lines.contract import Round, merged
from animato.stage.lines.contract.round import most_at_once


def test_all_are_asked_in_turns() -> None:
    turns = Round((1, 2, 3, 4, 5))
    asked = []
    for poll in range(5):
        group = turns.next(2, 0.01 * poll)
        asked += group
        assert all(turns.answered(id, 0.01 * poll) for id in group)
    assert asked == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    assert turns.polls_a_round == 3


def test_nobody_is_asked_while_answers_can_come() -> None:
    turns = Round((1, 2))
    assert turns.next(2, 0.0) == [1, 2]
    assert turns.next(2, 0.01) == []
    assert turns.answered(1, 0.01)
    assert not turns.answered(1, 0.01)
    assert turns.next(2, 0.02) == []
    assert turns.answered(2, 0.02)
    assert turns.next(2, 0.03) == [1, 2]
    assert turns.polls_a_round == 3  # an answer took three polls


def test_where_answers_are_quick_one_is_given_up_soon() -> None:
    turns = Round((1,))
    for poll in range(40):
        assert turns.next(1, 0.01 * poll) == [1]
        turns.answered(1, 0.01 * poll + 0.001)
    assert turns.next(1, 1.0) == [1]
    assert turns.next(1, 1.006) == []
    assert turns.next(1, 1.008) == [1]
    assert turns.unanswered[1] == 1


def test_only_the_first_missing_one_is_suspected_and_asked_alone() -> None:
    turns = Round((1, 2, 3))
    turns.next(3, 0.0)
    turns.answered(1, 0.001)
    later = [turns.next(3, 0.1)]
    for id in later[0]:
        turns.answered(id, 0.1)
    later.append(turns.next(3, 0.2))
    assert sorted(map(len, later)) == [1, 2]
    assert [2] in later
    assert turns.unanswered[3] == 0
    assert turns.unanswered[2] == 1


@given(st.integers(1, 14), st.sets(st.integers(0, 13)), st.integers(1, 6))
def test_those_who_answer_are_heard_whoever_is_silent(count: int, silent: set[int], most: int) -> None:
    turns = Round(range(count))
    heard = dict.fromkeys(range(count), 0)
    for poll in range(40 * count):
        for id in turns.next(most, 0.03 * poll):
            if id in silent:
                break  # and those behind it wait for it in vain
            turns.answered(id, 0.03 * poll)
            heard[id] += 1
    assert all((times == 0) == (id in silent) for id, times in heard.items())


def test_as_many_at_once_as_there_is_time_for() -> None:
    assert most_at_once(0.004, lambda count: 0.001 * count, 12) == 4
    assert most_at_once(0.0001, lambda count: 0.001 * count, 12) == 1


def test_the_same_note_is_said_once() -> None:
    assert merged([(1, "hot"), (2, "hot"), (5, "hot"), (2, "loud")]) == ("Servos 1-2, 5: hot.", "Servo 2: loud.")


def test_answers_of_a_slow_adapter_are_waited_for() -> None:
    turns = Round(range(12))
    arriving: list[tuple[float, int]] = []
    heard = dict.fromkeys(range(12), 0)
    for poll in range(300):
        now = 0.01 * poll
        for _, id in [one for one in arriving if one[0] <= now]:
            heard[id] += turns.answered(id, now)
        arriving = [one for one in arriving if one[0] > now]
        arriving += [(now + 0.016, id) for id in turns.next(4, now)]
    assert set(turns.unanswered.values()) == {0}
    assert turns.polls_a_round == 6
    assert min(heard.values()) >= 48  # every 60 ms

"""Time code to the fraction; clocks that are heard, followed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.stage.shows.clocks import RATES, FollowedClock, TimeCode, seconds_of
from animato.stage.shows.file import PortKind
from animato.stage.shows.ports import Answering, Heard, midi_parser
from tests.show_builders import Stand, score_of, show_of

mido = pytest.importorskip("mido", reason="the extra 'show' is not installed")
timecode = pytest.importorskip("timecode", reason="the extra 'show' is not installed")

LED = """animato: 1
name: led
clips: {look: lamp_look}
inputs: {net: {kind: osc, port: 9001}, midi: {kind: midi, port: udp:127.0.0.1:9002}}
clock: {kind: osc, input: net}
cues: [{osc: /go, does: go}, {osc: /pause, does: pause}]
timeline: [{pose: rest}, {wait: 1 s}, {play: look}, {wait: 1 s}, {play: look}, {wait: 4 s}]
"""
NAMES = ("24", "25", "29.97", "30")


def quarters(hours: int, minutes: int, seconds: int, frames: int, code: int) -> list[bytes]:
    """The eight messages of a time, as a sender spells them."""
    parts = (frames & 15, frames >> 4, seconds & 15, seconds >> 4, minutes & 15, minutes >> 4, hours & 15)
    last = hours >> 4 | code << 1
    return [bytes((0xF1, n << 4 | part)) for n, part in enumerate((*parts, last))]


def times(code: int, first: int, count: int) -> list[tuple[int, int, int, int]]:
    """Time codes as the package 'timecode' counts them, every second frame."""
    drop = None if code != 2 else False
    start = timecode.Timecode(NAMES[code], frames=first, force_non_drop_frame=drop or False)
    return [(one.hrs, one.mins, one.secs, one.frs) for one in (start + 2 * n if n else start for n in range(count))]


@pytest.mark.parametrize("code", range(4))
@settings(max_examples=40, deadline=None)
@given(number=st.integers(1, 2_000_000))
def test_a_time_code_is_its_frame_over_the_rate(code: int, number: int) -> None:
    (shown,) = times(code, number, 1)
    assert seconds_of(*shown, code) == Fraction(number - 1) / RATES[code]


@pytest.mark.parametrize("code", range(4))
def test_quarter_frames_are_heard_to_the_quarter(code: int) -> None:
    parse, clock = midi_parser(), TimeCode()
    first = 17982 - 20  # around the tenth minute, where drop frame does not drop
    heard = []
    for shown in times(code, first, 20):
        for message in quarters(*shown, code):
            (one,) = parse(message)
            heard.append(clock.quarter(*(int(str(value)) for value in one.values)))
    assert heard[:7] == [None] * 7
    begin = Fraction(first - 1) / RATES[code]
    for n, at in enumerate(heard[7:], start=7):
        assert at == pytest.approx(float(begin + Fraction(n, 4) / RATES[code]), abs=1e-9)


def test_a_lost_quarter_frame_costs_no_more_than_the_next_eight() -> None:
    clock, heard = TimeCode(), []
    messages = [one for shown in times(1, 1000, 12) for one in quarters(*shown, 1)]
    for n, message in enumerate(messages):
        if n != 21:
            heard.append((n, clock.quarter(message[1] >> 4, message[1] & 15)))
    for n, at in heard:
        assert at is None or at == pytest.approx((999 + n / 4) / 25.0, abs=1e-9)
    silent = [n for n, at in heard if at is None and n > 7]
    assert silent
    assert max(silent) < 21 + 11


def test_backwards_is_never_taken_for_forwards() -> None:
    clock = TimeCode()
    messages = [one for shown in times(1, 1000, 12) for one in quarters(*shown, 1)]
    assert all(clock.quarter(one[1] >> 4, one[1] & 15) is None for one in reversed(messages))


def test_a_full_frame_jumps() -> None:
    parse, clock = midi_parser(), TimeCode()
    (heard,) = parse(bytes((0xF0, 0x7F, 0x7F, 0x01, 0x01, 0x21, 0x02, 0x03, 0x04, 0xF7)))
    assert clock.full(tuple(int(str(one)) for one in heard.values)) == pytest.approx(3600 + 123 + 4 / 25)
    assert clock.full((0x7E, 0, 1, 1, 0, 0, 0, 0)) is None


def test_time_code_reaches_the_clock_through_an_input() -> None:
    show = show_of(LED.replace("clock: {kind: osc, input: net}", "clock: {kind: mtc, input: midi}"))
    clock = FollowedClock(now=lambda: 5.0)
    answering, parse = Answering(show, lambda _: None, clock), midi_parser()
    for message in quarters(0, 0, 10, 0, 1):
        for heard in parse(message):
            answering.hear("midi", heard)
    reading = clock.read()
    assert reading is not None
    assert reading.running
    assert reading.at_s == pytest.approx(10.0 + 7 / 4 / 25)
    answering.hear("midi", Heard(PortKind.MIDI, "exclusive", (0x7F, 0x7F, 1, 1, 0x20, 0, 2, 0)))
    reading = clock.read()
    assert reading is not None
    assert not reading.running
    assert reading.at_s == pytest.approx(2.0)


def test_jitter_is_steadied() -> None:
    now, jitter, errors = [0.0], np.random.default_rng(1), []
    clock = FollowedClock(now=lambda: now[0])
    for n in range(2000):
        now[0] = n / 100.0
        clock.hear(now[0] + jitter.normal(0.0, 0.005))
        reading = clock.read()
        assert reading is not None
        errors.append(reading.at_s - now[0])
    assert np.std(errors[200:]) < 0.25 * 0.005  # an average over ten leaves sqrt(0.1/1.9) = 0.23 of it


@pytest.mark.parametrize("speed", [0.98, 1.0, 1.02])
def test_drift_is_followed_by_pace(speed: float) -> None:
    stand = Stand(score_of(LED), clocked=True)
    assert stand.clock is not None
    stand.run(9.0, lambda now: stand.clock.hear(speed * now))  # type: ignore[union-attr]
    assert abs(stand.conductor.place.at_s - speed * stand.time_s) < 0.1
    assert not stand.conductor.moves
    assert stand.guard.held_back == 0


def test_a_jump_of_the_clock_is_gone_after() -> None:
    stand = Stand(score_of(LED), clocked=True)
    assert stand.clock is not None
    stand.run(3.0, stand.clock.hear)
    stand.run(4.0, lambda now: stand.clock.hear(now + 4.0))  # type: ignore[union-attr]
    assert len(stand.conductor.moves) == 1
    assert abs(stand.conductor.place.at_s - (stand.time_s + 4.0)) < 0.15
    assert any("ahead" in one for one in stand.said)


def test_a_silent_clock_is_held_or_gone_on_without() -> None:
    for lost, moved in (("hold", False), ("go_on", True)):
        stand = Stand(score_of(LED.replace("input: net}", f"input: net, lost: {lost}}}", 1)), clocked=True)
        assert stand.clock is not None
        stand.run(2.5, lambda now, clock=stand.clock: clock.hear(now))  # type: ignore[misc]
        stand.run(1.0)
        at = stand.conductor.place.at_s
        stand.run(1.0)
        assert (stand.conductor.place.at_s > at + 0.9) is moved
        assert any("The clock is silent" in one for one in stand.said)
        if not moved:
            assert at < 2.5 + 0.5 + 0.2
            stand.run(1.0, lambda now, clock=stand.clock, at=at: clock.hear(at + now - 4.5))  # type: ignore[misc]
            assert stand.conductor.place.at_s > at + 0.7


def test_before_the_first_word_of_the_clock_nothing_moves() -> None:
    stand = Stand(score_of(LED), clocked=True)
    stand.run(1.0)
    assert stand.conductor.place.at_s == 0.0
    assert stand.said == ["Waits for the clock."]
    stand.conductor.order("goto nowhere")
    stand.run(0.02)
    assert "changes nothing" in stand.said[-1]

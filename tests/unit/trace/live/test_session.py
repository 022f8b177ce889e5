"""Lines in, commands out: clocks, pens, ends and rubbish."""

from __future__ import annotations

import json

import numpy as np
import pytest

from animato.cli.live.following import place_of
from animato.errors import MotionError, OptionError
from animato.formats.character_files import load_character
from animato.report.trace.live_page import live_page
from animato.trace.live.loop import Loop
from animato.trace.live.samples import LiveSample, parse_sample
from animato.trace.live.session import LiveSession


def _session(**options: float) -> tuple[LiveSession, Loop]:
    loop = Loop(load_character("arm6"), "pen", start="board", warm=False, **options)  # type: ignore[arg-type]
    return LiveSession(loop), loop


def _lines(loop: Loop, count: int, first: float = 0.0, rate: float = 100.0) -> list[str]:
    """A wave from where the pen is; times on a clock of the sender's own."""
    place = loop.points_at(0.0)[0, 0]
    said = []
    for k in range(count):
        t = k / rate
        x, y, z = place + 0.05 * np.array([0.0, np.sin(3.0 * t), 1.0 - np.cos(3.0 * t)])
        said.append(json.dumps({"x": x, "y": y, "z": z, "t": first + t}))
    return said


def test_samples_are_read() -> None:
    assert parse_sample('{"x": 1, "y": 2, "z": 3, "t": 4, "pen": "up"}') == LiveSample((1.0, 2.0, 3.0), 4.0, False)
    assert parse_sample('{"u": 1, "v": 2, "pressure": 0.5}') == LiveSample((1.0, 2.0), None, True)
    assert parse_sample('{"end": true}').end


@pytest.mark.parametrize(
    "line",
    [
        "1 2 3",
        "[]",
        "{}",
        '{"x": 1, "y": 2}',
        '{"x": 1, "y": 2, "z": NaN}',
        '{"x": "1", "y": 2, "z": 3}',
        '{"u": 1, "v": 2, "x": 3}',
        '{"u": 1, "v": 2, "pen": "sideways"}',
        '{"u": 1, "v": 2, "w": 3}',
        '{"u": true, "v": 2}',
        '{"u": 1, "v": 1' + "0" * 400 + "}",
        "[" * 100000,
    ],
)
def test_what_is_no_sample_is_said(line: str) -> None:
    with pytest.raises(MotionError):
        parse_sample(line)


@pytest.mark.parametrize("first", [0.0, 1.7e9, -50.0])
def test_a_stroke_in_real_time_is_followed_to_its_end(first: float) -> None:
    session, loop = _session()
    lines = _lines(loop, 100, first)
    for k, line in enumerate(lines):
        session.take([line], 5.0 + 0.01 * k)
        session.command(5.0 + 0.01 * k)
    session.take(["rubbish", '{"end": true}'], 6.0)
    now = 6.0
    while not session.ended and now < 20.0:
        now += 0.01
        positions = session.command(now)
    figures = session.figures()
    assert session.ended
    assert (figures.samples, figures.bad_lines, figures.loop.ignored) == (100, 1, 0)
    assert figures.longest_lag_s < 0.5
    end = loop._kinematics.places(positions[None])[0, 0]
    said = json.loads(lines[-1])
    np.testing.assert_allclose(end, [said["x"], said["y"], said["z"]], atol=2e-3)
    assert "behind the hand" in figures.lines()[0]
    assert "<svg" in live_page(loop, figures, "drawn")


def test_samples_that_waited_on_the_way_are_all_used() -> None:
    session, loop = _session()
    session.take(_lines(loop, 60), 3.0)
    assert session.figures().loop.ignored == 0
    assert loop.time == pytest.approx(3.0)


def test_samples_without_times_were_drawn_when_they_came() -> None:
    session, loop = _session()
    place = loop.points_at(0.0)[0, 0]
    session.take([], 0.0)
    for k in range(1, 20):
        news = [LiveSample(tuple(place + 0.01 * (2 * k + m) * np.array([0.0, 1.0, 0.0]))) for m in range(2)]
        session.take(news, 0.05 * k)
    assert session.figures().loop.ignored == 0
    times, _ = loop.drawn
    np.testing.assert_allclose(np.diff(times[-6:]), 0.025)


def test_samples_that_waited_and_say_no_time_are_all_used() -> None:
    session, loop = _session()
    place = loop.points_at(0.0)[0, 0]
    session.take([LiveSample(tuple(place + 0.002 * k * np.array([0.0, 1.0, 0.0]))) for k in range(5)], 1.0)
    assert session.figures().loop.ignored == 0
    times, _ = loop.drawn
    assert np.all(np.diff(times) > 0.0) and times[-1] <= 1.0 + 1e-9


def test_places_of_ports_are_checked() -> None:
    assert place_of("udp://:9000", "to") == ("127.0.0.1", 9000)
    assert place_of("udp://[::1]:9000", "to") == ("::1", 9000)
    for text in ("udp://x", "9000", "udp://x:70000", "udp://x:-1", "http://x:1", "udp://x:²"):
        with pytest.raises(OptionError, match="`to`"):
            place_of(text, "to")

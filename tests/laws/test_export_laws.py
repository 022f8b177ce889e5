"""Files for servos hold what was put in, whatever it is; rates of clips are found however files round their times."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.formats import load_character
from animato.motion import Clip
from animato.stage.exporting import take_of
from animato.stage.exporting.pulses.card_file import card_bytes, read_card
from animato.stage.exporting.pulses.servo_animation import commands
from animato.stage.exporting.pulses.servo_rows import ServoRow

WORDS = st.integers(0, 0xFFFF)
ROWS = st.builds(ServoRow, st.text("abcé_ 九", min_size=1, max_size=6), st.integers(0, 255), *[WORDS] * 5)


@settings(deadline=None, max_examples=60)
@given(st.lists(ROWS, min_size=1, max_size=24), st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans())
def test_a_card_file_comes_back_whole(rows: list[ServoRow], frames: int, seed: int, repeat: bool) -> None:
    told = np.random.default_rng(seed).integers(0, 0x10000, (frames, len(rows)))
    about = {"motion": "né", "seed": seed}
    content = card_bytes(rows, told, 20_000, repeat=repeat, about=about)
    card = read_card(content)
    assert card.rows == rows
    assert np.array_equal(card.told, told)
    assert (card.period_us, card.repeat, card.about) == (20_000, repeat, about)
    assert len(content) % 2 == 0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.dictionaries(st.integers(0, 255), WORDS, max_size=6), min_size=1, max_size=20))
def test_commands_are_read_whatever_bytes_positions_have(positions: list[dict[int, int]]) -> None:
    """Ids and positions may hold the very bytes that begin and end commands and frames."""
    told, frames, at = commands(positions), [{}], 0
    while at < len(told):
        if told[at] == 0x0A:
            frames.append({})
            at += 1
        else:
            frames[-1][told[at + 1]] = told[at + 2] * 256 + told[at + 3]
            at += 5
    assert frames[:-1] == positions


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([24, 25, 30, 50, 60, 100, 120]), st.integers(2, 400), st.sampled_from([3, 6, 9]), st.floats(0, 9)
)
def test_a_rate_is_found_however_times_are_rounded(rate: int, frames: int, digits: int, start: float) -> None:
    lamp = load_character("lamp")
    begins = round(start, digits)
    times = np.round(begins + np.arange(frames) / rate, digits)
    values = np.random.default_rng(frames).normal(size=(frames, 1))
    take = take_of(lamp, Clip(times, ("nod",), values))
    if frames > 10 or digits > 3:  # a few frames in milliseconds may be those of another rate
        assert take.rate_hz == rate
        assert take.clip.selected(["nod"]).positions.tobytes() == values.tobytes()

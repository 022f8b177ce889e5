"""Wherever a servo's shaft, offset and direction are: a range that is said to fit is told as the servo shows it."""

import math

from hypothesis import given
from hypothesis import strategies as st

from animato.character import COUNTS_PER_TURN, BusKind
from animato.stage.servos import Encoder, place

KINDS = st.sampled_from([BusKind.DYNAMIXEL, BusKind.FEETECH])
PER_RADIAN = COUNTS_PER_TURN / math.tau


@st.composite
def encoders(draw: st.DrawFn) -> Encoder:
    kind = draw(KINDS)
    most = 1024 if kind is BusKind.DYNAMIXEL else 2047
    return Encoder(kind, draw(st.integers(-most, most)))


def shown(encoder: Encoder, zero: int, sign: int, value: float) -> float:
    """What the servo shows when the joint is at a value [rad] and its shaft was at `zero` at 0."""
    return encoder.present(zero + sign * PER_RADIAN * value)


@given(
    encoder=encoders(),
    zero=st.integers(0, 4095),
    sign=st.sampled_from([1, -1]),
    lower=st.floats(-3.0, 0.0),
    upper=st.floats(0.01, 3.0),
    turns=st.integers(-3, 3),
)
def test_what_fits_is_told_as_it_is_shown(
    encoder: Encoder, zero: int, sign: int, lower: float, upper: float, turns: int
) -> None:
    at = zero + encoder.counts_with + turns * COUNTS_PER_TURN  # as it was read, in any turn
    low, high = sorted((at + sign * PER_RADIAN * lower, at + sign * PER_RADIAN * upper))
    placed = place(low, high, encoder)
    if placed.homing is not None:  # what is proposed must help
        moved = Encoder(encoder.kind, placed.homing)
        across = moved.counts_with - encoder.counts_with
        encoder, at, placed = moved, at + across, place(low + across, high + across, moved)
        assert placed.fits or placed.highest - placed.lowest > 4092  # within rounding of a whole turn nothing is sure
    if placed.turn:  # the shaft is turned against the horn, by whole counts
        zero += round(placed.turn)
        at = zero + encoder.counts_with
        low, high = sorted((at + sign * PER_RADIAN * lower, at + sign * PER_RADIAN * upper))
        placed = place(low, high, encoder)
        assert placed.fits or placed.homing == 0
    if not placed.fits:
        return
    for share in (0.02, 0.3, 0.77, 0.98):
        value = lower + share * (upper - lower)
        told = at + placed.turns + sign * PER_RADIAN * value
        off = told - shown(encoder, zero, sign, value)
        assert abs(off) < 1e-6 or (abs(abs(off) - COUNTS_PER_TURN) < 1e-6 and min(told, 4095 - told) < 1.0)
        assert -0.5 <= told <= 4095.5


@given(encoder=encoders(), actual=st.floats(0.0, 4095.9))
def test_shown_and_actual_are_inverse(encoder: Encoder, actual: float) -> None:
    back = encoder.actual(encoder.present(actual))
    assert min(abs(back - actual), COUNTS_PER_TURN - abs(back - actual)) < 1e-6


@given(zero=st.integers(0, 4095))
def test_a_wrong_sign_of_the_offset_would_be_seen(zero: int) -> None:
    """The negative control: an offset taken with the other sign shows another place."""
    right, wrong = Encoder(BusKind.FEETECH, 300), Encoder(BusKind.FEETECH, -300)
    assert abs((right.present(zero) - wrong.present(zero) + 2048) % COUNTS_PER_TURN - 2048) == 600

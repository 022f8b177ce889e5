"""Strips on pages: one layout, rows with names and largest shares, and the time of a player."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np

from animato.character import Limits
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.mechanics.limits.usage import Axis
from animato.report.kit import kind_switch, row_height, time_ticks, timeline_of, usage_strip
from tests.html_pages import assert_whole

TIMES = np.linspace(1.0, 3.0, 201)


def made_up_usage() -> LimitUsage:
    """Two joints: the first is too fast in the middle, the second has a range only."""
    axes = tuple(Axis(name, name, True, Limits()) for name in ("left_elbow", "neck"))
    shares = {kind: np.full((len(TIMES), 2), np.nan) for kind in LIMIT_KINDS}
    shares["position"][:] = 0.4
    shares["velocity"][:, 0] = np.where(np.abs(TIMES - 2.0) < 0.1, 1.25, 0.5)
    return LimitUsage(TIMES, TIMES, axes, {kind: np.zeros_like(shares[kind]) for kind in LIMIT_KINDS}, shares, ())


def test_a_strip_has_a_picture_for_each_kind_that_is_limited() -> None:
    text = usage_strip(made_up_usage())
    assert_whole(text)
    assert re.findall(r'<img class="kind kind-(\w+)"', text) == ["all", "position", "velocity"]
    assert re.findall(r'<input type="radio"[^>]*id="kind-(\w+)"', text) == ["all", "position", "velocity"]
    assert '<span class="kind kind-all over">125 %</span>' in text
    assert '<span class="kind kind-velocity">-</span>' in text  # the neck may be as fast as it likes
    assert "left elbow" in text and "data-timeline" not in text


def test_a_strip_has_the_time_of_a_player() -> None:
    text = usage_strip(made_up_usage(), player="film", labels=["Elbow", "Neck"])
    assert 'data-timeline="film" data-from="1" data-to="3"' in text
    found = re.search(r'data-joints="([^"]*)"', text)
    assert found is not None
    assert json.loads(unescape(found[1])) == ["left_elbow", "neck"]
    assert ">Elbow<" in text
    assert timeline_of("", (0.0, 1.0)) == {}


def test_ticks_are_round_and_say_their_unit_once() -> None:
    text = time_ticks((1.0, 3.0), lines=False)
    assert text.count(" s<") == 1 and 'left:0.000%">1' in text and 'left:100.000%">3' in text
    assert "left:50.000%" in time_ticks((2.0, 2.0), lines=True)  # a single pose


def test_a_kind_without_limits_says_so() -> None:
    knob, label = kind_switch("jerk", usable=False)
    assert "disabled" in knob and "no joint has such a limit" in label
    assert row_height(8) > row_height(30) > row_height(60)

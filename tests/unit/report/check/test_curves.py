from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.findings.finding import findings_of
from animato.report.check.curve_section import curve_section, pairs_to_draw
from animato.report.check.curves import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, draw_curve


def parts_of(svg: str, kind: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(svg).iter() if kind in one.get("class", "").split()]


def points(path: str) -> np.ndarray:
    return np.array([[float(number) for number in pair.split(",")] for pair in re.split("[ML]", path.rstrip("Z"))[1:]])


def test_the_curve_leaves_the_band_where_it_is_over(mixed_result) -> None:
    finding = mixed_result.findings[0]
    svg = draw_curve(mixed_result.usage, finding, "title & <more>")
    value = points(parts_of(svg, "value")[0].get("d"))
    band = points(parts_of(svg, "band")[0].get("d"))
    top = band[:, 1].min()
    assert value[:, 0].min() == LEFT and value[:, 0].max() == WIDTH - RIGHT
    assert TOP < value[:, 1].min() < top < HEIGHT - BOTTOM
    over = value[value[:, 1] < top - 0.2]
    seconds = (over[:, 0] - LEFT) / (WIDTH - RIGHT - LEFT) * 4.0
    start, end = finding.intervals[0]
    assert seconds.min() == pytest.approx(start, abs=0.02) and seconds.max() == pytest.approx(end, abs=0.02)
    assert len(parts_of(svg, "beyond")) == 1 and "143.8 %" not in svg and "144 %" in svg
    assert ElementTree.fromstring(svg)[0].text == "title & <more>"


def test_what_fits_has_no_part_beyond(mixed_result) -> None:
    svg = draw_curve(mixed_result.usage, mixed_result.near_misses[0], "near")
    assert parts_of(svg, "beyond") == []


@pytest.mark.parametrize("count", [1, 2, 10_000])
def test_short_and_long_clips(make_usage, count) -> None:
    usage = make_usage({"a": Limits(-1.0, 1.0)}, {"a": {"position": np.linspace(1.5, 1.4, count)}})
    svg = draw_curve(usage, findings_of(usage)[0], "range")
    assert len(svg) < 40_000 and "nan" not in svg
    assert np.all(np.isfinite(points(parts_of(svg, "value")[0].get("d"))))


def test_open_ended_ranges_and_speed_dependent_limits(make_usage) -> None:
    limits = {
        "a": Limits(torque=3.0, curve=TorqueSpeedCurve((0.0, 10.0), (3.0, 0.0))),
        "b": Limits(upper=1.0),
    }
    wave = np.sin(np.linspace(0.0, 7.0, 50))
    usage = make_usage(limits, {"a": {"velocity": 8.0 * wave, "torque": 2.0 * wave}, "b": {"position": 1.2 * wave}})
    usage.shares["position"][:, 1] = np.maximum(0.0, 1.0 + 1.2 * wave - 1.0)
    for finding in findings_of(usage):
        svg = draw_curve(usage, finding, "curve")
        assert "nan" not in svg and "inf" not in svg
        ElementTree.fromstring(svg)
    assert "limit at its speed" in draw_curve(usage, findings_of(usage)[0], "torque")


def test_ghost_is_drawn_where_the_artist_moved_the_joint(mixed_result) -> None:
    from dataclasses import replace

    pairs = pairs_to_draw(mixed_result)
    assert 'class="ghost"' not in curve_section(mixed_result, pairs)
    ghost = mixed_result.clip.selected(["left_elbow_joint"])
    with_ghost = replace(mixed_result, ghost=ghost, ghost_usage=mixed_result.usage)
    assert curve_section(with_ghost, pairs).count('class="ghost"') == len(pairs)
    other = replace(with_ghost, ghost=mixed_result.clip.selected(["neck"]))
    assert 'class="ghost"' not in curve_section(other, pairs)


def test_pairs_are_the_findings_or_the_closest_calls(mixed_result, make_result) -> None:
    assert pairs_to_draw(mixed_result) == mixed_result.findings
    fine = make_result(
        {name: Limits(velocity=1.0) for name in "abcdef"}, {name: {"velocity": [0.5]} for name in "abcdef"}
    )
    assert pairs_to_draw(fine) == fine.worst[:4]

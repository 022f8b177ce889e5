"""Balance as a finding: who has one, where it tips, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint, Limits, Sole
from animato.findings import balance_sentence, check, suggestions, verdict
from animato.motion import Clip
from animato.report.check.json_file import check_json, check_to_dict
from animato.report.check.page import check_page
from animato.report.check.text import close_calls, too_much
from animato.spatial import quaternions

CORNERS = ((0.1, 0.06, 0), (-0.1, 0.06, 0), (-0.1, -0.06, 0), (0.1, -0.06, 0))


def stork(limits: Limits | None = None) -> Character:
    """A foot with a leg that leans along x, a heavy head at its end, 0.5 m up."""
    foot, head = Body("foot", mass=0.01), Body("head", mass=5.0, centre=(0, 0, 0.3), inertia=(1e-3,) * 3 + (0,) * 3)
    lean = Joint(
        "lean",
        "revolute",
        "foot",
        "head",
        frame_parent=Frame((0, 0, 0.2)),
        axis=(0, 1, 0),
        stated_limits=(limits or Limits(-2, 2),),
    )
    return Character("stork", (foot, head), (lean,), soles=(Sole("sole", "foot", CORNERS),))


def held(angle: float, heading: float = 0.0) -> Clip:
    turn = np.tile(quaternions.quaternion_about((0, 0, 1), heading), (5, 1))
    return Clip(np.arange(5) / 10.0, ("lean",), np.full((5, 1), angle), np.zeros((5, 3)), turn)


def test_upright_it_keeps_its_balance() -> None:
    result = check(stork(), held(0.0), clip_name="stand")
    assert result.balance is not None and not result.tips and result.outcome.usable
    assert result.balance.outside == pytest.approx(-0.06, abs=1e-4)
    assert "keeps its balance" in verdict(result)
    assert too_much(result) == close_calls(result) == []
    assert check_to_dict(result)["balance"]["kept"] is True


@pytest.mark.parametrize(
    ("angle", "heading", "direction"),
    [(0.5, 0.0, "forward"), (-0.5, 0.0, "backward"), (0.5, 2.0, "forward"), (-0.5, -2.5, "backward")],
)
def test_leaning_it_tips(angle: float, heading: float, direction: str) -> None:
    result = check(stork(), held(angle, heading), clip_name="lean")
    balance = result.balance
    assert balance is not None and result.tips and not result.outcome.usable
    assert balance.direction == direction
    assert balance.outside == pytest.approx(0.3 * np.sin(0.5) - 0.1, abs=1e-3)
    assert balance.falls_at_rest and balance.intervals == ((0.0, 0.4),)
    assert f"it would tip {direction} at" in verdict(result) and "even standing still" in verdict(result)
    assert f"it would tip {direction}." in too_much(result)[0]
    assert "Bring its weight back" in suggestions(result)[0]
    assert f"tip {direction}" in result.outcome.reason


def test_a_quick_move_tips_what_stands_well_when_still() -> None:
    times = np.arange(9) / 40.0
    swing = Clip(times, ("lean",), 0.2 * np.sin(20 * times)[:, None], np.zeros((9, 3)))
    result = check(stork(), swing)
    assert result.balance is not None and result.tips and not result.balance.falls_at_rest
    assert "Slow it down" in suggestions(result)[0]
    assert "Standing still in that pose it would not" in verdict(result)


def test_json_and_page_show_it() -> None:
    result = check(stork(Limits(-0.4, 0.4)), held(0.5), clip_name="lean")
    data = check_to_dict(result)
    first, second = data["findings"]
    assert (first["kind"], first["axis"], first["joint"], first["unit"]) == ("balance", None, None, "m")
    assert first["value"] == data["balance"]["outside_m"] > 0.0
    assert set(first) == set(second)
    assert data["balance"]["direction"] == "forward" and data["balance"]["lost_s"] == pytest.approx(0.4)
    assert "NaN" not in check_json(result)
    page = check_page(result, pictures=False)
    assert 'id="balance"' in page and "it would tip forward" in page and "lost for" in page
    assert "and lean is asked for too much" in verdict(result)


def test_near_the_rim_is_a_near_miss() -> None:
    result = check(stork(), held(float(np.arcsin(0.095 / 0.3))))
    assert result.balance is not None and result.balance.is_near and result.outcome.usable
    assert balance_sentence(result.balance).startswith("The ZMP comes within")
    assert check_to_dict(result)["near_misses"][0]["kind"] == "balance"


def test_where_there_is_no_balance_to_keep() -> None:
    character = stork()
    assert check(Character("stork", character.bodies, character.joints), held(0.5)).balance is None
    high = Clip([0.0, 1.0], ("lean",), np.zeros((2, 1)), np.tile((0, 0, 1.0), (2, 1)))
    assert check(character, high).balance is None
    hold = Joint("hold", "ground", "world", "foot")
    pinned = Character("stork", character.bodies, (hold, *character.joints), soles=character.soles)
    assert check(pinned, Clip([0.0, 1.0], ("lean",), np.zeros((2, 1)))).balance is None


def test_hovering_is_said() -> None:
    heights = np.array([0.0, 0.0, 0.0, 0.0, 0.05, 0.05])
    places = np.stack([0 * heights, 0 * heights, heights], axis=1)
    result = check(stork(), Clip(np.arange(6.0), ("lean",), np.zeros((6, 1)), places))
    assert result.balance is not None and result.balance.hover_share > 0.3
    assert any("no sole is near the floor" in note for note in result.notes)


def test_a_motion_that_is_not_placed_on_the_floor_is_not_judged_for_balance() -> None:
    heights = np.array([0.0, 0.05, 0.05, 0.05, 0.05, 0.05])
    places = np.stack([0 * heights, 0 * heights, heights], axis=1)
    result = check(stork(), Clip(np.arange(6.0), ("lean",), np.zeros((6, 1)), places))
    assert result.balance is None and result.coverage is not None
    assert result.coverage.carried_by == "root" and not result.coverage.is_whole

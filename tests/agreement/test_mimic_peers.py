"""Two public tools' motions of four captures on the G1, judged: figures that were measured before by another scorer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.mechanics.collision import deepest
from animato.mimic.anatomy import Anatomy
from benchmarks import mimic_cases

KNOWN = {
    ("golf", "GMR"): {"zmp_out_percent": 43, "torque_share": 1.2, "keypoint_mm": 74, "skate_worst_cm_s": 21},
    ("golf", "holosoma"): {"zmp_out_percent": 41, "torque_share": 1.5, "keypoint_mm": 46, "skate_worst_cm_s": 4},
    ("walk", "GMR"): {"zmp_out_percent": 96, "torque_share": 2.6, "keypoint_mm": 57, "skate_worst_cm_s": 21},
    ("walk", "holosoma"): {"zmp_out_percent": 89, "torque_share": 2.5, "keypoint_mm": 46, "skate_worst_cm_s": 5},
    ("dance", "GMR"): {"zmp_out_percent": 96, "torque_share": 4.1, "keypoint_mm": 94, "skate_worst_cm_s": 49},
    ("dance", "holosoma"): {"zmp_out_percent": 86, "torque_share": 1.7, "keypoint_mm": 65, "skate_worst_cm_s": 172},
    ("wave", "GMR"): {"zmp_out_percent": 56, "torque_share": 1.7},
    ("wave", "holosoma"): {"zmp_out_percent": 60, "torque_share": 1.7, "keypoint_mm": 46},
}
"""As they were written down, rounded."""

LAPLACIAN = {"golf": 149, "walk": 136, "dance": 292, "wave": 167}
HANDS = {"GMR": 22, "holosoma": 3.5}
COLLIDING = {
    ("golf", "GMR"): 9,
    ("golf", "holosoma"): 3,
    ("walk", "GMR"): 0,
    ("walk", "holosoma"): 27,
    ("dance", "GMR"): 7,
    ("dance", "holosoma"): 9,
}
ROUNDING = {"torque_share": 0.06, "hands_gap_mm": 0.2}  # half of the last digit that was written down, and a little


@pytest.fixture
def g1(shared_data: Path) -> Anatomy:
    anatomy = mimic_cases.robot("g1")
    assert anatomy is not None
    return anatomy


@pytest.mark.parametrize(("name", "peer"), KNOWN)
def test_figures_of_the_peers_are_those_measured_before(g1: Anatomy, name: str, peer: str) -> None:
    found = mimic_cases.peer_score(name, peer)
    for figure, value in KNOWN[name, peer].items():
        assert getattr(found, figure) == pytest.approx(value, abs=ROUNDING.get(figure, 0.6)), figure
    if peer == "holosoma":
        assert found.laplacian_cm2 == pytest.approx(LAPLACIAN[name], abs=0.6)
    if name == "golf":
        assert found.hands_gap_mm == pytest.approx(HANDS[peer], abs=0.2)


@pytest.mark.parametrize(("name", "peer"), COLLIDING)
def test_frames_with_collisions_are_those_measured_before(g1: Anatomy, name: str, peer: str) -> None:
    if mimic_cases.example_robot(mimic_cases.SHAPES) is None:
        pytest.skip("the package example-robot-data is not installed")
    clip, _ = mimic_cases.peer_clip(name, peer)
    assert deepest(g1.character, clip).frames_percent == pytest.approx(COLLIDING[name, peer], abs=0.6)


def test_the_robots_points_are_those_of_the_definition(g1: Anatomy) -> None:
    places = {
        "hip": "hip_pitch",
        "knee": "knee",
        "ankle": "ankle_pitch",
        "toe": "ankle_roll",
        "shoulder": "shoulder_roll",
        "elbow": "elbow",
        "wrist": "wrist_yaw",
    }
    for side, foot in zip(("left", "right"), g1.feet, strict=True):
        for place, link in places.items():
            point = g1.point(f"{side}_{place}")
            assert point.body == f"{side}_{link}_link"
            assert point.position == pytest.approx((0.1, 0.0, -0.02) if place == "toe" else (0.0, 0.0, 0.0), abs=1e-9)
        corners = {(-0.05, 0.025, -0.035), (-0.05, -0.025, -0.035), (0.12, 0.03, -0.035), (0.12, -0.03, -0.035)}
        assert {tuple(np.round(corner, 9)) for corner in foot.sole.corners} == corners
        assert {foot.sole.corners[index][0] for index in foot.toe} == {0.12}
    assert g1.point("pelvis").body == "pelvis"

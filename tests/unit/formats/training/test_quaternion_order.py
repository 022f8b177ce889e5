"""Whether four numbers are w, x, y, z or x, y, z, w."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.formats import load_character
from animato.formats.training import training_qpos
from animato.formats.training.quaternion_order import doubts_of_order, guessed_order
from animato.loading import load_clip
from animato.spatial import quaternions


def turned(qpos: np.ndarray, heading: float, tilt: float = 0.0) -> np.ndarray:
    """The same motion with the world turned about x, then z [rad]."""
    about_z = quaternions.quaternion_about((0.0, 0.0, 1.0), heading)
    turn = np.tile(quaternions.multiply(about_z, quaternions.quaternion_about((1.0, 0.0, 0.0), tilt)), (len(qpos), 1))
    rows = np.array(qpos)
    rows[:, :3], rows[:, 3:7] = quaternions.rotate(turn, rows[:, :3]), quaternions.multiply(turn, rows[:, 3:7])
    return rows


def swapped(qpos: np.ndarray) -> np.ndarray:
    rows = np.array(qpos)
    rows[:, 3:7] = rows[:, [4, 5, 6, 3]]
    return rows


@pytest.mark.parametrize("heading", [0.0, 0.02, 1.6, 3.14159, -2.2])
def test_a_robot_that_stands_and_waves_tells_whichever_way_it_faces(heading: float) -> None:
    pico = load_character("pico")
    rows = turned(training_qpos(load_clip("pico_hello"), pico, 30.0), heading)
    assert guessed_order(pico, pico.coordinate_names, rows) == "wxyz"
    assert guessed_order(pico, pico.coordinate_names, swapped(rows)) == "xyzw"


@pytest.mark.parametrize("name", ["holo_05_03", "holo_07_01", "holo_13_26", "holo_63_01"])
def test_motions_of_another_tool_tell(shared_data: Path, name: str) -> None:
    g1 = load_character(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf", base="float")
    with np.load(shared_data / "retarget_peers" / f"{name}.npz", allow_pickle=False) as file:
        qpos, names = np.array(file["qpos"]), tuple(file["joints"].tolist())
    for heading, tilt in ((0.0, 0.0), (1.1, 0.0), (-2.5, 1.57), (0.4, 3.0)):  # lying and head down, too
        rows = turned(qpos, heading, tilt)
        assert guessed_order(g1, names, rows) == "wxyz"
        assert guessed_order(g1, names, swapped(rows)) == "xyzw"


def test_a_robot_that_stands_stock_still_tells_only_where_it_is_not_turned_at_all() -> None:
    pico = load_character("pico")
    still = np.zeros((5, 7 + len(pico.coordinate_names)))
    still[:, 2] = 1.0
    for numbers, expected in (
        ((1.0, 0.0, 0.0, 0.0), "wxyz"),
        ((0.0, 0.0, 0.0, 1.0), "xyzw"),
        ((0.7071067811865476, 0.0, 0.0, 0.7071067811865476), "wxyz"),  # turned by 90 degrees about z, or about x
        ((0.0, 0.0, 0.001, 0.9999995), None),  # hardly turned, or turned to the other side: upright both ways
    ):
        still[:, 3:7] = numbers
        assert guessed_order(pico, pico.coordinate_names, still) == expected


@pytest.mark.parametrize("heading", [0.0, 0.6, -2.2])
def test_an_order_that_was_stated_wrongly_is_doubted_and_a_right_one_is_not(heading: float, tmp_path: Path) -> None:
    pico = load_character("pico")
    rows = turned(training_qpos(load_clip("pico_hello"), pico, 30.0), heading)
    assert doubts_of_order(pico, pico.coordinate_names, rows, "wxyz") == ()
    assert doubts_of_order(pico, pico.coordinate_names, swapped(rows), "xyzw") == ()
    assert doubts_of_order(pico, pico.coordinate_names, rows, "xyzw")
    assert doubts_of_order(pico, pico.coordinate_names, swapped(rows), "wxyz")
    assert doubts_of_order(None, pico.coordinate_names, rows, "xyzw") == ()
    np.savez(tmp_path / "a.npz", qpos=swapped(rows), fps=np.array(30.0))
    assert "the other order of the quaternion" in load_clip(tmp_path / "a.npz", pico).source
    assert load_clip(tmp_path / "a.npz", pico, quaternion_order="xyzw").source == "a.npz"

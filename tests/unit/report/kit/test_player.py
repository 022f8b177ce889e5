"""Players on pages: small, whole, and true to the motion."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.landmarks import EndPoint
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.report.kit import (
    DIRECTION,
    NOTHING,
    PLAYER_STYLE,
    POINT,
    Axes,
    Film,
    Gaze,
    element,
    film_player,
    player_script,
    time_cursor,
    whole_page,
)
from animato.report.kit.film import film_data
from animato.report.kit.solids import solid_of
from animato.spatial import quaternions
from animato.view.scene import build_scene, pose_bodies
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.fixture(scope="module")
def film(lamp: Character) -> Film:
    """Ten seconds of the lamp, 100 frames each; nothing is faced at first, then a point, then a direction."""
    look = load_clip("lamp_look", lamp)
    times = np.arange(1001) / 100.0
    slow = look.resampled(np.linspace(look.times[0], look.times[-1], len(times)))
    clip = Clip(times, slow.names, slow.positions)
    kinds = np.select([times < 1.0, times < 6.0], [NOTHING, POINT], DIRECTION)
    marks = np.where((kinds == POINT)[:, None], (0.4, 0.1, 0.3), (0.0, 1.0, 0.0))
    sad = Posture.named(lamp, "sad")
    held = Clip(np.zeros(1), sad.names, sad.positions[None])
    gaze = Gaze(lamp.end_points[0], kinds, marks, np.full(1001, 0.1))
    return Film(lamp, clip, held, gaze, ((0.0, "first"), (5.0, "<then>")))


def unpacked(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype=kind).astype(np.float64)


def test_solids_enclose_their_shapes_and_look_outwards(lamp: Character) -> None:
    for part in build_scene(lamp).parts:
        sent = solid_of(part)
        points = sent["extent"] * unpacked(sent["points"], "<i2").reshape(-1, 3) / 32767.0
        faces = unpacked(sent["faces"], "u1").astype(int).reshape(-1, 3)
        normals = unpacked(sent["normals"], "i1").reshape(-1, 3) / 127.0
        assert 4 <= len(points) <= 255 and faces.max() < len(points)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=0.02)
        a, b, c = (points[faces[:, n]] for n in range(3))
        outward = np.cross(b - a, c - a)
        assert np.all(np.einsum("fk,fk->f", outward, (a + b + c) / 3.0 - points.mean(axis=0)) > 0.0)
        outward /= np.linalg.norm(outward, axis=1)[:, None]
        beyond = (part.triangles.vertices[:, None] - a) * outward
        # 3 % is what a hull may cut off; half a step of 16 bits more comes from packing
        assert beyond.sum(axis=2).max() < 0.031 * np.ptp(points, axis=0).max()


def test_what_is_flat_has_no_faces(lamp: Character) -> None:
    part = build_scene(lamp).parts[0]
    flat = type(part)(
        "flat",
        0,
        type(part.triangles)(part.triangles.vertices * (1, 1, 0), part.triangles.normals, part.triangles.faces),
        part.colour,
    )
    assert solid_of(flat)["faces"] == ""


def test_poses_that_are_sent_are_those_of_the_motion(film: Film) -> None:
    data = film_data(film)
    begin, end, count = data["times"]
    times = np.linspace(begin, end, count)
    assert (begin, end, count) == (0.0, 10.0, 301)
    poses, figure = pose_bodies(film.character, film.clip, times), data["figure"]
    rows = unpacked(figure["poses"], "<i2").reshape(count, -1, 7) / 32767.0
    np.testing.assert_allclose(data["reach"] * rows[..., :3], poses.positions[:, figure["moving"]], atol=1e-4)
    same = np.abs(np.sum(rows[..., 3:] * poses.quaternions_wxyz[:, figure["moving"]], axis=2))
    np.testing.assert_allclose(same, 1.0, atol=1e-3)
    still = {int(body) for body in figure["still"]}
    assert still | set(figure["moving"]) == set(range(len(film.character.bodies))) and 0 in still
    assert data["held"]["moving"] == []


def test_what_is_faced_is_seen(film: Film, lamp: Character) -> None:
    gaze = film_data(film)["gaze"]
    assert gaze["kinds"][:29] == "0" * 29 and gaze["kinds"][100] == "1" and gaze["kinds"][-1] == "2"
    data = film_data(film)
    marks = data["reach"] * unpacked(gaze["marks"], "<i2").reshape(-1, 3) / 32767.0
    np.testing.assert_allclose(marks[100], (0.4, 0.1, 0.3), atol=1e-4)
    assert marks[-1, 1] > 0.3  # a direction is an arrow from the eye
    assert gaze["errors"][0] == 5.7


def test_far_points_become_the_way_to_them(film: Film) -> None:
    assert film.gaze is not None
    far = Gaze(film.gaze.end_point, film.gaze.kinds, 100.0 * film.gaze.marks, film.gaze.errors_rad)
    data = film_data(Film(film.character, film.clip, gaze=far))
    assert "1" not in data["gaze"]["kinds"] and data["reach"] < 2.0 and data["held"] is None


def test_a_turned_end_point_looks_its_own_way(film: Film, lamp: Character) -> None:
    assert film.gaze is not None
    turned = EndPoint("side", "shade", lamp.end_points[0].frame, forward=(0.0, 1.0, 0.0))
    gaze = Gaze(turned, film.gaze.kinds, film.gaze.marks, film.gaze.errors_rad)
    assert film_data(Film(lamp, film.clip, gaze=gaze))["gaze"]["forward"] == [0.0, 1.0, 0.0]
    quarter = tuple(quaternions.quaternion_about((0.0, 0.0, 1.0), np.pi / 2))
    framed = EndPoint("side", "shade", type(turned.frame)((0, 0, 0), quarter), forward=(1.0, 0.0, 0.0))
    gaze = Gaze(framed, film.gaze.kinds, film.gaze.marks, film.gaze.errors_rad)
    np.testing.assert_allclose(film_data(Film(lamp, film.clip, gaze=gaze))["gaze"]["forward"], (0, 1, 0), atol=1e-5)


def test_a_page_of_ten_seconds_is_small_and_whole(film: Film) -> None:
    cursor = element("svg", time_cursor("one", Axes(58, 20, 1000, 100, (0.0, 10.0), (0.0, 1.0))), class_="chart")
    player = film_player(film, "one", "The lamp")
    page = whole_page("lamp", element("main", player, cursor, player_script()), styles=(PLAYER_STYLE,))
    assert_whole(page)
    assert len(page) < 200_000
    assert page.count('class="still"') == 1 and "data:image/jpeg;base64," in page
    assert 'data-cursor="one"' in page and 'data-to="10"' in page
    data = re.search(r'id="one-data"[^>]*>(.*?)</script>', page, re.S)
    assert data is not None and "<then>" not in data[1]
    assert json.loads(data[1])["words"] == [[0.0, "first"], [5.0, "<then>"]]
    script = page.rpartition("<script>")[2]
    for word in ("fetch", "XMLHttpRequest", "import(", "eval", "innerHTML"):
        assert word not in script


def test_a_player_of_a_still_character(lamp: Character) -> None:
    still = Clip(np.zeros(1), (), np.zeros((1, 0)))
    data = film_data(Film(lamp, still))
    assert data["times"][2] == 2 and data["gaze"] is None and data["figure"]["moving"] == []

"""Films: what is sent is what moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.landmarks import EndPoint
from animato.errors import OptionError
from animato.findings import check
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.report.kit import (
    BESIDE,
    DIRECTION,
    NOTHING,
    POINT,
    Arrow,
    Ball,
    Figure,
    Film,
    FloorPolygon,
    Gaze,
    Readout,
    StickFigure,
    Trail,
    film_data,
    trail_of,
    use_of,
)
from animato.report.kit.film import Packer, unpacked
from animato.report.kit.film.film import frames_of
from animato.report.kit.film.solids import solids_of
from animato.spatial import quaternions
from animato.view.raster import Triangles
from animato.view.scene import Scene, build_scene, pose_bodies


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.fixture(scope="module")
def clip(lamp: Character) -> Clip:
    """Ten seconds of the lamp, 100 frames each."""
    look = load_clip("lamp_look", lamp)
    times = np.arange(1001) / 100.0
    slow = look.resampled(np.linspace(look.times[0], look.times[-1], len(times)))
    return Clip(times, slow.names, slow.positions)


@pytest.fixture(scope="module")
def gaze(lamp: Character, clip: Clip) -> Gaze:
    """Nothing is faced at first, then a point, then a direction."""
    kinds = np.select([clip.times < 1.0, clip.times < 6.0], [NOTHING, POINT], DIRECTION)
    marks = np.where((kinds == POINT)[:, None], (0.4, 0.1, 0.3), (0.0, 1.0, 0.0))
    return Gaze(lamp.end_points[0], kinds, marks, lamp, clip)


def rows_at(data: dict[str, Any], sent: dict[str, Any], number: int, moments: np.ndarray) -> np.ndarray:
    """Rows of one body or point as the script looks them up, [moment, column]."""
    counts = sent["counts"]
    first = sum(counts[:number])
    kept = unpacked(data["numbers"], sent["moments"])[first : first + counts[number], 0]
    rows = unpacked(data["numbers"], sent["rows"], signed=True)[first : first + counts[number]].astype(float)
    rows[:, :3] = np.array(sent["middle"]) + sent["spread"] * rows[:, :3] / 32767.0
    return np.column_stack([np.interp(moments, kept, column) for column in rows.T])


def test_solids_enclose_their_shapes_and_look_outwards(lamp: Character) -> None:
    packer, scene = Packer(), build_scene(lamp)
    for part, sent in zip(scene.parts, solids_of(scene, packer), strict=True):
        text = packer.text()
        points = sent["extent"] * unpacked(text, sent["points"], signed=True) / 32767.0
        faces = unpacked(text, sent["faces"]).astype(int)
        normals = unpacked(text, sent["normals"], signed=True) / 127.0
        assert faces.max() < len(points)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=0.02)
        a, b, c = (points[faces[:, n]] for n in range(3))
        if len(points) > 255:
            continue  # not convex
        outward = np.cross(b - a, c - a)
        assert np.all(np.einsum("fk,fk->f", outward, (a + b + c) / 3.0 - points.mean(axis=0)) > 0.0)
        outward /= np.linalg.norm(outward, axis=1)[:, None]
        beyond = (part.triangles.vertices[:, None] - a) * outward
        # 3 % is what a hull may cut off; half a step of 16 bits more comes from packing
        assert beyond.sum(axis=2).max() < 0.031 * np.ptp(points, axis=0).max()


def test_what_is_flat_has_no_faces(lamp: Character) -> None:
    scene = build_scene(lamp)
    part = scene.parts[0]
    flat = replace(part, triangles=replace(part.triangles, vertices=part.triangles.vertices * (1, 1, 0)))
    (sent,) = solids_of(Scene("flat", scene.body_names, (flat,), 1.0), Packer())
    assert sent["faces"][1] == 0


def test_what_is_smaller_than_a_cell_is_not_lost(lamp: Character) -> None:
    # a star, which is not convex, of 1 mm on a robot of 10 m
    turns = np.linspace(0.0, 2.0 * np.pi, 41)[:-1]
    far = np.where(np.arange(40) % 2, 1.0, 0.3)
    rim = np.column_stack([far * np.cos(turns), far * np.sin(turns), np.zeros(40)])
    vertices = 1e-3 * np.vstack([rim, rim + np.array([0.0, 0.0, 0.4]), [[0.0, 0.0, -0.1], [0.0, 0.0, 0.5]]])
    ring = np.arange(40)
    after = (ring + 1) % 40
    lids = [[80, b, a] for a, b in zip(ring, after, strict=True)] + [
        [81, a + 40, b + 40] for a, b in zip(ring, after, strict=True)
    ]
    sides = [face for a, b in zip(ring, after, strict=True) for face in ([a, b, b + 40], [a, b + 40, a + 40])]
    normals = np.tile((0.0, 0.0, 1.0), (len(vertices), 1))  # files say anything
    star = Triangles(vertices, normals, np.array(lids + sides))
    scene = build_scene(lamp)
    part = replace(scene.parts[0], triangles=star)
    (sent,) = solids_of(Scene("star", scene.body_names, (part,), 10.0), Packer())
    assert sent["points"][1] > 20 and sent["faces"][1] > 20


def test_poses_that_are_sent_are_those_of_the_motion(lamp: Character, clip: Clip) -> None:
    data = film_data(Film((Figure(lamp, clip),)))
    begin, end, count = data["span"]
    assert (begin, end, count) == (0.0, 10.0, 1001) and data["frames"] == [0.0, 0.01, 1001]
    times = np.linspace(0.0, 10.0, 777)
    poses, sent = pose_bodies(lamp, clip, times), data["figures"][0]["poses"]
    worst_m, worst_rad = 0.0, 0.0
    for body in range(len(lamp.bodies)):
        rows = rows_at(data, sent, body, times * 100.0)
        worst_m = max(worst_m, float(np.abs(rows[:, :3] - poses.positions[:, body]).max()))
        turns = rows[:, 3:] / np.linalg.norm(rows[:, 3:], axis=1)[:, None]
        same = np.clip(np.abs(np.sum(turns * poses.quaternions_wxyz[:, body], axis=1)), 0.0, 1.0)
        worst_rad = max(worst_rad, float(2.0 * np.arccos(same.min())))
    assert worst_m < 0.0006 and worst_rad < np.radians(0.5)  # of a lamp of half a metre; each column within its half
    assert sum(sent["counts"]) < 0.2 * count * len(lamp.bodies)


def test_two_characters_share_one_film(lamp: Character, clip: Clip) -> None:
    pico = load_character("pico")
    film = Film((Figure(lamp, clip), Figure(pico, load_clip("pico_hello", pico), "pico", placing=BESIDE)))
    data = film_data(film)
    assert len(data["looks"]) == 2 and [one["look"] for one in data["figures"]] == [0, 1]
    assert data["span"][:2] == [0.0, 10.0] and np.linalg.norm(data["beside"]) > 0.2
    same = film_data(Film((Figure(lamp, clip), Figure(lamp, clip, ghost=True))))
    assert len(same["looks"]) == 1


def test_a_held_posture_does_not_move(lamp: Character, clip: Clip) -> None:
    sad = Posture.named(lamp, "sad")
    held = Clip(np.zeros(1), sad.names, sad.positions[None])
    data = film_data(Film((Figure(lamp, clip), Figure(lamp, held, "sad", ghost=True))))
    assert set(data["figures"][1]["poses"]["counts"]) == {2}


def test_what_is_faced_is_seen(lamp: Character, clip: Clip, gaze: Gaze) -> None:
    data = film_data(Film((Figure(lamp, clip),), (gaze,)))
    sent = data["things"][0]
    assert sent["kinds"] == [[0.0, 0], [1.0, 1], [6.0, 2]]
    marks = rows_at(data, sent["points"], 0, np.array([300.0, 1000.0]))
    np.testing.assert_allclose(marks[0], (0.4, 0.1, 0.3), atol=1e-3)
    assert marks[1, 1] > 0.3  # a direction is an arrow from the eye


def test_far_points_become_the_way_to_them(lamp: Character, clip: Clip, gaze: Gaze) -> None:
    far = replace(gaze, marks=100.0 * gaze.marks)
    sent = film_data(Film((Figure(lamp, clip),), (far,)))["things"][0]
    assert 1 not in [kind for _, kind in sent["kinds"]] and sent["points"]["spread"] < 2.0


def test_a_turned_end_point_looks_its_own_way(lamp: Character, clip: Clip, gaze: Gaze) -> None:
    quarter = tuple(quaternions.quaternion_about((0.0, 0.0, 1.0), np.pi / 2))
    frame = type(lamp.end_points[0].frame)((0, 0, 0), quarter)
    framed = replace(gaze, end_point=EndPoint("side", "shade", frame, forward=(1.0, 0.0, 0.0)))
    sent = film_data(Film((Figure(lamp, clip),), (framed,)))["things"][0]
    np.testing.assert_allclose(sent["forward"], (0, 1, 0), atol=1e-5)


def test_every_kind_of_thing_is_sent(lamp: Character, clip: Clip) -> None:
    times = np.linspace(0.0, 10.0, 51)
    path = np.column_stack([np.cos(times), np.sin(times), 0.2 + 0.0 * times])
    gap = np.where((times > 4.0)[:, None] & (times < 6.0)[:, None], np.nan, path)
    present = np.zeros((51, 2), dtype=bool)
    present[30:, 1] = True
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    things = (
        trail_of(lamp, clip, lamp.end_points[0].name),
        Trail(times, path, dashed=True, growing=False, layer="the stroke"),
        Ball(times, gap),
        Arrow(times, gap, 2.0 * gap),
        StickFigure(
            times,
            np.stack([path, 2 * path], axis=1),
            ((0, 1, "left"),),
            edges=np.array([[0, 1], [1, 0]]),
            present=present,
        ),
        FloorPolygon(times, [square] * 25 + [np.zeros((0, 2))] * 26, path[:, :2], times < 5.0),
        Readout(times, np.where(times < 2.0, np.nan, times), after=" mm"),
    )
    data = film_data(Film((Figure(lamp, clip),), things, ((0.0, "first"), (5.0, "<then>"))))
    assert [one["kind"] for one in data["things"]] == [
        "trail",
        "trail",
        "ball",
        "arrow",
        "sticks",
        "polygon",
        "readout",
    ]
    ball, polygon, sticks = data["things"][2], data["things"][5], data["things"][4]
    assert [known for _, known in ball["points"]["known"][0]] == [1, 0, 1]
    np.testing.assert_allclose(rows_at(data, ball["points"], 0, np.array([100.0]))[0], path[5], atol=2e-3)
    assert len(polygon["outlines"]) == 2 and polygon["outlines"][1][1] == []
    bits = unpacked(data["numbers"], sticks["present"]["bits"])
    assert bits[0, 0] == 0 and bits[-1, 0] == 2
    assert data["words"] == [[0.0, "first"], [5.0, "<then>"]]


def test_bodies_are_coloured_by_what_their_joints_use(lamp: Character) -> None:
    look = load_clip("lamp_look", lamp)
    usage = check(lamp, look).usage
    use = use_of(lamp, usage)
    shares = np.nanmax(np.stack([np.nanmax(usage.shares[kind], axis=0) for kind in usage.shares]), axis=0)
    for column, (name, body, _) in enumerate(use.axes):
        assert name == usage.axes[column].name
        assert np.nanmax(use.shares[:, body]) >= shares[column] - 1e-12  # no peak is lost
    data = film_data(Film((Figure(lamp, look, use=use),)))
    colours = unpacked(data["numbers"], data["figures"][0]["use"]["colours"])
    assert colours.shape == use.shares.shape and colours.max() <= 128


def test_a_still_character(lamp: Character) -> None:
    data = film_data(Film((Figure(lamp, Clip(np.zeros(1), (), np.zeros((1, 0)))),)))
    assert data["span"] == [0.0, 0.0, 2] and data["frames"] == [0.0, 1.0, 1]


def test_uneven_frames_are_listed() -> None:
    assert frames_of(np.array([0.0, 0.1, 0.5])) == [[0.0, 0.1, 0.5]]
    assert frames_of(np.linspace(0.0, 1.0, 11)) == [0.0, 0.1, 11]


def test_bad_films_say_why(lamp: Character, clip: Clip) -> None:
    with pytest.raises(OptionError, match="`figures` of a film is empty"):
        Film(())
    with pytest.raises(OptionError, match="`placing` is 'over', 'beside' or 'off', given 'under'"):
        Figure(lamp, clip, placing="under")


def test_a_trail_that_swings_is_seen_for_a_while(lamp: Character, clip: Clip) -> None:
    film = Film((Figure(lamp, clip),), (trail_of(lamp, clip, lamp.end_points[0].name, lasting_s=0.7),))
    assert film_data(film)["things"][0]["lasting"] == 0.7


def test_keys_step_through_the_frames_of_the_artist(lamp: Character, clip: Clip) -> None:
    frames = np.arange(0.0, 10.0, 0.04)
    assert film_data(Film((Figure(lamp, clip),), frame_times=frames))["frames"] == pytest.approx([0.0, 0.04, 250])


def test_a_person_is_seen_by_who_goes_along(lamp: Character) -> None:
    times = np.linspace(0.0, 4.0, 41)
    gone = np.column_stack([times, 0.0 * times, 0.0 * times])
    places = gone[:, None] + [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    person = StickFigure(times, places, ((0, 1, ""),), shift=(0.0, 2.0, 0.0))
    assert np.ptp(person.cloud()[:, 0]) > 3.0
    near = person.cloud_along(times[::8], gone[::8])
    np.testing.assert_allclose(near[:, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(near[:, 1], 2.0)

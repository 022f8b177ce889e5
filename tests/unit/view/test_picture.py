"""Properties that pictures must have; none is compared with stored bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.shape import Box, Shape, Sphere
from animato.errors import AnimatoError, OptionError, UnknownNameError
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.view.picture import render_key_pictures, render_picture, render_strobe, save_png
from animato.view.raster.camera import Camera
from animato.view.raster.look import Look
from animato.view.scene.stage import set_stage

QUICK = Look(supersampling=1, labels=False)
SIZE = {"width": 160, "height": 120}
BEHIND = Camera((-4.0, 0.0, 0.6), (0.0, 0.0, 0.5))


def is_red(picture: np.ndarray) -> np.ndarray:
    r, g, b = picture.astype(int).transpose(2, 0, 1)
    return (r > 80) & (r > 2 * g) & (r > 2 * b)


def is_blue(picture: np.ndarray) -> np.ndarray:
    r, g, b = picture.astype(int).transpose(2, 0, 1)
    return (b > 80) & (b > 2 * g) & (b > 2 * r)


def is_green(picture: np.ndarray) -> np.ndarray:
    r, g, b = picture.astype(int).transpose(2, 0, 1)
    return (g > 60) & (g > 2 * r) & (g > 2 * b)


def middle(mask: np.ndarray) -> np.ndarray:
    return np.argwhere(mask).mean(axis=0)


def test_seen_from_behind_left_is_left_and_up_is_up(post: Character) -> None:
    picture = render_picture(post, camera=BEHIND, look=QUICK, **SIZE)
    red, green, blue = middle(is_red(picture)), middle(is_green(picture)), middle(is_blue(picture))
    assert red[1] < green[1] - 10  # the ball at +y is on the left of one who looks along +x
    assert blue[0] < red[0] < 120  # the ball on top is above
    assert abs(blue[1] - 80) < 2


def test_solid_pixels_are_where_the_camera_projects_them(post: Character) -> None:
    picture = render_picture(post, camera=BEHIND, look=QUICK, **SIZE)
    place, _ = BEHIND.project((0.0, 0.3, 0.55), 160, 120)
    np.testing.assert_allclose(middle(is_red(picture))[::-1] + 0.5, place, atol=1.0)


def test_posture_turns_the_character(post: Character) -> None:
    turned = render_picture(post, posture=Posture(("turn",), np.array([np.pi])), camera=BEHIND, look=QUICK, **SIZE)
    assert middle(is_red(turned))[1] > middle(is_green(turned))[1] + 10


def test_whole_motion_is_inside_the_frame_with_a_margin(post: Character, turning: Clip) -> None:
    plain = replace(QUICK, floor=False, top=(1.0, 1.0, 1.0), bottom=(1.0, 1.0, 1.0))
    stage = set_stage(post, turning, look=plain, width=200, height=150)
    seen = np.zeros((150, 200), dtype=bool)
    for time in np.linspace(0.0, 2.0, 9):
        seen |= (stage.picture(time) < 250).any(axis=2)
    rows, columns = np.nonzero(seen)
    assert rows.min() >= 8 and rows.max() <= 141 and columns.min() >= 8 and columns.max() <= 191
    assert np.ptp(rows) > 0.6 * 150  # and it is not lost in the distance


def test_two_runs_give_the_same_bytes(post: Character, turning: Clip) -> None:
    options = {"time": 0.7, "ghost": turning.resampled(turning.times), "trails": "ball", **SIZE}
    assert render_picture(post, turning, **options).tobytes() == render_picture(post, turning, **options).tobytes()


def test_shadow_is_darker_than_the_floor(post: Character) -> None:
    with_shadow = render_picture(post, look=QUICK, **SIZE).astype(int)
    without = render_picture(post, look=replace(QUICK, shadows=False), **SIZE).astype(int)
    darker = (without - with_shadow).sum(axis=2)
    assert (darker > 40).sum() > 100
    assert darker.min() >= 0


def test_occlusion_darkens_corners_only(post: Character) -> None:
    with_it = render_picture(post, look=QUICK, **SIZE).astype(int)
    without = render_picture(post, look=replace(QUICK, occlusion=False), **SIZE).astype(int)
    darker = (without - with_it).sum(axis=2)
    assert darker.max() > 30 and np.median(darker) == 0


def test_floor_hides_what_is_below_it(post: Character) -> None:
    sunk = replace(post, joints=(replace(post.joints[0], frame_parent=Frame((0.0, 0.0, -0.06))), post.joints[1]))
    camera = Camera((-4.0, 0.0, 2.0), (0.0, 0.0, 0.5))
    base = replace(post.bodies[0], shapes=(Shape(Box((0.3, 0.3, 0.05)), Frame((0, 0, 0.025)), (0.9, 0.05, 0.05, 1.0)),))
    sunk = replace(sunk, bodies=(base, Body("pole", 1.0, shapes=(Shape(Sphere(0.2), Frame((0, 0, 0.8))),))))
    assert is_red(render_picture(sunk, camera=camera, look=replace(QUICK, floor=False), **SIZE)).sum() > 50
    assert is_red(render_picture(sunk, camera=camera, look=QUICK, **SIZE)).sum() == 0


def test_ghost_is_seen_beside_and_not_over_the_same_pose(post: Character, turning: Clip) -> None:
    alone = render_picture(post, turning, frame=20, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    ahead = Clip(turning.times, turning.names, turning.positions + 1.0)
    haunted = render_picture(post, turning, frame=20, ghost=ahead, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    changed = np.abs(haunted - alone).sum(axis=2) > 20
    assert changed.sum() > 60
    tinted = haunted[changed] - alone[changed]
    assert tinted[:, 2].mean() > tinted[:, 1].mean()  # towards the ghost's blue
    same = render_picture(post, turning, frame=20, ghost=turning, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    assert (np.abs(same - alone).sum(axis=2) > 20).sum() < 0.1 * changed.sum()


def test_ghost_behind_something_solid_is_hidden(post: Character) -> None:
    """The red ball before the pole hides a ghost that has it behind the pole."""
    camera = Camera((0.0, 4.0, 0.55), (0.0, 0.0, 0.55))
    pose, other = (Clip(np.zeros(1), ("turn",), np.array([[angle]])) for angle in (0.0, np.pi))
    alone = render_picture(post, pose, camera=camera, look=QUICK, **SIZE).astype(int)
    haunted = render_picture(post, pose, ghost=other, camera=camera, look=QUICK, **SIZE).astype(int)
    ball = is_red(alone)
    assert ball.sum() > 30
    assert np.abs(haunted - alone)[ball].max() <= 2


def test_translucent_shape_shows_what_is_behind(post: Character) -> None:
    pole = post.bodies[1]
    glass = Shape(Box((0.3, 0.3, 0.3)), Frame((-0.3, 0.0, 0.4)), (0.9, 0.9, 0.9, 0.3))
    glazed = replace(post, bodies=(post.bodies[0], replace(pole, shapes=(*pole.shapes, glass))))
    before = render_picture(post, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    after = render_picture(glazed, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    behind = is_green(before) & (np.abs(after - before).sum(axis=2) > 20)
    assert behind.sum() > 50
    assert (after[behind][:, 1] > after[behind][:, 0]).all()  # still greenish


def test_supersampling_smooths_edges_and_keeps_the_rest(post: Character) -> None:
    rough, fine = (render_picture(post, look=replace(QUICK, supersampling=n), **SIZE).astype(int) for n in (1, 3))
    off = np.abs(rough - fine).max(axis=2)
    # edges are a little lighter on the mean, as light is averaged and not its code
    assert (off > 12).mean() < 0.03 and abs(rough.mean() - fine.mean()) < 1.0
    jumps = [np.square(np.diff(picture, axis=1)).sum() for picture in (rough, fine)]
    assert jumps[1] < 0.9 * jumps[0]


def test_trail_is_drawn_along_the_path(post: Character, turning: Clip) -> None:
    plain = render_picture(post, turning, camera=BEHIND, look=QUICK, **SIZE).astype(int)
    marked = render_picture(post, turning, camera=BEHIND, look=QUICK, trails=["ball"], **SIZE).astype(int)
    where, _ = BEHIND.project((-0.3, 0.0, 0.55), 160, 120)  # nearest point of the half circle
    column, row = where.astype(int)
    window = np.abs(marked - plain)[row - 2 : row + 3, column - 2 : column + 3]
    assert window.max() > 60
    with pytest.raises(UnknownNameError, match="Did you mean 'ball'"):
        render_picture(post, turning, trails="bal", look=QUICK, **SIZE)


def test_strobe_shows_several_poses(post: Character, turning: Clip) -> None:
    single = render_strobe(post, turning, times=[2.0], camera=BEHIND, look=QUICK, **SIZE).astype(int)
    many = render_strobe(post, turning, times=[0.0, 0.5, 1.0, 2.0], camera=BEHIND, look=QUICK, **SIZE).astype(int)
    changed = np.abs(many - single).sum(axis=2) > 15
    assert changed.sum() > 100
    assert render_strobe(post, turning, count=3, look=QUICK, **SIZE).shape == (120, 160, 3)
    with pytest.raises(OptionError, match="at least one moment"):
        render_strobe(post, turning, times=[], look=QUICK, **SIZE)


def test_key_pictures_share_one_camera(post: Character, turning: Clip) -> None:
    pictures = render_key_pictures(post, turning, count=4, look=QUICK, width=64, height=64)
    assert len(pictures) == 4
    foot = [picture[50:] for picture in pictures]
    assert all(np.abs(foot[0].astype(int) - other).mean() < 8.0 for other in foot[1:])
    assert np.abs(pictures[0].astype(int) - pictures[1]).max() > 60


def test_label_is_written_small_in_the_corner(post: Character, turning: Clip) -> None:
    look = replace(QUICK, labels=True)
    plain = render_picture(post, turning, label="", look=look, **SIZE).astype(int)
    marked = render_picture(post, turning, look=look, **SIZE).astype(int)
    rows, columns = np.nonzero(np.abs(marked - plain).sum(axis=2))
    assert rows.min() > 90 and columns.max() < 60 and len(rows) > 20


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_any_size_looks_the_same(size: float) -> None:
    character = Character(
        "cube", (Body("cube", 1.0, shapes=(Shape(Box((size,) * 3), colour=(0.9, 0.05, 0.05, 1.0)),)),)
    )
    picture = render_picture(character, look=QUICK, **SIZE)
    assert 0.3 < is_red(picture).mean() < 0.6


def test_skeletons_loops_bends_and_travellers_can_be_drawn(
    walker: Character, walk: Clip, whip: Character, ring: Character
) -> None:
    for character, clip in ((walker, walk), (walker, None), (whip, None), (ring, None)):
        picture = render_picture(character, clip, look=QUICK, width=64, height=48)
        assert picture.shape == (48, 64, 3) and np.ptp(picture) > 60


def test_camera_goes_along(walker: Character, walk: Clip) -> None:
    def solid_columns(stage, time: float) -> np.ndarray:
        return np.nonzero((stage.picture(time) < 90).any(axis=(0, 2)))[0]

    still = set_stage(walker, walk, look=QUICK, **SIZE)
    moving = set_stage(walker, walk, follow=True, look=QUICK, **SIZE)
    assert abs(solid_columns(still, 0.0).mean() - solid_columns(still, 2.0).mean()) > 40
    assert abs(solid_columns(moving, 0.5).mean() - solid_columns(moving, 1.5).mean()) < 12


def test_pictures_are_written_whole(post: Character, tmp_path: Path) -> None:
    from PIL import Image

    picture = render_picture(post, look=QUICK, **SIZE)
    path = save_png(tmp_path / "new" / "post.png", picture)
    np.testing.assert_array_equal(np.asarray(Image.open(path)), picture)
    assert [file.name for file in path.parent.iterdir()] == ["post.png"]
    with pytest.raises(AnimatoError, match="Cannot write"):
        save_png(tmp_path, picture)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frame": 0, "time": 0.0}, "a frame or a time"),
        ({"frame": 99}, "frames 0 to 40"),
        ({"frame": -1}, "frames 0 to 40"),
        ({"time": 2.5}, "from 0 to 2 s"),
        ({"time": float("nan")}, "outside the clip"),
        ({"width": 5}, "16 to 8192"),
        ({"posture": Posture(("turn",), np.zeros(1))}, "not both"),
    ],
)
def test_bad_options_are_explained(post: Character, turning: Clip, options: dict, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        render_picture(post, turning, **options)


@pytest.mark.parametrize("options", [{"supersampling": 9}, {"ghost_opacity": 2.0}, {"top": (2.0, 0.0, 0.0)}])
def test_bad_looks_are_refused(options: dict) -> None:
    with pytest.raises(OptionError, match="given"):
        Look(**options)


def test_strobe_of_a_motion_that_returns_ends_before_it_does(post: Character, turning: Clip) -> None:
    """The post turns half round and back: the solid pose is the one half round, not the first one again."""
    picture = render_strobe(post, turning, count=3, camera=BEHIND, look=QUICK, **SIZE)
    turned = render_picture(post, turning, time=1.0, camera=BEHIND, look=QUICK, **SIZE)
    assert np.abs(middle(is_red(picture)) - middle(is_red(turned))).max() < 30
    there = is_red(turned)
    assert (np.abs(picture.astype(int) - turned)[there].max(axis=1) < 40).mean() > 0.8

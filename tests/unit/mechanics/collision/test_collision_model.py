from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Body, Box, Character, Frame, Joint, Mesh, Shape, Sphere
from animato.errors import CharacterError, MissingDependencyError, OptionError
from animato.mechanics.collision import CollisionModel

pytest.importorskip("coal")


def ball(radius: float = 0.1, **options: object) -> Shape:
    return Shape(Sphere(radius), **options)  # type: ignore[arg-type]


def snake(count: int, *, fixed: tuple[int, ...] = (), spacing: float = 1.0) -> Character:
    """Bodies with a ball each in a row along x, one joint between neighbours."""
    bodies = tuple(Body(f"b{n}", shapes=(ball(),)) for n in range(count))
    joints = tuple(
        Joint(
            f"j{n}",
            "fixed" if n in fixed else "revolute",  # type: ignore[arg-type]
            f"b{n}",
            f"b{n + 1}",
            frame_parent=Frame((spacing, 0.0, 0.0)),
            axis=(0.0, 0.0, 1.0),
        )
        for n in range(count - 1)
    )
    return Character("snake", bodies, joints)


def names(model: CollisionModel) -> set[tuple[str, str]]:
    return {model.pair_names(pair) for pair in range(len(model.pairs))}


def test_pairs_are_more_joints_apart_than_said() -> None:
    assert names(CollisionModel.of(snake(6))) == {("b0", "b4"), ("b0", "b5"), ("b1", "b5")}
    assert names(CollisionModel.of(snake(4), apart=1)) == {("b0", "b2"), ("b0", "b3"), ("b1", "b3")}


def test_bodies_that_move_together_count_as_one() -> None:
    model = CollisionModel.of(snake(6, fixed=(1, 4)), apart=2)
    assert names(model) == {("b0", "b4"), ("b0", "b5")}  # three joints turn between them
    assert names(CollisionModel.of(snake(3, fixed=(0, 1)), apart=0)) == set()


def test_ignored_pairs_are_left_out() -> None:
    character = replace(snake(6), ignored_collisions=(("b5", "b0"),))
    assert names(CollisionModel.of(character)) == {("b0", "b4"), ("b1", "b5")}


def test_pairs_that_touch_at_rest_are_left_out_and_named() -> None:
    model = CollisionModel.of(snake(4, spacing=0.15), apart=0)
    assert set(model.touching) == {("b0", "b1"), ("b1", "b2"), ("b2", "b3")}
    assert names(model) == {("b0", "b2"), ("b0", "b3"), ("b1", "b3")}
    assert "b0 and b1" in repr(model)


def test_only_collision_shapes_count() -> None:
    character = snake(6)
    bodies = (replace(character.bodies[0], shapes=(ball(collision=False),)), *character.bodies[1:])
    assert names(CollisionModel.of(replace(character, bodies=bodies))) == {("b1", "b5")}


def test_a_character_without_shapes_has_no_pairs() -> None:
    model = CollisionModel.of(Character("bare", (Body("one"),)))
    assert model.hulls == () and model.pairs.shape == (0, 2)


def test_a_model_is_built_once() -> None:
    assert CollisionModel.of(snake(6)) is CollisionModel.of(snake(6))
    assert CollisionModel.of(snake(6)) is not CollisionModel.of(snake(6), apart=2)


def test_one_hull_of_all_shapes_of_a_body() -> None:
    character = snake(6)
    legs = tuple(ball(0.01, frame=Frame((0.1 * n, 0.0, 0.0))) for n in range(3))
    bodies = (replace(character.bodies[0], shapes=legs), *character.bodies[1:])
    apart = CollisionModel.of(replace(character, bodies=bodies))
    whole = CollisionModel.of(replace(character, bodies=bodies), one_hull=True)
    assert len(apart.hulls) == 8 and len(whole.hulls) == 6
    assert names(apart) == names(whole)
    assert len(apart.hull_pairs) == 7 and len(whole.hull_pairs) == 3
    np.testing.assert_array_equal(apart.pair_of, [0, 0, 0, 1, 1, 1, 2])


def test_absent_meshes_are_named(tmp_path: Path) -> None:
    character = snake(6)
    broken = tmp_path / "broken.stl"
    broken.write_text("solid nothing\n")
    for path in (tmp_path / "absent.stl", broken):
        shapes = (Shape(Mesh(str(path))), ball())
        model = CollisionModel.of(replace(character, bodies=(Body("b0", shapes=shapes), *character.bodies[1:])))
        assert model.unread == ("b0",)
        assert len(model.pairs) == 3  # by what is left of its shapes


def test_loops_and_negative_numbers_are_refused() -> None:
    with pytest.raises(OptionError, match="`apart` counts joints"):
        CollisionModel.of(snake(3), apart=-1)
    character = snake(3)
    ring = replace(character, joints=(*character.joints, Joint("last", "revolute", "b2", "b0")))  # type: ignore[arg-type]
    with pytest.raises(CharacterError, match="loops"):
        CollisionModel.of(ring)


def test_held_bodies_do_not_collide_with_one_another() -> None:
    bodies = (Body("floor", shapes=(Shape(Box((1, 1, 0.1))),)), Body("wall", shapes=(ball(),)))
    grounds = tuple(
        Joint(f"hold {body.name}", "ground", "world", body.name, frame_parent=Frame((0.0, 0.0, 2.0 * n)))  # type: ignore[arg-type]
        for n, body in enumerate(bodies)
    )
    assert len(CollisionModel.of(Character("room", bodies, grounds), apart=0).pairs) == 0


@pytest.mark.parametrize(("package", "extra"), [("coal", "pinocchio"), ("trimesh", "robots")])
def test_what_is_not_installed_is_named(
    package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one.stl"
    file.write_text("solid one\nendsolid one\n")
    character = snake(6)
    bodies = (Body("b0", shapes=(Shape(Mesh(str(file))),)), *character.bodies[1:])
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf"'{package}'.*animato\[{extra}\]"):
        CollisionModel.of(replace(character, bodies=bodies))
    # without shapes nothing needs them
    bare = replace(character, bodies=tuple(Body(body.name) for body in character.bodies))
    assert len(CollisionModel.of(bare).pairs) == 0

# SPDX-License-Identifier: GPL-3.0-or-later
"""A character becomes an armature that stands where animato's own kinematics says."""

import json
import math

import bpy
import numpy as np
import pytest
from animato_bridge import jobs
from animato_bridge.armature import PATHS
from characters import FORWARD, written
from driving import asked_of_animato, finish, imported


def posed(rig, told, values, frame):
    for bone in told["bones"]:
        for channel in bone["channels"] if bone["role"] != "follower" else ():
            part = getattr(rig.pose.bones[bone["bone"]], PATHS[channel["path"]])
            part[channel["index"]] = channel["sign"] * values[channel["coordinate"]][frame]
    bpy.context.view_layer.update()


def place_of(rig, told, body):
    """T_world_body, by the bone that carries it."""
    seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    names = {bone["name"]: bone["bone"] for bone in told["bones"]}
    where = told["bodies"][body]
    bone = np.eye(4) if where["bone"] is None else np.array(seen.pose.bones[names[where["bone"]]].matrix)
    return np.array(seen.matrix_world) @ bone @ np.array(where["matrix"])


@pytest.fixture(params=["lamp", "pico", "four_bar", "legs", "slider", "mixed"])
def character(request, tmp_path):
    return written(request.param, tmp_path)


def test_bodies_stand_where_animatos_kinematics_has_them(character):
    rig, told = imported(character)
    expected = asked_of_animato(FORWARD, character, 7)
    worst = 0.0
    for frame in range(6):
        posed(rig, told, expected["values"], frame)
        for body, places in expected["bodies"].items():
            worst = max(worst, np.abs(place_of(rig, told, body) - np.array(places[frame])).max())
    print(f"{told['character']}: bodies to {worst:.1e} m")
    assert worst < 1e-6


def test_shapes_ride_on_their_bodies():
    rig, told = imported("lamp")
    expected = asked_of_animato(FORWARD, "lamp", 3)
    posed(rig, told, expected["values"], 2)
    shade = [one for one in bpy.data.objects if one.type == "MESH" and one.name.split(".")[0] == "shade"]
    light = bpy.data.objects["light"]  # an end-point 7 cm in front of the shade's origin, looking forward
    place = np.array(expected["bodies"]["shade"][2])
    assert len(shade) > 1
    seen = light.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert np.abs(np.array(seen.matrix_world) @ (-0.07, 0, 0, 1) - place[:, 3]).max() < 1e-6


def test_y_of_a_bone_is_the_axis_and_other_channels_are_locked():
    rig, _ = imported("lamp")
    elbow = rig.pose.bones["elbow"]
    assert np.allclose(rig.data.bones["elbow"].matrix_local.col[1][:3], (0, 1, 0), atol=1e-6)
    assert list(elbow.lock_location) == [True] * 3
    assert list(elbow.lock_rotation) == [True, False, True]
    assert elbow.rotation_mode == "YXZ"


@pytest.mark.parametrize(("asked", "held"), [(2.5, math.radians(80)), (-2.5, math.radians(-90)), (0.3, 0.3)])
def test_limits_hold(asked, held):
    rig, _ = imported("lamp")
    nod = rig.pose.bones["nod"]
    nod.rotation_euler = (0.4, asked, -0.2)  # what is not the axis has no effect
    bpy.context.view_layer.update()
    above, here = np.array(rig.pose.bones["elbow"].matrix), np.array(nod.matrix)
    rest = np.array(rig.data.bones["elbow"].matrix_local.inverted() @ rig.data.bones["nod"].matrix_local)
    local = np.linalg.inv(rest) @ np.linalg.inv(above) @ here
    assert abs(math.atan2(local[0, 2], local[0, 0]) - held) < 1e-6
    assert np.abs(local[1, :3] - (0, 1, 0)).max() < 1e-6


def test_slide_is_held(tmp_path):
    rig, _ = imported(written("slider", tmp_path))
    slide = rig.pose.bones["slide"]
    slide.location = (0.5, 0.9, 0.5)
    bpy.context.view_layer.update()
    moved = np.array(rig.data.bones["slide"].matrix_local.inverted() @ slide.matrix)
    assert np.abs(moved[:3, 3] - (0, 0.25, 0)).max() < 1e-6


def test_gears_follow_the_leader_after_its_limit(tmp_path):
    rig, told = imported(written("mixed", tmp_path))
    rig.pose.bones["lead"].rotation_euler[1] = 2.0  # held at 1
    bpy.context.view_layer.update()
    follower = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["follow"]
    assert abs(follower.rotation_euler[1] - (-0.5 * 1.0 + 0.2)) < 1e-6
    assert [bone["role"] for bone in told["bones"] if bone["name"] == "follow"] == ["follower"]


def test_a_wrong_name_is_said_in_animatos_words():
    bpy.ops.animato.import_character(character="lmap")
    job, _ = finish()
    assert "lamp" in job.error
    assert jobs.state.said == ()


def test_names_longer_than_blenders(tmp_path):
    path = written("slider", tmp_path)
    long = "a_joint_of_which_much_can_be_said_" * 3
    path.write_text(path.read_text().replace("  roll:", f"  {long}:"))
    rig, told = imported(path)
    bone = told["bones"][1]
    assert bone["name"] == long
    assert bone["bone"] != long
    assert bone["bone"] in rig.pose.bones
    assert json.loads(rig.data["animato"])["clip"]["coordinates"] == ["slide", long]

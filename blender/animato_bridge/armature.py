# SPDX-License-Identifier: GPL-3.0-or-later
"""A described character as an armature: each channel of a bone is a coordinate of the robot, inside its limits."""

import json
import math

import bpy
from mathutils import Matrix

DESCRIPTION = "animato"
"""Custom property of the armature that holds what animato told of the character."""
ORDER = "YXZ"
"""Of Euler angles: y comes first, so that the angle about it goes all the way round."""
PATHS = {"location": "location", "rotation": "rotation_euler", "quaternion": "rotation_quaternion"}


def build_armature(told, collection):
    """Makes the armature object, without shapes.

    Args:
        told: What animato says of the character.
        collection: Where the object goes.
    """
    data = bpy.data.armatures.new(told["character"])
    rig = bpy.data.objects.new(told["character"], data)
    collection.objects.link(rig)
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in bpy.context.selected_objects:
        other.select_set(False)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    names = _edit_bones(rig, told["bones"])
    for bone in told["bones"]:
        bone["bone"] = names[bone["name"]]  # as Blender calls it, which cuts long names
        _pose_bone(rig, bone)
    for bone in told["bones"]:
        if bone["follows"] is not None:
            _follow(rig, bone, next(one for one in told["bones"] if one["name"] == bone["follows"]["leader"]))
    data[DESCRIPTION] = json.dumps({key: value for key, value in told.items() if key not in ("meshes", "shapes")})
    rig.show_in_front = True
    return rig


def description_of(rig):
    """What animato told of an armature's character; None where it is not one of ours."""
    if rig is None or rig.type != "ARMATURE" or DESCRIPTION not in rig.data:
        return None
    return json.loads(rig.data[DESCRIPTION])


def _edit_bones(rig, bones):
    bpy.ops.object.mode_set(mode="EDIT")
    names = {}
    for bone in bones:
        made = rig.data.edit_bones.new(bone["name"])
        made.head, made.tail = (0.0, 0.0, 0.0), (0.0, bone["length"], 0.0)
        made.matrix = Matrix(bone["matrix"])
        if bone["parent"] is not None:
            made.parent = rig.data.edit_bones[names[bone["parent"]]]
        names[bone["name"]] = made.name
    bpy.ops.object.mode_set(mode="OBJECT")
    return names


def _pose_bone(rig, bone):
    posed = rig.pose.bones[bone["bone"]]
    posed.rotation_mode = "QUATERNION" if bone["kind"] in ("ball", "root") else ORDER
    moved = set()
    if bone["role"] in ("driven", "free"):
        moved = {(channel["path"], channel["index"]) for channel in bone["channels"]}
    posed.lock_location = [("location", n) not in moved for n in range(3)]
    posed.lock_rotation = [("rotation", n) not in moved and ("quaternion", n + 1) not in moved for n in range(3)]
    posed.lock_rotation_w = ("quaternion", 0) not in moved
    posed.lock_scale = (True, True, True)
    if bone["kind"] == "turn":
        _limit_turn(posed, bone["channels"][0])
    elif bone["kind"] == "slide":
        _limit_slide(posed, bone["channels"][0])


def holds_range(channel) -> bool:
    """Whether Blender can hold the range of a channel: angles of its constraint start over at half a turn."""
    lower, upper = channel["lower"], channel["upper"]
    if lower is None or upper is None:
        return channel["path"] == "location" and (lower is not None or upper is not None)
    return channel["path"] == "location" or (lower >= -math.pi and upper <= math.pi)


def _limit_turn(posed, channel):
    limit = posed.constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    limit.euler_order = ORDER
    limit.use_transform_limit = True
    limit.use_limit_x = limit.use_limit_z = True  # from 0 to 0: the axis is all there is
    if holds_range(channel):
        limit.use_limit_y = True
        limit.min_y, limit.max_y = channel["lower"], channel["upper"]


def _limit_slide(posed, channel):
    limit = posed.constraints.new("LIMIT_LOCATION")
    limit.owner_space = "LOCAL"
    limit.use_transform_limit = True
    for axis in "xz":
        setattr(limit, f"use_min_{axis}", True)
        setattr(limit, f"use_max_{axis}", True)
    if channel["lower"] is not None:
        limit.use_min_y, limit.min_y = True, channel["lower"]
    if channel["upper"] is not None:
        limit.use_max_y, limit.max_y = True, channel["upper"]


def _follow(rig, bone, leader):
    """A gear: drives a channel by the leader's, as it is after its limits; no Python in it."""
    channel, led = bone["channels"][0], leader["channels"][0]
    curve = rig.pose.bones[bone["bone"]].driver_add(PATHS[channel["path"]], channel["index"])
    driver = curve.driver
    driver.type = "SUM"
    variable = driver.variables.new()
    target = variable.targets[0]
    if led["path"] == "location" or holds_range(led):
        variable.type = "TRANSFORMS"
        target.id, target.bone_target = rig, leader["bone"]
        target.transform_type = "LOC_Y" if led["path"] == "location" else "ROT_Y"
        target.transform_space = "LOCAL_SPACE"
        target.rotation_mode = ORDER
    else:  # may turn further than an angle can be read off a bone
        target.id = rig
        target.data_path = f"{channel_path(leader, led)}[{led['index']}]"
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    line = curve.modifiers.new("GENERATOR")
    line.poly_order = 1
    line.coefficients = (bone["follows"]["offset"], bone["follows"]["ratio"])


def bone_path(name) -> str:
    """The data path of a pose bone."""
    return f'pose.bones["{bpy.utils.escape_identifier(name)}"]'


def channel_path(bone, channel) -> str:
    """The data path of a channel, from the armature object on."""
    return f"{bone_path(bone['bone'])}.{PATHS[channel['path']]}"

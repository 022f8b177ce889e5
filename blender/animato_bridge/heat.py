# SPDX-License-Identifier: GPL-3.0-or-later
"""Heat: how much of its limits a joint uses, as an animated property `heat` of its bone, and colours driven by it."""

import bpy
import numpy as np

from .curves import ActionWriter, new_action

PROPERTY = "heat"
_COLOURS = ((0.75, None), (0.9, (0.95, 0.55, 0.10)), (1.0, (0.90, 0.30, 0.03)), (1.02, (0.70, 0.0, 0.28)))
_HOTTEST = (2.0, (0.35, 0.0, 0.2))
_COOL_BONE = (0.35, 0.55, 0.75)


def make_warm(rig, told) -> None:
    """Gives every bone its property, and a colour that is driven by it; steps of a job, one a bone.

    Args:
        rig: The armature.
        told: What animato says of the character.
    """
    for bone in told["bones"]:
        if bone["joint"] is None:
            continue
        mine = rig.data.bones[bone["bone"]]
        mine[PROPERTY] = 0.0
        mine.id_properties_ui(PROPERTY).update(
            min=0.0, soft_max=2.0, description="Share of the limit that is used most; 1 is the limit"
        )
        mine.color.palette = "CUSTOM"
        for part in ("normal", "select", "active"):
            path = f'bones["{bpy.utils.escape_identifier(bone["bone"])}"].color.custom.{part}'
            colour_by_heat(rig.data, path, rig.data, bone["bone"], _COOL_BONE)
        yield "colours"


def colour_by_heat(owner, path, data, bone, cool) -> None:
    """Drives a colour by a bone's heat, by a curve and not by Python, which Blender would ask about.

    Args:
        owner: The data-block that has the colour.
        path: Of the colour, from there on.
        data: The armature's data.
        bone: As Blender calls it.
        cool: The colour while there is no heat.
    """
    for part in range(3):
        curve = owner.driver_add(path, part)
        curve.driver.type = "SUM"
        variable = curve.driver.variables.new()
        target = variable.targets[0]
        target.id_type, target.id = "ARMATURE", data
        target.data_path = heat_path(bone)
        for modifier in list(curve.modifiers):
            curve.modifiers.remove(modifier)
        stops = [(0.0, cool), *((at, colour or cool) for at, colour in _COLOURS), _HOTTEST]
        for at, colour in stops:
            curve.keyframe_points.insert(at, colour[part]).interpolation = "LINEAR"
        curve.extrapolation = "CONSTANT"


def heat_path(bone) -> str:
    """The data path of a bone's heat, from the armature's data on."""
    return f'bones["{bpy.utils.escape_identifier(bone)}"]["{PROPERTY}"]'


def play_heat(rig, told, answer, first_frame, name):
    """Writes the heat of an answer into an action of the armature's data; steps of a job, one a bone.

    It stands apart from the artist's action, which stays as it is.

    Args:
        rig: The armature.
        told: What animato says of the character.
        answer: With `joints` and `heat`.
        first_frame: Of the motion.
        name: Of the action.
    """
    shares = answer["heat"]
    writer = ActionWriter(new_action(name), rig.data)
    frames = first_frame + np.arange(len(shares), dtype=float)
    for bone in told["bones"]:
        if bone["joint"] in answer["joints"]:
            column = shares[:, answer["joints"].index(bone["joint"])]
            writer.write(heat_path(bone["bone"]), 0, frames, column, group=bone["bone"])
            yield "writing heat"
    writer.assign()

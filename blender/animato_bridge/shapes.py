# SPDX-License-Identifier: GPL-3.0-or-later
"""The robot's bodies as meshes on the bones, coloured by heat."""

import bpy
import numpy as np
from mathutils import Matrix

from . import heat


def build_shapes(told, rig, collection):
    """Makes one object a shape; a generator for a job, one step a shape.

    Args:
        told: What animato says of the character.
        rig: Its armature.
        collection: Where the objects go.
    """
    meshes = {}
    material = None
    bones = {bone["name"]: bone for bone in told["bones"]}
    for number, shape in enumerate(told["shapes"], start=1):
        material = material or _material(told["character"])
        if shape["mesh"] not in meshes:
            meshes[shape["mesh"]] = _mesh(shape["body"], told["meshes"][shape["mesh"]], material)
        made = bpy.data.objects.new(shape["body"], meshes[shape["mesh"]])
        collection.objects.link(made)
        hang(made, rig, bones.get(shape["bone"]), shape["matrix"])
        colour = _linear(shape["colour"])
        made.color = colour
        made.hide_select = True
        bone = bones.get(shape["bone"])
        if bone is not None and bone["joint"] is not None:
            heat.colour_by_heat(made, "color", rig.data, bone["bone"], colour)
        yield f"shape {number}/{len(told['shapes'])}"
    for place in told["places"]:
        empty = bpy.data.objects.new(place["name"], None)
        empty.empty_display_type, empty.empty_display_size = "ARROWS", 0.5 * told["bones"][0]["length"]
        collection.objects.link(empty)
        hang(empty, rig, bones.get(place["bone"]), place["matrix"])


def hang(made, rig, bone, matrix) -> None:
    """Fixes an object to a bone, or to the armature where there is no bone.

    Args:
        made: The object.
        rig: The armature.
        bone: As told; None for what stands in the world.
        matrix: T_bone_object, or T_world_object; four rows.
    """
    made.parent = rig
    if bone is not None:
        made.parent_type, made.parent_bone = "BONE", bone["bone"]
        # Blender hangs children on the tail of a bone; animato counts from its head.
        length = rig.data.bones[bone["bone"]].length
        made.matrix_parent_inverse = Matrix.Translation((0.0, -length, 0.0))
    made.matrix_basis = Matrix(matrix)


def _mesh(name, surface, material):
    mesh = bpy.data.meshes.new(name)
    vertices, faces = surface["vertices"], surface["faces"]
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(vertices, dtype=np.float32).ravel())
    mesh.loops.add(faces.size)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(faces, dtype=np.int32).ravel())
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 3, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.validate()
    mesh.materials.append(material)
    return mesh


def _material(character):
    """One material for all: it takes the colour of the object, which heat drives."""
    material = bpy.data.materials.new(f"{character} heat")
    if bpy.app.version < (5, 0, 0):  # from then on every material has nodes
        material.use_nodes = True
    nodes = material.node_tree.nodes
    surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    surface.inputs["Roughness"].default_value = 0.6
    colour = nodes.new("ShaderNodeObjectInfo")
    material.node_tree.links.new(colour.outputs["Color"], surface.inputs["Base Color"])
    return material


def _linear(colour):
    """Colours are stated as a screen shows them (sRGB); Blender counts light."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return (*parts, colour[3])

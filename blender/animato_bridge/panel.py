# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel in the sidebar of the 3D view."""

import textwrap

import bpy

from . import jobs
from .armature import description_of

_LETTERS = 42  # in a line of the sidebar
_MOST_SAID = 8


class AnimatoWishes(bpy.types.PropertyGroup):
    """What is wanted, kept with the scene."""

    frames: bpy.props.EnumProperty(
        name="Frames",
        items=[("ACTION", "Action", "From its first key to its last"), ("SCENE", "Scene", "The scene's range")],
    )
    time_share: bpy.props.FloatProperty(
        name="Time",
        description="What gives way: 0 keeps your timing and changes shape, 1 slows down and keeps shape",
        min=0.0,
        max=1.0,
        default=0.0,
    )
    keep_marked: bpy.props.BoolProperty(
        name="Protect marked frames",
        description="Nothing changes from a marker 'keep' to the next marker 'end', or at its own frame alone",
        default=True,
    )
    keep_selected: bpy.props.BoolProperty(
        name="Protect selected bones", description="Their joints do not change at all", default=False
    )
    page: bpy.props.StringProperty(
        name="Page", description="Also write animato's page with film and charts here (.html)", subtype="FILE_PATH"
    )


class ANIMATO_PT_panel(bpy.types.Panel):  # noqa: N801  # Blender's own way of names
    """All of it in one panel."""

    bl_label = "animato"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "animato"

    def draw(self, context):
        """Draws the panel."""
        layout, wanted = self.layout, context.scene.animato
        job = jobs.state.job
        if job is not None and job.running:
            layout.label(text=f"{job.title}: {job.status}", icon="SORTTIME")
            layout.operator("animato.cancel", icon="CANCEL")
            return
        layout.operator("animato.import_character", icon="IMPORT").character = ""
        if description_of(context.object) is None:
            layout.label(text="Select a robot's armature.")
        else:
            layout.prop(wanted, "frames", expand=True)
            layout.operator("animato.check", icon="CHECKMARK")
            box = layout.box()
            box.prop(wanted, "time_share", slider=True)
            box.prop(wanted, "keep_marked")
            box.prop(wanted, "keep_selected")
            box.operator("animato.fix", icon="MODIFIER")
            layout.prop(wanted, "page")
            row = layout.row()
            row.operator("animato.export_clip", icon="EXPORT")
            row.operator("animato.clear_markers", icon="X")
        self._draw_said(job)

    def _draw_said(self, job):
        column = self.layout.column(align=True)
        if job is not None and job.error:
            column.alert = True
            said = (job.error,)
        else:
            said = jobs.state.said[:_MOST_SAID]
        for sentence in said:
            for line in textwrap.wrap(sentence, _LETTERS):
                column.label(text=line)


_CLASSES = (AnimatoWishes, ANIMATO_PT_panel)


def register():
    """Switches it on."""
    for one in _CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.animato = bpy.props.PointerProperty(type=AnimatoWishes)


def unregister():
    """Switches it off."""
    del bpy.types.Scene.animato
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)

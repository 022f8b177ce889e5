# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the program animato is."""

import os
import shutil

import bpy

from .errors import BridgeError


class AnimatoPreferences(bpy.types.AddonPreferences):
    """Shown under Edit > Preferences > Add-ons."""

    bl_idname = __package__

    program: bpy.props.StringProperty(
        name="animato",
        description="The program; leave empty where it is in the PATH",
        subtype="FILE_PATH",
    )

    def draw(self, context):
        """Draws the one field and what is found."""
        self.layout.prop(self, "program")
        try:
            self.layout.label(text=f"Found: {program()}")
        except BridgeError as error:
            self.layout.label(text=str(error), icon="ERROR")


def program() -> str:
    """The path of the program: the preference, else the variable ANIMATO, else what is in the PATH.

    Raises:
        BridgeError: There is none.
    """
    addon = bpy.context.preferences.addons.get(__package__)
    stated = (addon.preferences.program if addon and addon.preferences else "") or os.environ.get("ANIMATO", "")
    found = shutil.which(bpy.path.abspath(stated) if stated else "animato")
    if found is None:
        where = f"There is no program '{stated}'" if stated else "The program 'animato' is not in the PATH"
        raise BridgeError(f"{where}. Install it with 'pip install animato', and give its path in the preferences.")
    return found


def register():
    """Switches it on."""
    bpy.utils.register_class(AnimatoPreferences)


def unregister():
    """Switches it off."""
    bpy.utils.unregister_class(AnimatoPreferences)

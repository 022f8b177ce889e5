# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry under File > Import."""

import bpy


def _draw(menu, context):
    menu.layout.operator("animato.import_character", text="Robot character (animato)").character = ""


def register():
    """Adds it."""
    bpy.types.TOPBAR_MT_file_import.append(_draw)


def unregister():
    """Takes it away."""
    bpy.types.TOPBAR_MT_file_import.remove(_draw)

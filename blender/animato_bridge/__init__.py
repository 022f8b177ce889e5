# SPDX-License-Identifier: GPL-3.0-or-later
"""animato in Blender: a character becomes an armature with limits, and its actions are checked and fixed.

Nothing of animato is imported. The program `animato` runs beside Blender and both exchange files.
"""

from . import menus, operators, panel, preferences

_MODULES = (preferences, operators, panel, menus)


def register():
    """Called by Blender when the add-on is switched on."""
    for module in _MODULES:
        module.register()


def unregister():
    """Called by Blender when the add-on is switched off."""
    for module in reversed(_MODULES):
        module.unregister()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong, in a sentence for the artist."""


class BridgeError(Exception):
    """Shown as it is, as a report of Blender's."""

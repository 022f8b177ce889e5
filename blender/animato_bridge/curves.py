# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of all Blenders from 4.2 on: with slots and layers since 4.4, where `action.fcurves` went in 5.0."""

import bpy
import numpy as np

_LINEAR = 1  # of KeyframePoint.interpolation


class ActionWriter:
    """Writes curves into an action for one data-block.

    Attributes:
        action: Which one.
        owner: The data-block that the curves are for.
    """

    def __init__(self, action, owner):
        self.action = action
        self.owner = owner
        self._slot = None
        self._store = action  # in old Blenders the action itself holds curves and groups
        if hasattr(action, "layers"):
            self._slot = _slot(action, owner)
            layer = action.layers[0] if action.layers else action.layers.new("Layer")
            strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
            self._store = strip.channelbag(self._slot, ensure=True)

    def write(self, data_path, index, frames, values, group="") -> None:
        """Writes one curve, straight between its keys; a curve that is there is replaced.

        Args:
            data_path: From the data-block on.
            index: Of the part of the property.
            frames: Shape [key].
            values: Shape [key].
            group: Under which it is shown.
        """
        curves = self._store.fcurves
        old = curves.find(data_path, index=index)
        if old is not None:
            curves.remove(old)
        curve = curves.new(data_path, index=index)
        if group:
            curve.group = self._store.groups.get(group) or self._store.groups.new(group)
        count = len(frames)
        curve.keyframe_points.add(count)
        places = np.column_stack([frames, values]).astype(np.float32)
        curve.keyframe_points.foreach_set("co", places.ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(count, _LINEAR, dtype=np.int32))
        curve.update()

    def assign(self) -> None:
        """Lets the data-block play the action; the one that it played is kept in the file."""
        data = self.owner.animation_data or self.owner.animation_data_create()
        if data.action is not None and data.action is not self.action:
            data.action.use_fake_user = True
        data.action = self.action
        if self._slot is not None:
            data.action_slot = self._slot


def _slot(action, owner):
    """The slot of an action for a data-block: the one that it uses, else one of its kind, else a new one."""
    data = owner.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type == owner.id_type]
    return fitting[0] if fitting else action.slots.new(id_type=owner.id_type, name=owner.name)


def curves_of(action):
    """All curves of an action, of whichever Blender."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def new_action(name):
    """An empty action of that name, or of one close to it where it is taken."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    return action

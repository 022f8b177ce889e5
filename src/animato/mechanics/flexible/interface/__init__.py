"""How an interface of a flexible part moves: centroid, polar-decomposed rotation, and their derivatives."""

from animato.mechanics.flexible.interface.interface_map import InterfaceMap, interface_map
from animato.mechanics.flexible.interface.motion_kernel import put_interface_motion
from animato.mechanics.flexible.interface.packed import PackedInterfaces, pack_interfaces
from animato.mechanics.flexible.interface.polar import polar_rotation, polar_rotation_rate, polar_rotation_second

__all__ = [
    "InterfaceMap",
    "PackedInterfaces",
    "interface_map",
    "pack_interfaces",
    "polar_rotation",
    "polar_rotation_rate",
    "polar_rotation_second",
    "put_interface_motion",
]

"""Bones to joints: a captured skeleton's angles on a character."""

from animato.motion.transfer.angle_transfer import transfer_angles

__all__ = [
    "transfer_angles",
]

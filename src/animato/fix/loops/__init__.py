"""Shape of characters with closed loops: motors may change, and passive joints follow."""

from animato.fix.loops.loop_mechanics import LoopMechanics
from animato.fix.loops.loop_moving import loop_moving_of
from animato.fix.loops.loop_reference import LoopReference

__all__ = ["LoopMechanics", "LoopReference", "loop_moving_of"]

"""Shape of characters with closed loops: motors may change, and passive joints follow."""

from animato.fix.loops.loop_mechanics import LoopMechanics
from animato.fix.loops.loop_moving import loop_moving_of
from animato.fix.loops.loop_reference import LoopReference
from animato.fix.loops.passive_columns import with_passive_columns

__all__ = ["LoopMechanics", "LoopReference", "loop_moving_of", "with_passive_columns"]

"""From a character to a mechanism: placing its bodies, closing its loops, finding redundant rows."""

from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.assembly.closing import closed_from
from animato.mechanics.loops.assembly.gears import led_by_motors
from animato.mechanics.loops.assembly.mobility import unit_scales
from animato.mechanics.loops.assembly.modes import AssemblyMode, assembly_modes, in_mode
from animato.mechanics.loops.assembly.placing import close as closed_rows
from animato.mechanics.loops.assembly.placing import normalized_state, tree_state
from animato.mechanics.loops.assembly.redundancy import Redundancy, find_redundancy
from animato.mechanics.loops.assembly.starts import start_states
from animato.mechanics.loops.assembly.variation import with_other_frames

__all__ = [
    "AssemblyMode",
    "Redundancy",
    "assembly_modes",
    "build_mechanism",
    "closed_from",
    "closed_rows",
    "find_redundancy",
    "in_mode",
    "led_by_motors",
    "normalized_state",
    "start_states",
    "tree_state",
    "unit_scales",
    "with_other_frames",
]

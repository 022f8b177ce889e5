"""Any robot as a design: what of its joints and bodies may change, and a design made one with its frames."""

from animato.design.freeing.dissolving import baked
from animato.design.freeing.freedom import Freedom, as_freedom
from animato.design.freeing.inserting import freed

__all__ = ["Freedom", "as_freedom", "baked", "freed"]

"""Options of `steady`, and what it tracks."""

from animato.steady.options.options import Options
from animato.steady.options.tracked import Emphasis, Tracked

__all__ = ["Emphasis", "Options", "Tracked"]

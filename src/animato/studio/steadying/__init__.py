"""Characters that bend: how they wobble, and a motion after which they do not."""

from animato.studio.steadying.making import Steadied, make_steady
from animato.studio.steadying.seeing import Seen, see
from animato.studio.steadying.steady_tool import SteadyTool
from animato.studio.steadying.wishes import Wishes

__all__ = ["Seen", "Steadied", "SteadyTool", "Wishes", "make_steady", "see"]

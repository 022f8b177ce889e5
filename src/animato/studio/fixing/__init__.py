"""What makes takes performable, and one take of several."""

from animato.studio.fixing.fix_tool import FixTool
from animato.studio.fixing.join_tool import JoinTool
from animato.studio.fixing.landing import land
from animato.studio.fixing.making import Made, make_joined, make_performable
from animato.studio.fixing.wishes import options_from

__all__ = ["FixTool", "JoinTool", "Made", "land", "make_joined", "make_performable", "options_from"]

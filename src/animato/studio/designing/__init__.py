"""Design: target paths with handles, the mechanism that follows them, and a character that is built anew."""

from animato.studio.designing.accepting import has_loops
from animato.studio.designing.asking import Making, designed_for, making_of
from animato.studio.designing.design_tool import DesignTool
from animato.studio.designing.wish import Wish

__all__ = ["DesignTool", "Making", "Wish", "designed_for", "has_loops", "making_of"]

"""What can be wanted of a fix."""

from animato.fix.options.options import Options
from animato.fix.options.stretches import Accent, Protection, parsed_accents, parsed_protections

__all__ = ["Accent", "Options", "Protection", "parsed_accents", "parsed_protections"]

"""What a practitioner would use instead: input shapers, and slowing down."""

from animato.steady.baselines.shapers import Shaper, shaped, shaper, slowed

__all__ = ["Shaper", "shaped", "shaper", "slowed"]

"""GLB (binary glTF) written: characters with their shapes, still or in motion. Captures are read by `capture`."""

from animato.formats.glb.writer import save_glb

__all__ = ["save_glb"]

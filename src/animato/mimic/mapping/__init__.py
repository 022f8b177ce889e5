"""Which places of a person and of a robot belong together, and how their lengths compare."""

from animato.mimic.mapping.mapping import Mapping, mapping_of
from animato.mimic.mapping.mapping_reader import load_mapping
from animato.mimic.mapping.mapping_writer import save_mapping
from animato.mimic.mapping.proportions import scaled_by_segments, segment_scales, uniform_scale

__all__ = [
    "Mapping",
    "load_mapping",
    "mapping_of",
    "save_mapping",
    "scaled_by_segments",
    "segment_scales",
    "uniform_scale",
]

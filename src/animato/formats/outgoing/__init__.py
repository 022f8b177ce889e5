"""What every writer of robots needs: the plain tree of a character, what is left out, files all or none."""

from animato.formats.outgoing.mesh_names import mesh_name, missing_files, said_of_missing
from animato.formats.outgoing.omissions import left_out
from animato.formats.outgoing.places import NamedPlace, named_places
from animato.formats.outgoing.plain import (
    AxisKind,
    PlainAxis,
    PlainStep,
    PlainTree,
    check_distinct,
    is_bare,
    plain_tree,
)
from animato.formats.outgoing.saved import Saved
from animato.formats.outgoing.together import write_together
from animato.formats.outgoing.triangles import Triangles, ball, stl_bytes, triangles_of
from animato.formats.outgoing.xml_text import element, numbers, roll_pitch_yaw, xml_text

__all__ = [
    "AxisKind",
    "NamedPlace",
    "PlainAxis",
    "PlainStep",
    "PlainTree",
    "Saved",
    "Triangles",
    "ball",
    "check_distinct",
    "element",
    "is_bare",
    "left_out",
    "mesh_name",
    "missing_files",
    "named_places",
    "numbers",
    "plain_tree",
    "roll_pitch_yaw",
    "said_of_missing",
    "stl_bytes",
    "triangles_of",
    "write_together",
    "xml_text",
]

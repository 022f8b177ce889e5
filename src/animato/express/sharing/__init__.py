"""Several end-points that share joints: each faces with what those before it leave over."""

from animato.express.sharing.body import Body, ChainBody
from animato.express.sharing.face_together import SharedFacing, find_shared_facing
from animato.express.sharing.goals import Goals, goals_of
from animato.express.sharing.priority import write_move
from animato.express.sharing.priority_follower import PriorityFollower
from animato.express.sharing.rows import ends_of, write_left, write_rows
from animato.express.sharing.search import Found, searched
from animato.express.sharing.shared_aims import SharedAims

__all__ = [
    "Body",
    "ChainBody",
    "Found",
    "Goals",
    "PriorityFollower",
    "SharedAims",
    "SharedFacing",
    "ends_of",
    "find_shared_facing",
    "goals_of",
    "searched",
    "write_left",
    "write_move",
    "write_rows",
]

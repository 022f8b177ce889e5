"""What a path must keep besides its limits: bodies apart, points together."""

from animato.trace.path.constraints.measured import Measured, rows_from
from animato.trace.path.constraints.obstacles import SELF, obstacles_from
from animato.trace.path.constraints.place_rows import PlaceRows, add_rows, put_missing
from animato.trace.path.constraints.relations import (
    KeptRelation,
    PreparedRelations,
    measured_relations,
    parse_relation,
    prepared_relations,
)
from animato.trace.path.constraints.watch import Proof, Watch, watch_of

__all__ = [
    "SELF",
    "KeptRelation",
    "Measured",
    "PlaceRows",
    "PreparedRelations",
    "Proof",
    "Watch",
    "add_rows",
    "measured_relations",
    "obstacles_from",
    "parse_relation",
    "prepared_relations",
    "put_missing",
    "rows_from",
    "watch_of",
]

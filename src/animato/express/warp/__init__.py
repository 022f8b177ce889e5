"""Beyond one posture: warped clips, idling, several end-points."""

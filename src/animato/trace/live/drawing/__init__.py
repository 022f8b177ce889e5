"""What is drawn while the robot follows: samples let in, the line so far, and shorter lines where the robot is late."""

from animato.trace.live.drawing.growing_line import GrowingLine
from animato.trace.live.drawing.live_stroke import LiveStroke
from animato.trace.live.drawing.reach_ball import ReachBall, reach_balls
from animato.trace.live.drawing.sample_gate import SampleGate
from animato.trace.live.drawing.shorter_lines import STRAIGHT, shorter_line

__all__ = [
    "STRAIGHT",
    "GrowingLine",
    "LiveStroke",
    "ReachBall",
    "SampleGate",
    "reach_balls",
    "shorter_line",
]

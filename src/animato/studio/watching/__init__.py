"""What everybody sees: the character, its motion, the artist's beside it, and what the motion asks of the robot."""

from animato.studio.watching.moving import Moving, moving
from animato.studio.watching.rest import know_rest, lift_of, rest_clip
from animato.studio.watching.scene import scene_of
from animato.studio.watching.usage import Usage, usage_of
from animato.studio.watching.watch_tool import WatchTool

__all__ = ["Moving", "Usage", "WatchTool", "know_rest", "lift_of", "moving", "rest_clip", "scene_of", "usage_of"]

"""Commands by which motion goes out: to servos, to other programs, into shows; and by the thousand."""

from animato.cli.stage.batch_command import batch
from animato.cli.stage.bridge_command import bridge
from animato.cli.stage.export_command import export
from animato.cli.stage.play_command import play
from animato.cli.stage.servos_command import servos
from animato.cli.stage.show_command import show

__all__ = ["batch", "bridge", "export", "play", "servos", "show"]

"""Commands that make clips performable, one after another or alone."""

from animato.cli.fixing.join_command import join

__all__ = ["join"]

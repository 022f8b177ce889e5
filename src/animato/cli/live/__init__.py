"""Commands that go on while somebody draws."""

from animato.cli.live.following import LiveWishes, trace_live

__all__ = ["LiveWishes", "trace_live"]

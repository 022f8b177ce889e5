"""animato turns an artist's motion into motion that a physical robot character can perform."""

__version__ = "0.1.0"

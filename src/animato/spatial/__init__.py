"""Rotations, rigid transforms and splines. Arrays in, arrays out."""

from animato.lazy import lazily

__getattr__, __dir__ = lazily(__name__, {}, rooms=("basis", "cubic_spline", "quaternions", "rigid_transform"))

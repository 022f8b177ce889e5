"""Rotations, rigid transforms and splines. Arrays in, arrays out."""

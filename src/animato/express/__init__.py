"""Holds an expressive posture while the end-point faces anything, in real time."""

"""Clips for programs that train controllers of robots."""

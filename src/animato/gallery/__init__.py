"""Demos and demonstrators."""

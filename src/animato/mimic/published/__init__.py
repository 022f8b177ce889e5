"""Retargeting as Moulard, Yoshida and Nakaoka publish it: markers are the unknowns."""

__all__: list[str] = []

"""Parts that bend: slender rods in strain coordinates, solids in finite elements, and their reduction."""

__all__: list[str] = []

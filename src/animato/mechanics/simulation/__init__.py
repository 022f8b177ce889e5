"""Characters in motion: flexible parts and closed loops as one system in minimal coordinates, simulated."""

__all__: list[str] = []

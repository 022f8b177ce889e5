"""What bodies do: trees, loops, contact and limits, for whole clips at once."""

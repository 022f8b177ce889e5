"""Pages and text for people."""

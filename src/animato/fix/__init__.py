"""fix: the smallest visible change after which every limit holds."""

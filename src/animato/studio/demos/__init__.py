"""What a newcomer finds on the first start: characters one wants to touch, with something to do."""

from animato.studio.demos.demo import DEMOS, demo_document, first_document

__all__ = ["DEMOS", "demo_document", "first_document"]

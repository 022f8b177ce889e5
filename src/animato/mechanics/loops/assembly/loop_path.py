"""The joints around a loop."""

from __future__ import annotations

from animato.character import Character, Joint
from animato.character.structure import topology_of


def loop_of(character: Character, joint: Joint) -> tuple[str, ...]:
    """Names of the joints around the loop that a joint closes, that joint first."""
    links = {link.body: link for link in topology_of(character).links}

    def way_up(body: str | None) -> list[tuple[str, str]]:
        steps = []
        while body is not None:
            link = links[body]
            steps.append((body, link.joint.name if link.joint is not None else ""))
            body = link.parent
        return steps

    near, far = way_up(joint.parent), way_up(joint.child)
    common = {body for body, _ in near} & {body for body, _ in far}
    left = [name for body, name in near if body not in common]
    right = [name for body, name in far if body not in common]
    return (joint.name, *left, *reversed(right))

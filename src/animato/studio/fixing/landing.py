"""Where the result of a long solve of a take goes: into it, beside it, or nowhere."""

from __future__ import annotations

from dataclasses import replace

from animato.character import Character
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Take
from animato.studio.keys import Keyed


def land(
    desk: Desk, character: Character, asked: Take, clip: Clip | None, words: str, *, verb: str, label: str
) -> None:
    """Puts what a verb made of a take where it belongs by now, and says so.

    Args:
        desk: At which it was asked for.
        character: For whom it was made.
        asked: The take, as it was then.
        clip: What the robot does; None where there is no such motion.
        words: What there is to say about it.
        verb: Which made it.
        label: Of the step of undo, and of a take beside one that has changed meanwhile.
    """

    def say(sentence: str, kind: str) -> None:
        desk.tell("toast", {"words": sentence, "kind": kind})

    document = desk.document
    now = next((one for one in document.takes if one.name == asked.name and one.motion is asked.motion), None)
    if clip is None:
        say(words, "bad")
        if now is not None:
            desk.amend_take(now, replace(now, remark=words))
    elif document.character is not character:
        say(f"'{asked.name}' was {label} for a character that is no longer here.", "plain")
    elif now is not None:
        desk.edit(label, document.with_take(now.performed_by(verb, clip, words), opened=False))
        say(words, "good")
    else:
        name = document.free_name(f"{asked.name} {label}")
        desk.edit(label, document.with_take(Take(name, Keyed.of(clip), clip, remark=words), opened=False))
        say(f"'{asked.name}' has changed meanwhile; what came out is the take '{name}'.", "plain")

"""A person's motion on a humanoid that stays on its feet."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.mimic.anatomy import Anatomy, BodyPoint, Foot, anatomy_of
    from animato.mimic.contacts import ContactEdit, ContactPlan, load_contacts, plan_contacts, save_contacts
    from animato.mimic.judging import Score, score
    from animato.mimic.mapping import Mapping, load_mapping, mapping_of, save_mapping
    from animato.mimic.online import Command, Loop, OnlineOptions
    from animato.mimic.optimization import Solution, solve
    from animato.mimic.options import Options
    from animato.mimic.person import Person, person_of, resampled
    from animato.mimic.problem import Emphasis, Pin, Problem, build

__all__ = [
    "Anatomy",
    "BodyPoint",
    "Command",
    "ContactEdit",
    "ContactPlan",
    "Emphasis",
    "Foot",
    "Loop",
    "Mapping",
    "OnlineOptions",
    "Options",
    "Person",
    "Pin",
    "Problem",
    "Score",
    "Solution",
    "anatomy_of",
    "build",
    "load_contacts",
    "load_mapping",
    "mapping_of",
    "person_of",
    "plan_contacts",
    "resampled",
    "save_contacts",
    "save_mapping",
    "score",
    "solve",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.mimic.options": ("Options",),
        "animato.mimic.person": ("Person", "person_of", "resampled"),
        "animato.mimic.anatomy": ("Anatomy", "BodyPoint", "Foot", "anatomy_of"),
        "animato.mimic.mapping": ("Mapping", "load_mapping", "mapping_of", "save_mapping"),
        "animato.mimic.contacts": ("ContactEdit", "ContactPlan", "load_contacts", "plan_contacts", "save_contacts"),
        "animato.mimic.problem": ("Emphasis", "Pin", "Problem", "build"),
        "animato.mimic.optimization": ("Solution", "solve"),
        "animato.mimic.online": ("Command", "Loop", "OnlineOptions"),
        "animato.mimic.judging": ("Score", "score"),
    },
    rooms=(
        "options",
        "person",
        "anatomy",
        "mapping",
        "contacts",
        "mesh",
        "curve",
        "problem",
        "optimization",
        "online",
        "judging",
        "published",
    ),
)

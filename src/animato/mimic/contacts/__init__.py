"""Contacts: labelled from the person, planned for the robot."""

from animato.mimic.contacts.edits import ContactEdit
from animato.mimic.contacts.labels import FOOT_PARTS, strict_labels, support_labels
from animato.mimic.contacts.plan import ContactPart, ContactPlan
from animato.mimic.contacts.planning import plan_contacts

__all__ = [
    "FOOT_PARTS",
    "ContactEdit",
    "ContactPart",
    "ContactPlan",
    "plan_contacts",
    "strict_labels",
    "support_labels",
]

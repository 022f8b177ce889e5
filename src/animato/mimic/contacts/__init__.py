"""Contacts: labelled from the person, planned for the robot."""

from animato.mimic.contacts.contact_file import load_contacts, save_contacts
from animato.mimic.contacts.edits import ContactEdit
from animato.mimic.contacts.labels import FOOT_PARTS, strict_labels, support_labels
from animato.mimic.contacts.plan import ContactPart, ContactPlan
from animato.mimic.contacts.planning import plan_contacts
from animato.mimic.contacts.resting import REST_PARTS

__all__ = [
    "FOOT_PARTS",
    "REST_PARTS",
    "ContactEdit",
    "ContactPart",
    "ContactPlan",
    "load_contacts",
    "plan_contacts",
    "save_contacts",
    "strict_labels",
    "support_labels",
]

"""Contacts: labelled from the person, planned for the robot."""

from animato.mimic.contacts.plan import ContactPart, ContactPlan

__all__ = [
    "ContactPart",
    "ContactPlan",
]

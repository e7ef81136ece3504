"""Prints what assistive technology is told of the app: each thing's role and name, a JSON array a line of depth."""

import json

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi

found = []


def walk(thing, depth):
    if thing is None or depth > 40:
        return
    states = thing.get_state_set()
    found.append(
        {
            "role": thing.get_role_name(),
            "name": thing.get_name() or "",
            "description": thing.get_description() or "",
            "depth": depth,
            "showing": states.contains(Atspi.StateType.SHOWING),
            "focusable": states.contains(Atspi.StateType.FOCUSABLE),
        }
    )
    for at in range(thing.get_child_count()):
        walk(thing.get_child_at_index(at), depth + 1)


desktop = Atspi.get_desktop(0)
for at in range(desktop.get_child_count()):
    app = desktop.get_child_at_index(at)
    if app is not None and (app.get_name() or "").lower().startswith("hotline"):
        walk(app, 0)
print(json.dumps(found))

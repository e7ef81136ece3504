"""Somebody else's window: a field to type into, which prints all it holds after every change."""

import json

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="Editor")
field = Gtk.TextView()
text = field.get_buffer()


def tell(_):
    print(json.dumps({"text": text.get_text(text.get_start_iter(), text.get_end_iter(), True)}), flush=True)


text.connect("changed", tell)
window.add(field)
window.set_default_size(500, 300)
window.connect("destroy", Gtk.main_quit)
window.show_all()
window.move(20, 20)
print(json.dumps({"ready": True}), flush=True)
Gtk.main()

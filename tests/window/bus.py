"""A desktop on the session bus: a host of tray icons and a daemon of notifications, for the tests to look at.

Prints one JSON object a line. Arguments: `tray`, `notifications`, `hang` (a daemon that never answers).
Lines on stdin: `menu`, `click LABEL`, `invoke NUMBER` (the person clicks a notification).
"""

import json
import sys
import threading

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
PROPERTIES = "org.freedesktop.DBus.Properties"
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
NOTIFICATIONS = "org.freedesktop.Notifications"
items = []


def say(**what):
    print(json.dumps(what), flush=True)


def property_of(name, path, key):
    return str(dbus.Interface(bus.get_object(name, path), PROPERTIES).Get(ITEM, key))


def menu():
    name, path = items[-1]
    at = bus.get_object(name, property_of(name, path, "Menu"))
    face = dbus.Interface(at, "com.canonical.dbusmenu")
    _, layout = face.GetLayout(0, -1, dbus.Array([], signature="s"))
    entries = [(int(entry[0]), entry[1]) for entry in layout[2]]
    return face, entries


def tell_menu():
    name, path = items[-1]
    _, entries = menu()
    say(
        menu=[str(facts.get("label", "")).replace("__", "_") for _, facts in entries],
        off=[str(facts.get("label", "")) for _, facts in entries if not facts.get("enabled", True)],
        checked=[str(facts.get("label", "")) for _, facts in entries if int(facts.get("toggle-state", 0)) == 1],
        icon=property_of(name, path, "IconName"),
        count=property_of(name, path, "XAyatanaLabel"),
    )


class Watcher(dbus.service.Object):
    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        items.append((sender, service) if service.startswith("/") else (service, "/StatusNotifierItem"))
        say(registered=str(service))

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, key):
        return self.GetAll(interface)[key]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        registered = dbus.Array([name + path for name, path in items], signature="s")
        return {
            "RegisteredStatusNotifierItems": registered,
            "IsStatusNotifierHostRegistered": True,
            "ProtocolVersion": dbus.Int32(0),
        }


class Notifications(dbus.service.Object):
    count = 0
    hangs = "hang" in sys.argv

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss", async_callbacks=("reply", "error"))
    def GetServerInformation(self, reply, error):
        say(asked=True)
        if not self.hangs:
            reply("test", "hotline", "1", "1.2")

    @dbus.service.method(
        NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u", async_callbacks=("reply", "error")
    )
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout, reply, error):
        self.count += 1
        say(number=self.count, app=str(app), title=str(title), body=str(body), actions=[str(a) for a in actions])
        if not self.hangs:
            reply(self.count)

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


if "tray" in sys.argv:
    watcher_name = dbus.service.BusName(WATCHER, bus)
    watcher = Watcher(bus, "/StatusNotifierWatcher")
if "notifications" in sys.argv or "hang" in sys.argv:
    notifications_name = dbus.service.BusName(NOTIFICATIONS, bus)
    notifications = Notifications(bus, "/org/freedesktop/Notifications")


def obey(line):
    word, _, rest = line.strip().partition(" ")
    try:
        if word == "menu":
            tell_menu()
        elif word == "click":
            face, entries = menu()
            chosen = [at for at, facts in entries if str(facts.get("label", "")).replace("__", "_") == rest]
            face.Event(chosen[0], "clicked", dbus.String("", variant_level=1), dbus.UInt32(0))
            say(clicked=rest)
        elif word == "invoke":
            notifications.ActionInvoked(dbus.UInt32(int(rest)), "default")
            notifications.NotificationClosed(dbus.UInt32(int(rest)), dbus.UInt32(2))
    except (dbus.DBusException, IndexError) as problem:
        say(problem=str(problem))
    return False


def listen():
    for line in sys.stdin:
        GLib.idle_add(obey, line)


threading.Thread(target=listen, daemon=True).start()
say(ready=True)
GLib.MainLoop().run()

//! Tray, notifications, starting and quitting.

super::group! {
    /// Tray, notifications, starting and quitting.
    TrayWords {
        open: "Open Hotline", "Ouvrir Hotline";
        next: "Next question", "Question suivante";
        pause_hour: "Pause notifications for 1 hour", "Suspendre les notifications pendant 1 heure";
        pause_day: "Pause notifications until tomorrow", "Suspendre les notifications jusqu’à demain";
        resume: "Resume notifications", "Rétablir les notifications";
        start_at_login: "Start at login", "Lancer à l’ouverture de session";
        quit: "Quit Hotline", "Quitter Hotline";

        asks: "{who} asks: {title}", "{who} demande\u{202f}: {title}";
        asks_something: "{who} has a question for you", "{who} a une question pour vous";
        asks_command: "{who} asks to run a command", "{who} demande à exécuter une commande";

        quit_waiting:
            ["{n} question still waits. An agent without a key is told it was cancelled.",
             "{n} questions still wait. Agents without a key are told it was cancelled."],
            ["{n} question attend encore. Un agent sans clé recevra une annulation.",
             "{n} questions attendent encore. Les agents sans clé recevront une annulation."];
        quit_now: "Quit", "Quitter";
        stay: "Stay", "Rester";
        not_started: "Hotline could not start.", "Hotline n’a pas pu démarrer.";
        other_hub: "Another hub is already running (process {pid}).", "Un autre hub est déjà lancé (processus {pid}).";
        other_hub_hint: "End it, then open Hotline again.", "Arrêtez-le, puis rouvrez Hotline.";
    }
}

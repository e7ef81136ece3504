//! The page of settings.

super::group! {
    /// The page of settings.
    SettingsWords {
        look: "Appearance", "Apparence";
        language: "Language", "Langue";
        theme: "Theme", "Thème";
        system: "System", "Système";
        light: "Light", "Clair";
        dark: "Dark", "Sombre";

        notifications: "Notifications", "Notifications";
        content: "Show the question in notifications", "Montrer la question dans les notifications";
        content_more:
            "Off: a notification only says who asks. A command is never shown.",
            "Désactivé\u{202f}: elle dit seulement qui demande. Une commande n’est jamais montrée.";
        paused_until: "Paused until {time}", "Suspendues jusqu’à {time}";
        not_paused: "Notifications are shown", "Les notifications sont montrées";
        one_hour: "Pause for 1 hour", "Suspendre 1 heure";
        tomorrow: "Pause until tomorrow", "Suspendre jusqu’à demain";
        resume: "Resume", "Rétablir";

        windows: "Windows", "Fenêtres";
        on_top: "Keep the question window above others", "Garder la fenêtre des questions au premier plan";
        start_at_login: "Start Hotline at login", "Lancer Hotline à l’ouverture de session";
        not_kept: "The setting could not be saved.", "Le réglage n’a pas pu être enregistré.";
    }
}

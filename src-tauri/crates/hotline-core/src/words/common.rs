//! Buttons, outcomes, channels and units: said in several places.

super::group! {
    /// Said in several places.
    CommonWords {
        yes: "Yes", "Oui";
        no: "No", "Non";
        cancel: "Cancel", "Annuler";
        later: "Later", "Plus tard";
        back: "Back", "Retour";
        send: "Send", "Envoyer";
        understand: "I understand", "J’ai compris";
        run: "Run", "Exécuter";
        open: "Open", "Ouvrir";
        close: "Close", "Fermer";
        copy: "Copy", "Copier";
        copied: "Copied", "Copié";
        retry: "Try again", "Réessayer";

        question: ["{n} question", "{n} questions"], ["{n} question", "{n} questions"];
        position: "{n} of {total}", "{n} sur {total}";
        quoted: "“{text}”", "«\u{202f}{text}\u{202f}»";

        yes_or_no: "Yes or no", "Oui ou non";
        choice: "Choice", "Choix";
        text: "Text", "Texte";
        command: "Command", "Commande";

        waiting: "Waiting", "En attente";
        answered: "Answered", "Répondu";
        cancelled: "Cancelled", "Annulée";
        cancelled_because: "Cancelled: {reason}", "Annulée\u{202f}: {reason}";
        timed_out: "Timed out", "Expirée";
        withdrawn: "Withdrawn", "Retirée";

        in_window: "in the window", "dans la fenêtre";
        with_ht: "with ht", "avec ht";
        on_mirror: "on the web mirror", "sur le miroir web";
        by_telegram: "by Telegram", "par Telegram";
        by_hub: "by the hub", "par le hub";
        answered_by: "Answered {how} ({who}) {when}: {value}", "Répondu {how} ({who}) {when}\u{202f}: {value}";
        cancelled_by: "Cancelled {how} ({who}) {when}", "Annulée {how} ({who}) {when}";

        seconds: "{n} s", "{n} s";
        minutes: "{n} min", "{n} min";
        hours: "{n} h", "{n} h";
        days: "{n} d", "{n} j";
        just_now: "just now", "à l’instant";
        ago: "{time} ago", "il y a {time}";
        left: "{time} left", "encore {time}";
    }
}

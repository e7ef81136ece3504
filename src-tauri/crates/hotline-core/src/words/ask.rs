//! The dialog of an ask: its head, bands, notes and how it ends.

super::group! {
    /// The dialog of an ask.
    AskWords {
        danger: "This will execute on your machine", "Ceci va s’exécuter sur votre machine";
        hidden:
            ["{n} hidden character is made visible as {mark}", "{n} hidden characters are made visible as {mark}"],
            ["{n} caractère invisible est rendu visible par {mark}",
             "{n} caractères invisibles sont rendus visibles par {mark}"];
        mixed_alphabets:
            ["{n} word mixes alphabets; letters that look alike may differ.",
             "{n} words mix alphabets; letters that look alike may differ."],
            ["{n} mot mêle plusieurs alphabets\u{202f}; des lettres semblables peuvent différer.",
             "{n} mots mêlent plusieurs alphabets\u{202f}; des lettres semblables peuvent différer."];
        right_to_left:
            "Right-to-left letters are shown in the order of execution.",
            "Les lettres écrites de droite à gauche sont montrées dans l’ordre d’exécution.";

        self_named: "Name given by the agent, not checked", "Nom donné par l’agent, non vérifié";
        foreign: "Not one of your panes", "Hors de vos volets";
        program: "Program", "Programme";
        started_in: "Started in", "Lancé dans";
        terminal: "Terminal", "Terminal";
        agent_away:
            "The agent went away: {time} left to come back",
            "L’agent est parti\u{202f}: il lui reste {time} pour revenir";

        lines: ["{n} line", "{n} lines"], ["{n} ligne", "{n} lignes"];
        characters: ["{n} character", "{n} characters"], ["{n} caractère", "{n} caractères"];
        step_one: "Step 1 of 2. Nothing runs yet.", "Étape 1 sur 2. Rien ne s’exécute encore.";
        read_on:
            ["Step 1 of 2. Read to the end first: {n} more line.",
             "Step 1 of 2. Read to the end first: {n} more lines."],
            ["Étape 1 sur 2. Lisez jusqu’à la fin\u{202f}: encore {n} ligne.",
             "Étape 1 sur 2. Lisez jusqu’à la fin\u{202f}: encore {n} lignes."];
        understood: "Understood", "Compris";
        valid_for: "valid for {time}", "valable encore {time}";
        expired:
            "Two minutes passed. Read it again to continue.",
            "Deux minutes ont passé. Relisez pour continuer.";

        enter_sends: "Enter sends · Shift+Enter adds a line", "Entrée envoie · Maj+Entrée ajoute une ligne";
        empty: "Write an answer, or choose Cancel.", "Écrivez une réponse ou choisissez Annuler.";
        filter: ["Filter {n} choice", "Filter {n} choices"], ["Filtrer {n} choix", "Filtrer {n} choix"];
        no_match: "No choice matches.", "Aucun choix ne correspond.";
        reason: "Reason (optional)", "Motif (facultatif)";
        cancel_ask: "Cancel question", "Annuler la question";

        opens_after_typing: "Opens when you stop typing", "S’ouvrira quand vous cesserez de taper";
        ready_after_typing: "Ready when you stop typing", "Prêt quand vous cesserez de taper";
        early: "Too early: nothing was sent.", "Trop tôt\u{202f}: rien n’a été envoyé.";
        tab_first:
            "Nothing was sent. Press Tab, then answer.",
            "Rien n’a été envoyé. Appuyez sur Tab, puis répondez.";
        space_only: "Enter does nothing here: press Space.", "Entrée reste sans effet ici\u{202f}: appuyez sur Espace.";
        too_long: "Too long: an answer holds at most 256 KiB.", "Trop long\u{202f}: une réponse tient en 256 Kio.";
        sending: "Sending…", "Envoi…";
        offline:
            "The hub does not answer. Nothing was sent; your draft is kept.",
            "Le hub ne répond pas. Rien n’a été envoyé\u{202f}; votre brouillon est gardé.";
        not_saved:
            "Your answer could not be saved, so it was not sent. Free some disk space and try again.",
            "Votre réponse n’a pas pu être enregistrée et n’est donc pas partie. Libérez de l’espace disque puis \
             réessayez.";
        ended_unseen:
            "It ended while the hub was out of reach. The history knows how.",
            "Elle a pris fin pendant que le hub ne répondait pas. L’historique dit comment.";
        withdrawn: "Withdrawn: the agent went away.", "Retirée\u{202f}: l’agent est parti.";
        timed_out: "Timed out. Nothing was answered for you.", "Expirée. Rien n’a été répondu à votre place.";
    }
}

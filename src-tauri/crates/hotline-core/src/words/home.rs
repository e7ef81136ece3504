//! The Home window: what needs the person, and the first run.

super::group! {
    /// The Home window and its first run.
    HomeWords {
        needs: "Needs you", "À traiter";
        history: "History", "Historique";
        settings: "Settings", "Réglages";
        now: "Now", "Maintenant";
        draft: "Draft", "Brouillon";
        enter_key: "Enter", "Entrée";
        key_moves: "move", "parcourir";
        key_opens: "open", "ouvrir";
        key_later: "later", "plus tard";

        put_off: ["{n} question is put off", "{n} questions are put off"],
            ["{n} question est remise à plus tard", "{n} questions sont remises à plus tard"];
        no_hub: "The hub does not answer.", "Le hub ne répond pas.";
        all_questions: "All questions", "Toutes les questions";

        nothing: "Nothing needs you", "Rien ne vous attend";
        nothing_more:
            "When an agent asks something, it appears here or in a small window of its own.",
            "Quand un agent pose une question, elle apparaît ici ou dans une petite fenêtre à part.";
        sample: "See what a question looks like", "Voir à quoi ressemble une question";
        sample_more: "It goes to no agent.", "Elle ne part vers aucun agent.";
        show_sample: "Show a sample question", "Montrer un exemple";
        sample_title: "Shall I tidy up the build folder?", "Dois-je ranger le dossier de compilation\u{202f}?";
        sample_body:
            "This is how a question looks. Answer it as you like: nobody is waiting for it.",
            "Voilà à quoi ressemble une question. Répondez à votre guise\u{202f}: personne ne l’attend.";
        sample_place: "Sample", "Exemple";
        sample_done: "Answered. It went to no agent.", "Répondu. Rien n’est parti vers un agent.";
        connect: "Connect an agent", "Relier un agent";
        connect_more:
            "Whatever can run a command can ask you, and waits for your answer.",
            "Tout ce qui peut lancer une commande peut vous interroger, et attend votre réponse.";
        any_shell: "Any shell", "Tout terminal";
        elsewhere: "Answer away from the desk", "Répondre loin du bureau";
        elsewhere_more:
            "Both are off until you turn them on.",
            "Les deux restent désactivés tant que vous ne les activez pas.";
        mirror: "Mirror in a browser…", "Miroir dans un navigateur…";
        telegram: "Telegram…", "Telegram…";
    }
}

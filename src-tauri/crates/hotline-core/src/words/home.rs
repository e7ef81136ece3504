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

        nothing: "Nothing needs you", "Rien ne vous attend";
        nothing_more:
            "When an agent asks something, it appears here and over the pane it asked from.",
            "Quand un agent pose une question, elle apparaît ici et sur le volet d’où elle vient.";
        sample: "See what a question looks like", "Voir à quoi ressemble une question";
        sample_more: "It goes to no agent.", "Elle ne part vers aucun agent.";
        show_sample: "Show a sample question", "Montrer un exemple";
        connect: "Connect an agent", "Relier un agent";
        connect_more:
            "Run this once. The agent can then ask you, and waits for your answer.",
            "À lancer une fois. L’agent peut alors vous interroger et attend votre réponse.";
        any_shell: "Any shell", "Tout terminal";
        elsewhere: "Answer away from the desk", "Répondre loin du bureau";
        elsewhere_more:
            "Both are off until you turn them on.",
            "Les deux restent désactivés tant que vous ne les activez pas.";
        mirror: "Mirror in a browser…", "Miroir dans un navigateur…";
        telegram: "Telegram…", "Telegram…";
    }
}

//! The page of past asks.

super::group! {
    /// The page of past asks.
    HistoryWords {
        when: "When", "Quand";
        question: "Question", "Question";
        asked_by: "Asked by", "Demandé par";
        answer: "Answer", "Réponse";
        answered_by: "Answered by", "Répondu par";
        took: "Took", "Durée";
        received: "Received", "Reçue";
        not_received: "Not received", "Non reçue";
        window: "Window", "Fenêtre";
        mirror: "Mirror", "Miroir";
        hub: "Hub", "Hub";
        today: "Today", "Aujourd’hui";
        yesterday: "Yesterday", "Hier";
        search: "Search", "Rechercher";
        filter: "Filter", "Filtrer";
        any_outcome: "All", "Toutes";
        answered: "Answered", "Répondues";
        cancelled: "Cancelled", "Annulées";
        timed_out: "Timed out", "Expirées";
        more: "Show older questions", "Montrer des questions plus anciennes";
        export: "Export…", "Exporter…";
        exported: "Exported to {path}", "Exporté vers {path}";
        empty: "No question yet.", "Pas encore de question.";
        no_match: "No question matches.", "Aucune question ne correspond.";
    }
}

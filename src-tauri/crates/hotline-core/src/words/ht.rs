//! What `ht` says to a person in a terminal. A `_hint` stands on a line of its own under its sentence.

super::group! {
    /// What `ht` says to a person.
    HtWords {
        no_hub: "No hub is running at {path}.", "Aucun hub n’écoute sur {path}.";
        no_hub_hint:
            "Start it with hotlined, or open the Hotline app.",
            "Lancez-le avec hotlined, ou ouvrez l’application Hotline.";
        hub_away:
            "The hub went away. Trying again for {time}.",
            "Le hub ne répond plus. Nouvelles tentatives pendant {time}.";
        hub_back: "The hub is back.", "Le hub répond de nouveau.";
        hub_lost:
            "The hub went away and did not come back within {time}. No answer was received.",
            "Le hub ne répond plus et n’est pas revenu au bout de {time}. Aucune réponse n’a été reçue.";
        hub_left:
            "The hub at {path} ended the connection before it replied.",
            "Le hub qui écoute sur {path} a coupé la connexion sans répondre.";
        hub_silent: "The hub at {path} did not reply within {time}.", "Le hub qui écoute sur {path} n’a pas répondu en {time}.";
        hub_silent_hint:
            "It may be busy, or stopped. Try again, then start it anew.",
            "Il est peut-être occupé ou suspendu. Réessayez, puis relancez-le.";
        hub_garbled:
            "The hub at {path} sent something that ht cannot read.",
            "Le hub qui écoute sur {path} a envoyé quelque chose que ht ne sait pas lire.";
        hub_garbled_hint:
            "Their versions may differ: ht version shows both.",
            "Leurs versions diffèrent peut-être\u{202f}: ht version affiche les deux.";
        not_a_socket: "{path} is not a socket.", "{path} n’est pas un socket.";
        not_a_socket_hint:
            "Name the hub’s own socket in HT_SOCKET_PATH.",
            "Indiquez le socket du hub dans HT_SOCKET_PATH.";
        socket_link:
            "{path} is a symbolic link. Nothing was sent.",
            "{path} est un lien symbolique. Rien n’a été envoyé.";
        socket_link_hint:
            "Name the socket that it leads to in HT_SOCKET_PATH.",
            "Indiquez dans HT_SOCKET_PATH le socket vers lequel il mène.";
        path_long:
            "{path} is too long for the path of a socket.",
            "{path} est trop long pour être le chemin d’un socket.";
        path_long_hint:
            "Name a shorter one in HT_SOCKET_PATH, for the hub too.",
            "Indiquez-en un plus court dans HT_SOCKET_PATH, pour le hub aussi.";
        not_your_socket:
            "{path} belongs to another user (uid {uid}). Nothing was sent.",
            "{path} appartient à un autre utilisateur (uid {uid}). Rien n’a été envoyé.";
        not_your_hub:
            "The hub at {path} runs as another user (uid {uid}). Nothing was sent.",
            "Le hub qui écoute sur {path} appartient à un autre utilisateur (uid {uid}). Rien n’a été envoyé.";
        other_user_hint: "Run it as yourself, without sudo.", "Lancez-le sous votre propre compte, sans sudo.";

        too_long:
            "What you send is too long: at most {max} bytes fit.",
            "Ce que vous envoyez est trop long\u{202f}: {max} octets au plus sont admis.";
        unreadable: "{path} cannot be read: {why}", "{path} ne peut pas être lu\u{202f}: {why}";
        output_lost:
            "Nobody reads the output any more, so the answer was not passed on.",
            "Plus personne ne lit la sortie\u{202f}: la réponse n’a pas été transmise.";

        waiting:
            "Waiting for an answer to {id}. Ctrl+C withdraws the question.",
            "En attente d’une réponse à {id}. Ctrl+C retire la question.";
        timed_out: "Timed out: nobody answered within {time}.", "Expirée\u{202f}: personne n’a répondu en {time}.";
        cancelled: "Cancelled.", "Annulée.";
        withdrawn: "Withdrawn: nobody is asked any more.", "Retirée\u{202f}: la question n’est plus posée.";

        nothing_waits: "Nothing is waiting.", "Rien n’est en attente.";
        not_waiting: "{id} is not waiting any more. {outcome}", "{id} n’est plus en attente. {outcome}";
        unknown: "No question has the id {id}.", "Aucune question ne porte l’identifiant {id}.";
        unknown_hint: "ht ask pending lists what waits.", "ht ask pending affiche ce qui est en attente.";
        done: "{id}: done.", "{id}\u{202f}: c’est fait.";
        nothing_sent: "Nothing was sent.", "Rien n’a été envoyé.";

        ack_needed: "{id} is a command and takes two steps.", "{id} est une commande et demande deux étapes.";
        ack_needed_hint:
            "Call ht ask ack {id} first, then ht ask answer {id} run within {time}.",
            "Lancez d’abord ht ask ack {id}, puis ht ask answer {id} run dans les {time}.";
        acknowledged: "{id}: understood, valid for {time}.", "{id}\u{202f}: compris, valable encore {time}.";
        right_to_left:
            ["{n} word has right-to-left letters; a terminal may reorder it.",
             "{n} words have right-to-left letters; a terminal may reorder them."],
            ["{n} mot s’écrit de droite à gauche\u{202f}; un terminal peut le réordonner.",
             "{n} mots s’écrivent de droite à gauche\u{202f}; un terminal peut les réordonner."];
        type_word:
            "Type {word} and press Enter. Anything else does nothing.",
            "Tapez {word} puis appuyez sur Entrée. Toute autre saisie reste sans effet.";
        step_two: "Step 2 of 2. The command runs after this.", "Étape 2 sur 2. La commande s’exécutera ensuite.";
    }
}

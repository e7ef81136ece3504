// Generated from src/words of hotline-core; edit it there.
// `UPDATE=1 cargo test -p hotline-core words` writes it anew.

export type Language = "en" | "fr";

/** A text that depends on a number, which it shows as {n}. French counts 0 as one. */
export type Plural = { one: string; many: string };

export type Words = {
  common: {
    yes: string;
    no: string;
    cancel: string;
    later: string;
    back: string;
    send: string;
    understand: string;
    run: string;
    open: string;
    close: string;
    copy: string;
    copied: string;
    retry: string;
    question: Plural;
    position: string;
    quoted: string;
    yesOrNo: string;
    choice: string;
    text: string;
    command: string;
    waiting: string;
    answered: string;
    cancelled: string;
    cancelledBecause: string;
    timedOut: string;
    withdrawn: string;
    inWindow: string;
    withHt: string;
    onMirror: string;
    byTelegram: string;
    byHub: string;
    answeredBy: string;
    cancelledBy: string;
    seconds: string;
    minutes: string;
    hours: string;
    days: string;
    justNow: string;
    ago: string;
    left: string;
  };
  ask: {
    danger: string;
    hidden: Plural;
    mixedAlphabets: Plural;
    rightToLeft: string;
    selfNamed: string;
    foreign: string;
    program: string;
    startedIn: string;
    terminal: string;
    agentAway: string;
    lines: Plural;
    characters: Plural;
    stepOne: string;
    readOn: Plural;
    understood: string;
    validFor: string;
    expired: string;
    enterSends: string;
    empty: string;
    filter: Plural;
    noMatch: string;
    reason: string;
    cancelAsk: string;
    opensAfterTyping: string;
    readyAfterTyping: string;
    early: string;
    tabFirst: string;
    spaceOnly: string;
    tooLong: string;
    sending: string;
    offline: string;
    notSaved: string;
    endedUnseen: string;
    withdrawn: string;
    timedOut: string;
  };
  home: {
    needs: string;
    history: string;
    settings: string;
    now: string;
    draft: string;
    enterKey: string;
    keyMoves: string;
    keyOpens: string;
    keyLater: string;
    putOff: Plural;
    noHub: string;
    allQuestions: string;
    nothing: string;
    nothingMore: string;
    sample: string;
    sampleMore: string;
    showSample: string;
    sampleTitle: string;
    sampleBody: string;
    samplePlace: string;
    sampleDone: string;
    connect: string;
    connectMore: string;
    anyShell: string;
    elsewhere: string;
    elsewhereMore: string;
    mirror: string;
    telegram: string;
  };
  history: {
    when: string;
    question: string;
    askedBy: string;
    answer: string;
    answeredBy: string;
    took: string;
    received: string;
    notReceived: string;
    window: string;
    mirror: string;
    hub: string;
    today: string;
    yesterday: string;
    search: string;
    filter: string;
    anyOutcome: string;
    answered: string;
    cancelled: string;
    timedOut: string;
    more: string;
    export: string;
    exported: string;
    empty: string;
    noMatch: string;
  };
  settings: {
    look: string;
    language: string;
    theme: string;
    system: string;
    light: string;
    dark: string;
    notifications: string;
    content: string;
    contentMore: string;
    pausedUntil: string;
    notPaused: string;
    oneHour: string;
    tomorrow: string;
    resume: string;
    windows: string;
    onTop: string;
    startAtLogin: string;
    notKept: string;
  };
  tray: {
    open: string;
    next: string;
    pauseHour: string;
    pauseDay: string;
    resume: string;
    startAtLogin: string;
    quit: string;
    asks: string;
    asksSomething: string;
    asksCommand: string;
    quitWaiting: Plural;
    quitNow: string;
    stay: string;
    notStarted: string;
    otherHub: string;
    otherHubHint: string;
  };
};

// prettier-ignore
export const words: Record<Language, Words> = {
  en: {
    common: {
      yes: "Yes",
      no: "No",
      cancel: "Cancel",
      later: "Later",
      back: "Back",
      send: "Send",
      understand: "I understand",
      run: "Run",
      open: "Open",
      close: "Close",
      copy: "Copy",
      copied: "Copied",
      retry: "Try again",
      question: { one: "{n} question", many: "{n} questions" },
      position: "{n} of {total}",
      quoted: "“{text}”",
      yesOrNo: "Yes or no",
      choice: "Choice",
      text: "Text",
      command: "Command",
      waiting: "Waiting",
      answered: "Answered",
      cancelled: "Cancelled",
      cancelledBecause: "Cancelled: {reason}",
      timedOut: "Timed out",
      withdrawn: "Withdrawn",
      inWindow: "in the window",
      withHt: "with ht",
      onMirror: "on the web mirror",
      byTelegram: "by Telegram",
      byHub: "by the hub",
      answeredBy: "Answered {how} ({who}) {when}: {value}",
      cancelledBy: "Cancelled {how} ({who}) {when}",
      seconds: "{n} s",
      minutes: "{n} min",
      hours: "{n} h",
      days: "{n} d",
      justNow: "just now",
      ago: "{time} ago",
      left: "{time} left",
    },
    ask: {
      danger: "This will execute on your machine",
      hidden: { one: "{n} hidden character is made visible as {mark}", many: "{n} hidden characters are made visible as {mark}" },
      mixedAlphabets: { one: "{n} word mixes alphabets; letters that look alike may differ.", many: "{n} words mix alphabets; letters that look alike may differ." },
      rightToLeft: "Right-to-left letters are shown in the order of execution.",
      selfNamed: "Name given by the agent, not checked",
      foreign: "Not one of your panes",
      program: "Program",
      startedIn: "Started in",
      terminal: "Terminal",
      agentAway: "The agent went away: {time} left to come back",
      lines: { one: "{n} line", many: "{n} lines" },
      characters: { one: "{n} character", many: "{n} characters" },
      stepOne: "Step 1 of 2. Nothing runs yet.",
      readOn: { one: "Step 1 of 2. Read to the end first: {n} more line.", many: "Step 1 of 2. Read to the end first: {n} more lines." },
      understood: "Understood",
      validFor: "valid for {time}",
      expired: "Two minutes passed. Read it again to continue.",
      enterSends: "Enter sends · Shift+Enter adds a line",
      empty: "Write an answer, or choose Cancel.",
      filter: { one: "Filter {n} choice", many: "Filter {n} choices" },
      noMatch: "No choice matches.",
      reason: "Reason (optional)",
      cancelAsk: "Cancel question",
      opensAfterTyping: "Opens when you stop typing",
      readyAfterTyping: "Ready when you stop typing",
      early: "Too early: nothing was sent.",
      tabFirst: "Nothing was sent. Press Tab, then answer.",
      spaceOnly: "Enter does nothing here: press Space.",
      tooLong: "Too long: an answer holds at most 256 KiB.",
      sending: "Sending…",
      offline: "The hub does not answer. Nothing was sent; your draft is kept.",
      notSaved: "Your answer could not be saved, so it was not sent. Free some disk space and try again.",
      endedUnseen: "It ended while the hub was out of reach. The history knows how.",
      withdrawn: "Withdrawn: the agent went away.",
      timedOut: "Timed out. Nothing was answered for you.",
    },
    home: {
      needs: "Needs you",
      history: "History",
      settings: "Settings",
      now: "Now",
      draft: "Draft",
      enterKey: "Enter",
      keyMoves: "move",
      keyOpens: "open",
      keyLater: "later",
      putOff: { one: "{n} question is put off", many: "{n} questions are put off" },
      noHub: "The hub does not answer.",
      allQuestions: "All questions",
      nothing: "Nothing needs you",
      nothingMore: "When an agent asks something, it appears here or in a small window of its own.",
      sample: "See what a question looks like",
      sampleMore: "It goes to no agent.",
      showSample: "Show a sample question",
      sampleTitle: "Shall I tidy up the build folder?",
      sampleBody: "This is how a question looks. Answer it as you like: nobody is waiting for it.",
      samplePlace: "Sample",
      sampleDone: "Answered. It went to no agent.",
      connect: "Connect an agent",
      connectMore: "Whatever can run a command can ask you, and waits for your answer.",
      anyShell: "Any shell",
      elsewhere: "Answer away from the desk",
      elsewhereMore: "Both are off until you turn them on.",
      mirror: "Mirror in a browser…",
      telegram: "Telegram…",
    },
    history: {
      when: "When",
      question: "Question",
      askedBy: "Asked by",
      answer: "Answer",
      answeredBy: "Answered by",
      took: "Took",
      received: "Received",
      notReceived: "Not received",
      window: "Window",
      mirror: "Mirror",
      hub: "Hub",
      today: "Today",
      yesterday: "Yesterday",
      search: "Search",
      filter: "Filter",
      anyOutcome: "All",
      answered: "Answered",
      cancelled: "Cancelled",
      timedOut: "Timed out",
      more: "Show older questions",
      export: "Export…",
      exported: "Exported to {path}",
      empty: "No question yet.",
      noMatch: "No question matches.",
    },
    settings: {
      look: "Appearance",
      language: "Language",
      theme: "Theme",
      system: "System",
      light: "Light",
      dark: "Dark",
      notifications: "Notifications",
      content: "Show the question in notifications",
      contentMore: "Off: a notification only says who asks. A command is never shown.",
      pausedUntil: "Paused until {time}",
      notPaused: "Notifications are shown",
      oneHour: "Pause for 1 hour",
      tomorrow: "Pause until tomorrow",
      resume: "Resume",
      windows: "Windows",
      onTop: "Keep the question window above others",
      startAtLogin: "Start Hotline at login",
      notKept: "The setting could not be saved.",
    },
    tray: {
      open: "Open Hotline",
      next: "Next question",
      pauseHour: "Pause notifications for 1 hour",
      pauseDay: "Pause notifications until tomorrow",
      resume: "Resume notifications",
      startAtLogin: "Start at login",
      quit: "Quit Hotline",
      asks: "{who} asks: {title}",
      asksSomething: "{who} has a question for you",
      asksCommand: "{who} asks to run a command",
      quitWaiting: { one: "{n} question still waits. An agent without a key is told it was cancelled.", many: "{n} questions still wait. Agents without a key are told it was cancelled." },
      quitNow: "Quit",
      stay: "Stay",
      notStarted: "Hotline could not start.",
      otherHub: "Another hub is already running (process {pid}).",
      otherHubHint: "End it, then open Hotline again.",
    },
  },
  fr: {
    common: {
      yes: "Oui",
      no: "Non",
      cancel: "Annuler",
      later: "Plus tard",
      back: "Retour",
      send: "Envoyer",
      understand: "J’ai compris",
      run: "Exécuter",
      open: "Ouvrir",
      close: "Fermer",
      copy: "Copier",
      copied: "Copié",
      retry: "Réessayer",
      question: { one: "{n} question", many: "{n} questions" },
      position: "{n} sur {total}",
      quoted: "«\u202f{text}\u202f»",
      yesOrNo: "Oui ou non",
      choice: "Choix",
      text: "Texte",
      command: "Commande",
      waiting: "En attente",
      answered: "Répondu",
      cancelled: "Annulée",
      cancelledBecause: "Annulée\u202f: {reason}",
      timedOut: "Expirée",
      withdrawn: "Retirée",
      inWindow: "dans la fenêtre",
      withHt: "avec ht",
      onMirror: "sur le miroir web",
      byTelegram: "par Telegram",
      byHub: "par le hub",
      answeredBy: "Répondu {how} ({who}) {when}\u202f: {value}",
      cancelledBy: "Annulée {how} ({who}) {when}",
      seconds: "{n} s",
      minutes: "{n} min",
      hours: "{n} h",
      days: "{n} j",
      justNow: "à l’instant",
      ago: "il y a {time}",
      left: "encore {time}",
    },
    ask: {
      danger: "Ceci va s’exécuter sur votre machine",
      hidden: { one: "{n} caractère invisible est rendu visible par {mark}", many: "{n} caractères invisibles sont rendus visibles par {mark}" },
      mixedAlphabets: { one: "{n} mot mêle plusieurs alphabets\u202f; des lettres semblables peuvent différer.", many: "{n} mots mêlent plusieurs alphabets\u202f; des lettres semblables peuvent différer." },
      rightToLeft: "Les lettres écrites de droite à gauche sont montrées dans l’ordre d’exécution.",
      selfNamed: "Nom donné par l’agent, non vérifié",
      foreign: "Hors de vos volets",
      program: "Programme",
      startedIn: "Lancé dans",
      terminal: "Terminal",
      agentAway: "L’agent est parti\u202f: il lui reste {time} pour revenir",
      lines: { one: "{n} ligne", many: "{n} lignes" },
      characters: { one: "{n} caractère", many: "{n} caractères" },
      stepOne: "Étape 1 sur 2. Rien ne s’exécute encore.",
      readOn: { one: "Étape 1 sur 2. Lisez jusqu’à la fin\u202f: encore {n} ligne.", many: "Étape 1 sur 2. Lisez jusqu’à la fin\u202f: encore {n} lignes." },
      understood: "Compris",
      validFor: "valable encore {time}",
      expired: "Deux minutes ont passé. Relisez pour continuer.",
      enterSends: "Entrée envoie · Maj+Entrée ajoute une ligne",
      empty: "Écrivez une réponse ou choisissez Annuler.",
      filter: { one: "Filtrer {n} choix", many: "Filtrer {n} choix" },
      noMatch: "Aucun choix ne correspond.",
      reason: "Motif (facultatif)",
      cancelAsk: "Annuler la question",
      opensAfterTyping: "S’ouvrira quand vous cesserez de taper",
      readyAfterTyping: "Prêt quand vous cesserez de taper",
      early: "Trop tôt\u202f: rien n’a été envoyé.",
      tabFirst: "Rien n’a été envoyé. Appuyez sur Tab, puis répondez.",
      spaceOnly: "Entrée reste sans effet ici\u202f: appuyez sur Espace.",
      tooLong: "Trop long\u202f: une réponse tient en 256 Kio.",
      sending: "Envoi…",
      offline: "Le hub ne répond pas. Rien n’a été envoyé\u202f; votre brouillon est gardé.",
      notSaved: "Votre réponse n’a pas pu être enregistrée et n’est donc pas partie. Libérez de l’espace disque puis réessayez.",
      endedUnseen: "Elle a pris fin pendant que le hub ne répondait pas. L’historique dit comment.",
      withdrawn: "Retirée\u202f: l’agent est parti.",
      timedOut: "Expirée. Rien n’a été répondu à votre place.",
    },
    home: {
      needs: "À traiter",
      history: "Historique",
      settings: "Réglages",
      now: "Maintenant",
      draft: "Brouillon",
      enterKey: "Entrée",
      keyMoves: "parcourir",
      keyOpens: "ouvrir",
      keyLater: "plus tard",
      putOff: { one: "{n} question est remise à plus tard", many: "{n} questions sont remises à plus tard" },
      noHub: "Le hub ne répond pas.",
      allQuestions: "Toutes les questions",
      nothing: "Rien ne vous attend",
      nothingMore: "Quand un agent pose une question, elle apparaît ici ou dans une petite fenêtre à part.",
      sample: "Voir à quoi ressemble une question",
      sampleMore: "Elle ne part vers aucun agent.",
      showSample: "Montrer un exemple",
      sampleTitle: "Dois-je ranger le dossier de compilation\u202f?",
      sampleBody: "Voilà à quoi ressemble une question. Répondez à votre guise\u202f: personne ne l’attend.",
      samplePlace: "Exemple",
      sampleDone: "Répondu. Rien n’est parti vers un agent.",
      connect: "Relier un agent",
      connectMore: "Tout ce qui peut lancer une commande peut vous interroger, et attend votre réponse.",
      anyShell: "Tout terminal",
      elsewhere: "Répondre loin du bureau",
      elsewhereMore: "Les deux restent désactivés tant que vous ne les activez pas.",
      mirror: "Miroir dans un navigateur…",
      telegram: "Telegram…",
    },
    history: {
      when: "Quand",
      question: "Question",
      askedBy: "Demandé par",
      answer: "Réponse",
      answeredBy: "Répondu par",
      took: "Durée",
      received: "Reçue",
      notReceived: "Non reçue",
      window: "Fenêtre",
      mirror: "Miroir",
      hub: "Hub",
      today: "Aujourd’hui",
      yesterday: "Hier",
      search: "Rechercher",
      filter: "Filtrer",
      anyOutcome: "Toutes",
      answered: "Répondues",
      cancelled: "Annulées",
      timedOut: "Expirées",
      more: "Montrer des questions plus anciennes",
      export: "Exporter…",
      exported: "Exporté vers {path}",
      empty: "Pas encore de question.",
      noMatch: "Aucune question ne correspond.",
    },
    settings: {
      look: "Apparence",
      language: "Langue",
      theme: "Thème",
      system: "Système",
      light: "Clair",
      dark: "Sombre",
      notifications: "Notifications",
      content: "Montrer la question dans les notifications",
      contentMore: "Désactivé\u202f: elle dit seulement qui demande. Une commande n’est jamais montrée.",
      pausedUntil: "Suspendues jusqu’à {time}",
      notPaused: "Les notifications sont montrées",
      oneHour: "Suspendre 1 heure",
      tomorrow: "Suspendre jusqu’à demain",
      resume: "Rétablir",
      windows: "Fenêtres",
      onTop: "Garder la fenêtre des questions au premier plan",
      startAtLogin: "Lancer Hotline à l’ouverture de session",
      notKept: "Le réglage n’a pas pu être enregistré.",
    },
    tray: {
      open: "Ouvrir Hotline",
      next: "Question suivante",
      pauseHour: "Suspendre les notifications pendant 1 heure",
      pauseDay: "Suspendre les notifications jusqu’à demain",
      resume: "Rétablir les notifications",
      startAtLogin: "Lancer à l’ouverture de session",
      quit: "Quitter Hotline",
      asks: "{who} demande\u202f: {title}",
      asksSomething: "{who} a une question pour vous",
      asksCommand: "{who} demande à exécuter une commande",
      quitWaiting: { one: "{n} question attend encore. Un agent sans clé recevra une annulation.", many: "{n} questions attendent encore. Les agents sans clé recevront une annulation." },
      quitNow: "Quitter",
      stay: "Rester",
      notStarted: "Hotline n’a pas pu démarrer.",
      otherHub: "Un autre hub est déjà lancé (processus {pid}).",
      otherHubHint: "Arrêtez-le, puis rouvrez Hotline.",
    },
  },
};

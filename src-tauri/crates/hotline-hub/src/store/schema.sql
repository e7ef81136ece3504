-- One row per ask, for ever; the hot table, so it has no index but its key.
CREATE TABLE asks (
    id            INTEGER PRIMARY KEY,           -- the N of req:N
    key           TEXT,                          -- idempotency key
    -- No IN (…) here: every write would build its list anew, as an index.
    state         TEXT NOT NULL DEFAULT 'pending'
                  CHECK (state = 'pending' OR state = 'ok' OR state = 'cancel' OR state = 'timeout'),
    value         TEXT,
    reason        TEXT,
    resolved_at   INTEGER,                       -- ms since the epoch, as all times here
    channel       TEXT,
    who           TEXT,
    handed_out    INTEGER NOT NULL DEFAULT 0,    -- of a run: 1 once an asker was about to get it
    delivered_at  INTEGER,
    request       TEXT NOT NULL                  -- AskUserRequest as JSON
) STRICT;

-- The processes that ever waited for a command, as the kernel named them: none of them may approve it.
CREATE TABLE askers (
    ask     INTEGER NOT NULL,
    pid     INTEGER NOT NULL,
    start   INTEGER NOT NULL,                    -- clock ticks since boot
    session INTEGER NOT NULL,
    PRIMARY KEY (ask, pid, start)
) STRICT, WITHOUT ROWID;

-- Small facts: `next` is the next id at least; `floor` is the first id that a start has to look at.
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

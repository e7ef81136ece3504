-- One row per ask, for ever; the hot table, so it has no index but its key.
CREATE TABLE asks (
    id            INTEGER PRIMARY KEY,           -- the N of req:N
    key           TEXT,                          -- idempotency key
    asker_pid     INTEGER,                       -- the asking process, as the kernel named it
    asker_start   INTEGER,                       -- clock ticks since boot
    asker_session INTEGER,
    state         TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'ok', 'cancel', 'timeout')),
    value         TEXT,
    reason        TEXT,
    resolved_at   INTEGER,                       -- ms since the epoch, as all times here
    channel       TEXT,
    who           TEXT,
    delivered_at  INTEGER,
    request       TEXT NOT NULL                  -- AskUserRequest as JSON
) STRICT;

-- Small facts: `next` is the next id at least; `floor` is the first id that a start has to look at.
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

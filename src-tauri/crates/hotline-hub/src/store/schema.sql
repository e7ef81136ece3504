-- One row per ask, for ever. It is written once and never changed, so rows stay packed as they came, and it
-- has no index but its key.
CREATE TABLE asks (
    id      INTEGER PRIMARY KEY,                 -- the N of req:N
    key     TEXT,                                -- idempotency key
    request TEXT NOT NULL                        -- AskUserRequest as JSON
) STRICT;

-- How an ask ended; an ask without a row here waits.
CREATE TABLE endings (
    ask        INTEGER PRIMARY KEY,
    -- No IN (…) here: every write would build its list anew, as an index.
    action     TEXT NOT NULL CHECK (action = 'ok' OR action = 'cancel' OR action = 'timeout'),
    value      TEXT,
    reason     TEXT,
    ended_at   INTEGER NOT NULL,                 -- ms since the epoch, as all times here
    channel    TEXT NOT NULL,
    who        TEXT NOT NULL,
    handed_out INTEGER NOT NULL DEFAULT 0        -- of a run: 1 once an asker was about to get it
) STRICT;

-- When the askers' kernel had the responses of the asks from `first` to `last`, 64 at most in one row.
CREATE TABLE deliveries (
    first        INTEGER NOT NULL,
    last         INTEGER NOT NULL,
    delivered_at INTEGER NOT NULL,
    PRIMARY KEY (first, last)
) STRICT, WITHOUT ROWID;

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

//! Asks on disk: SQLite in WAL mode, owned by one hub at a time.
//!
//! Everything is written before it is shown or told. One transaction holds a whole tick; it reaches the
//! operating system at its commit (survives the death of the process), and the disk itself where
//! something would run because of it.

mod open;
mod salvage;
mod writer;

use std::rc::Rc;
use std::sync::Arc;

use hotline_core::queue::{Ended, KEY_LASTS_MS, Process, Restored};
use hotline_core::wire::{
    AskRecord, AskUserRequest, AskUserResponse, AskedAction, By, Channel, request_id, request_number,
};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use smol_str::SmolStr;

pub(crate) use open::open;
use writer::Writer;

use crate::clock;

/// Pages in the write-ahead log from which a checkpoint is worth its pause.
const CHECKPOINT_PAGES: i64 = 2_000;
/// Ticks between two looks at the log.
const LOOK_EVERY: u32 = 64;

/// The open store.
pub(crate) struct Store {
    db: Connection,
    /// Times asked since the last look at the log.
    asked: u32,
    /// Whether something was written since the last checkpoint.
    dirty: bool,
    synchronous_full: bool,
}

/// Something to write down.
#[derive(Debug)]
pub(crate) enum Write {
    /// A new ask.
    Asked { number: u64, request: Arc<[u8]>, key: Option<Box<str>> },
    /// A process waits for a command.
    Waits { number: u64, process: Process },
    /// A stored `run` is about to go out to an asker that came back.
    HandedOut { number: u64 },
    /// An ask ended.
    Ended(Rc<Ended>),
    /// The kernel of their askers had the whole replies.
    Delivered(Delivered),
}

/// The asks from `first` to `last`, [`MOST_IN_A_ROW`] at most, were delivered at that time in ms since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) at: u64,
}

/// Most asks of one [`Delivered`]: how far back a look for one has to go.
pub(crate) const MOST_IN_A_ROW: u64 = 64;

/// Nothing of it was written.
pub(crate) struct NotWritten {
    pub(crate) error: rusqlite::Error,
    /// Whether it also stays so: else it might show up with the next start.
    pub(crate) is_sure: bool,
}

/// What waited, and which keys are in use, when the hub last ran.
pub(crate) struct Found {
    pub(crate) next: u64,
    pub(crate) pending: Vec<Restored>,
    pub(crate) keys: Vec<(u64, Arc<str>, u64)>,
}

/// An ask that has ended.
pub(crate) struct Settled {
    pub(crate) record: AskRecord,
    /// Of a `run`: whether an asker got it, or was about to.
    pub(crate) was_handed_out: bool,
    /// Of a command: every process that ever waited for it.
    pub(crate) askers: Vec<Process>,
}

/// A slice of the history: records, and the id at which the next slice begins.
pub(crate) struct Slice {
    pub(crate) records: Vec<AskRecord>,
    pub(crate) next_before: Option<u64>,
}

impl Store {
    /// Writes it all or nothing. When this returns the operating system has it; the disk too, where a command
    /// runs because of it.
    pub(crate) fn write(&mut self, writes: &[Write]) -> Result<(), NotWritten> {
        if writes.is_empty() {
            return Ok(());
        }
        self.dirty = true;
        let durable = writes.iter().any(|write| matches!(write, Write::Ended(ended) if ended.runs));
        let written = self.synchronous(durable).and_then(|()| self.write_all(writes));
        written.map_err(|error| NotWritten { is_sure: self.cover_up(&error).is_ok(), error })
    }

    fn write_all(&self, writes: &[Write]) -> rusqlite::Result<()> {
        let mut writer = Writer::new(&self.db);
        if let [only] = writes {
            return writer.write(only);
        }
        self.db.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let all = writes.iter().try_for_each(|write| writer.write(write));
        let done = all.and_then(|()| self.db.prepare_cached("COMMIT")?.execute([]).map(drop));
        if done.is_err() && !self.db.is_autocommit() {
            // Where even this fails SQLite has rolled back by itself.
            let _ = self.db.prepare_cached("ROLLBACK").and_then(|mut rollback| rollback.execute([]));
        }
        done
    }

    /// Makes sure that a failed commit cannot come back with the next start.
    ///
    /// A commit whose sync failed stands whole in the log, which the next start would play in. A harmless one
    /// is written over it. A full disk needs none: the log's last frame, without which a commit is void, is
    /// what did not fit.
    fn cover_up(&mut self, failed: &rusqlite::Error) -> rusqlite::Result<()> {
        let harmless = matches!(
            failed.sqlite_error_code(),
            None | Some(ErrorCode::DiskFull | ErrorCode::ConstraintViolation | ErrorCode::DatabaseBusy)
        );
        if harmless {
            return Ok(());
        }
        self.synchronous(false)?;
        set_fact(&self.db, "failed_at", clock::wall_ms())
    }

    /// One ask and how it ended, for an asker that comes back to it.
    pub(crate) fn settled(&self, number: u64) -> rusqlite::Result<Option<Settled>> {
        let mut select =
            self.db.prepare_cached(&format!("SELECT {RECORD}, handed_out {ASKS} WHERE id = ?"))?;
        let found = select.query_row([number.cast_signed()], |row| {
            Ok((record(row)?, row.get::<_, Option<bool>>("handed_out")?))
        });
        let Some((record, was_handed_out)) = found.optional()? else { return Ok(None) };
        Ok(Some(Settled {
            record,
            was_handed_out: was_handed_out == Some(true),
            askers: self.askers(number)?,
        }))
    }

    fn askers(&self, number: u64) -> rusqlite::Result<Vec<Process>> {
        let mut select = self.db.prepare_cached("SELECT pid, start, session FROM askers WHERE ask = ?")?;
        let process = |row: &Row<'_>| {
            let start = row.get::<_, i64>(1)?.cast_unsigned();
            Ok(Process { pid: row.get(0)?, start, session: row.get(2)? })
        };
        select.query_map([number.cast_signed()], process)?.collect()
    }

    /// Up to `limit` asks before `before`, newest first, looking at no more than `span` rows.
    pub(crate) fn history(
        &self,
        before: u64,
        span: u64,
        limit: usize,
        surface_id: Option<&str>,
        agent_id: Option<&str>,
    ) -> rusqlite::Result<Slice> {
        let mut newest = self.db.prepare_cached("SELECT max(id) FROM asks WHERE id > 0 AND id < ?")?;
        let newest: Option<i64> =
            newest.query_row([before.min(i64::MAX as u64).cast_signed()], |row| row.get(0))?;
        let Some(newest) = newest.map(i64::cast_unsigned) else {
            return Ok(Slice { records: Vec::new(), next_before: None });
        };
        let oldest = newest.saturating_sub(span - 1);
        // An unreadable request matches, so that it is left out as everywhere; looking into it would be an error.
        let mut select = self.db.prepare_cached(&format!(
            "SELECT {RECORD} {ASKS} WHERE id BETWEEN ? AND ? AND (CASE WHEN ?3 IS NULL AND ?4 IS NULL OR NOT json_valid(request) THEN 1 \
             ELSE (?3 IS NULL OR request ->> 'surface_id' = ?3) AND (?4 IS NULL OR request ->> 'agent_id' = ?4) END) \
             ORDER BY id DESC LIMIT ?5"
        ))?;
        let bounds = params![oldest.cast_signed(), newest.cast_signed(), surface_id, agent_id, limit as i64];
        let records = readable(select.query_map(bounds, record)?)?;
        Ok(Slice { records, next_before: Some(oldest) })
    }

    /// What a start has to know.
    pub(crate) fn found(&self, wall: u64) -> rusqlite::Result<Found> {
        let fact = |name| fact(&self.db, name);
        let floor = fact("floor")?.unwrap_or(0);
        let last: Option<i64> = self.db.query_row("SELECT max(id) FROM asks", [], |row| row.get(0))?;
        let next = last.map_or(1, |last| last.cast_unsigned() + 1).max(fact("next")?.unwrap_or(1));

        let mut pending = self
            .db
            .prepare(&format!("SELECT {RECORD}, key {ASKS} WHERE id >= ? AND action IS NULL ORDER BY id"))?;
        let restored = |row: &Row<'_>| -> rusqlite::Result<Restored> {
            let key: Option<String> = row.get("key")?;
            let number = row.get::<_, i64>(0)?.cast_unsigned();
            let (request, askers) = (record(row)?.request, self.askers(number)?);
            Ok(Restored { request, key: key.map(Arc::from), askers })
        };
        let pending = readable(pending.query_map([floor.cast_signed()], restored)?)?;

        let mut keys = self.db.prepare(
            "SELECT ended_at, key, id FROM asks JOIN endings ON ask = id \
             WHERE id >= ? AND key IS NOT NULL AND ended_at > ? ORDER BY ended_at",
        )?;
        let since = wall.saturating_sub(KEY_LASTS_MS).cast_signed();
        let key = |row: &Row<'_>| {
            let key: String = row.get(1)?;
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), Arc::from(key), row.get::<_, i64>(2)?.cast_unsigned()))
        };
        let keys =
            keys.query_map(params![floor.cast_signed(), since], key)?.collect::<rusqlite::Result<_>>()?;
        Ok(Found { next, pending, keys })
    }

    /// Whether the log has grown enough for a checkpoint; looks at its size once in a while.
    pub(crate) fn wants_checkpoint(&mut self) -> bool {
        self.asked += 1;
        if self.asked < LOOK_EVERY {
            return false;
        }
        self.asked = 0;
        // Its length says nothing: after a checkpoint it is written again from its beginning.
        let pages = self.db.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get::<_, i64>(1));
        pages.is_ok_and(|pages| pages > CHECKPOINT_PAGES)
    }

    /// Whether anything was written since the last checkpoint.
    pub(crate) fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Moves the log into the database, and notes where a start has to look from.
    ///
    /// The log keeps its room, which is quicker to write again than anew, unless `empties` it.
    pub(crate) fn checkpoint(&mut self, floor: u64, empties: bool) -> rusqlite::Result<()> {
        set_fact(&self.db, "floor", floor)?;
        let mode = if empties { "TRUNCATE" } else { "FULL" };
        self.db.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()))?;
        self.dirty = false;
        Ok(())
    }

    fn synchronous(&mut self, full: bool) -> rusqlite::Result<()> {
        if self.synchronous_full != full {
            let pragma = if full { "PRAGMA synchronous=FULL" } else { "PRAGMA synchronous=NORMAL" };
            self.db.prepare_cached(pragma)?.execute([])?;
            self.synchronous_full = full;
        }
        Ok(())
    }
}

/// The rows that can be read. One that cannot is in the log, and hides no other.
fn readable<T>(rows: impl Iterator<Item = rusqlite::Result<T>>) -> rusqlite::Result<Vec<T>> {
    let mut found = Vec::new();
    for row in rows {
        match row {
            Ok(row) => found.push(row),
            Err(error) if error.sqlite_error_code().is_some() => return Err(error),
            Err(error) => tracing::error!(%error, "a row of the store is unreadable and is left out"),
        }
    }
    Ok(found)
}

/// The columns that [`record`] reads, of [`ASKS`].
const RECORD: &str = "id, request, action, value, reason, ended_at, channel, who, \
    (SELECT min(delivered_at) FROM deliveries WHERE first BETWEEN id - 63 AND id AND last >= id)";
const _: () = assert!(MOST_IN_A_ROW == 64, "RECORD looks 63 asks back");

/// All asks, with their endings where they have ended.
const ASKS: &str = "FROM asks LEFT JOIN endings ON ask = id";

fn record(row: &Row<'_>) -> rusqlite::Result<AskRecord> {
    let number = row.get::<_, i64>(0)?.cast_unsigned();
    let damaged = |column, error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error)
    };
    let request: AskUserRequest =
        serde_json::from_str(row.get_ref(1)?.as_str()?).map_err(|error| damaged(1, error.into()))?;
    // Two rows that name one ask would be one in the queue, and the answer to it that of either.
    if request_number(&request.request_id) != Some(number) {
        return Err(damaged(1, format!("the request is not that of ask {number}").into()));
    }
    let action: Option<String> = row.get(2)?;
    let time = |column| row.get::<_, Option<i64>>(column).map(|time| time.map(i64::cast_unsigned));
    let channel: Option<String> = row.get(6)?;
    let who = row.get::<_, Option<String>>(7)?.map(SmolStr::from);
    let by = channel.as_deref().and_then(Channel::from_word).zip(who);
    let response = action.as_deref().and_then(AskedAction::from_word).map(|action| -> rusqlite::Result<_> {
        let value = row.get::<_, Option<String>>(3)?.map(SmolStr::from);
        let reason = row.get(4)?;
        Ok(AskUserResponse { request_id: request_id(number), action, value, reason })
    });
    Ok(AskRecord {
        request,
        response: response.transpose()?,
        resolved_at: time(5)?,
        by: by.map(|(channel, who)| By { channel, who }),
        delivered_at: time(8)?,
    })
}

fn fact(db: &Connection, name: &str) -> rusqlite::Result<Option<u64>> {
    let value = db.query_row("SELECT value FROM facts WHERE name = ?", [name], |row| row.get::<_, i64>(0));
    value.optional().map(|value| value.map(i64::cast_unsigned))
}

fn set_fact(db: &Connection, name: &str, value: u64) -> rusqlite::Result<()> {
    let mut upsert = db.prepare_cached("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)")?;
    upsert.execute(params![name, value.cast_signed()]).map(drop)
}

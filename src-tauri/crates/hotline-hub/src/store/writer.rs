//! What happened to asks, as rows.

use hotline_core::queue::{Ended, Process};
use rusqlite::{CachedStatement, Connection, params};

use super::{Delivered, Write};

/// Writes rows; a statement that many of them take is looked up once.
pub(super) struct Writer<'a> {
    db: &'a Connection,
    asked: Option<CachedStatement<'a>>,
    ended: Option<CachedStatement<'a>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(db: &'a Connection) -> Self {
        Self { db, asked: None, ended: None }
    }

    pub(super) fn write(&mut self, write: &Write) -> rusqlite::Result<()> {
        match write {
            Write::Asked { number, request, key } => {
                let insert =
                    kept(&mut self.asked, self.db, "INSERT INTO asks (id, key, request) VALUES (?, ?, ?)")?;
                let request = std::str::from_utf8(request).expect("we wrote this JSON");
                insert.execute(params![number.cast_signed(), key, request])?;
            }
            Write::Ended(ended) => {
                let Ended { number, response, by, at, tickets, runs } = &**ended;
                let insert = kept(
                    &mut self.ended,
                    self.db,
                    "INSERT INTO endings (ask, action, value, reason, ended_at, channel, who, handed_out) \
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                )?;
                insert.execute(params![
                    number.cast_signed(),
                    response.action.word(),
                    response.value.as_deref(),
                    response.reason,
                    at.cast_signed(),
                    by.channel.word(),
                    by.who.as_str(),
                    *runs && !tickets.is_empty(),
                ])?;
            }
            Write::Waits { number, process } => {
                let mut insert = self.db.prepare_cached(
                    "INSERT OR IGNORE INTO askers (ask, pid, start, session) VALUES (?, ?, ?, ?)",
                )?;
                let Process { pid, start, session } = process;
                insert.execute(params![number.cast_signed(), pid, start.cast_signed(), session])?;
            }
            Write::HandedOut { number } => {
                let mut update = self.db.prepare_cached("UPDATE endings SET handed_out = 1 WHERE ask = ?")?;
                update.execute([number.cast_signed()])?;
            }
            Write::Delivered(Delivered { first, last, at }) => {
                let mut insert =
                    self.db.prepare_cached("INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)")?;
                insert.execute(params![first.cast_signed(), last.cast_signed(), at.cast_signed()])?;
            }
        }
        Ok(())
    }
}

/// The statement, looked up where it was not yet.
fn kept<'s, 'a>(
    slot: &'s mut Option<CachedStatement<'a>>,
    db: &'a Connection,
    sql: &str,
) -> rusqlite::Result<&'s mut CachedStatement<'a>> {
    match slot {
        Some(statement) => Ok(statement),
        None => Ok(slot.insert(db.prepare_cached(sql)?)),
    }
}

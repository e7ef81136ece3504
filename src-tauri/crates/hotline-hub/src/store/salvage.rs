//! What can still be read of a damaged store: every ask from both ends up to the damage.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Row, params};

const COLUMNS: &str = "id, key, asker_pid, asker_start, asker_session, state, value, reason, resolved_at, \
                       channel, who, delivered_at, request";

/// Copies the readable asks of `from` into `to`; returns how many.
pub(super) fn copy(from: &Path, to: &mut Connection) -> usize {
    let Ok(from) = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE) else { return 0 };
    let Ok(into) = to.transaction() else { return 0 };
    let saved = ["ASC", "DESC"].map(|order| copy_until_damage(&from, &into, order)).iter().sum();
    match into.commit() {
        Ok(()) => saved,
        Err(_) => 0,
    }
}

fn copy_until_damage(from: &Connection, into: &Connection, order: &str) -> usize {
    let insert = format!("INSERT OR IGNORE INTO asks ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    let (Ok(mut insert), Ok(mut select)) =
        (into.prepare(&insert), from.prepare(&format!("SELECT {COLUMNS} FROM asks ORDER BY id {order}")))
    else {
        return 0;
    };
    let Ok(mut rows) = select.query([]) else { return 0 };
    let mut saved = 0;
    while let Ok(Some(row)) = rows.next() {
        // A row that does not fit the schema is damage too, but what follows it may be whole.
        saved += copy_row(row, &mut insert).unwrap_or(0);
    }
    saved
}

fn copy_row(row: &Row<'_>, insert: &mut rusqlite::Statement<'_>) -> rusqlite::Result<usize> {
    let value = |column: usize| row.get::<_, rusqlite::types::Value>(column);
    let request: String = row.get(12)?;
    if serde_json::from_str::<hotline_core::wire::AskUserRequest>(&request).is_err() {
        return Ok(0);
    }
    insert.execute(params![
        value(0)?,
        value(1)?,
        value(2)?,
        value(3)?,
        value(4)?,
        value(5)?,
        value(6)?,
        value(7)?,
        value(8)?,
        value(9)?,
        value(10)?,
        value(11)?,
        request
    ])
}

//! What can still be read of a damaged store: every ask from both ends up to the damage.

use std::path::Path;

use hotline_core::wire::AskUserRequest;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};

const ASKS: Table = Table { name: "asks", columns: "request, id, key", order: "id" };
/// What else is known of them.
const OTHERS: [Table; 3] = [
    Table {
        name: "endings",
        columns: "ask, action, value, reason, ended_at, channel, who, handed_out",
        order: "ask",
    },
    Table { name: "deliveries", columns: "first, last, delivered_at", order: "first" },
    Table { name: "askers", columns: "ask, pid, start, session", order: "ask" },
];

/// A table to copy.
struct Table {
    name: &'static str,
    columns: &'static str,
    order: &'static str,
}

/// Copies the readable asks of `from` into `to`; returns how many. An error is `to`'s.
pub(super) fn copy(from: &Path, to: &mut Connection) -> rusqlite::Result<usize> {
    let Ok(from) = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE) else { return Ok(0) };
    let into = to.transaction()?;
    let copy = |table: &Table| -> rusqlite::Result<usize> {
        let upwards = copy_until_damage(&from, &into, table, "ASC")?;
        Ok(upwards + copy_until_damage(&from, &into, table, "DESC")?)
    };
    let saved = copy(&ASKS)?;
    OTHERS.iter().try_for_each(|table| copy(table).map(drop))?;
    into.commit()?;
    Ok(saved)
}

fn copy_until_damage(
    from: &Connection,
    into: &Connection,
    table: &Table,
    order: &str,
) -> rusqlite::Result<usize> {
    let Table { name, columns, order: by } = table;
    let width = columns.split(',').count();
    let marks = vec!["?"; width].join(", ");
    let mut insert = into.prepare(&format!("INSERT OR IGNORE INTO {name} ({columns}) VALUES ({marks})"))?;
    let Ok(mut select) = from.prepare(&format!("SELECT {columns} FROM {name} ORDER BY {by} {order}")) else {
        return Ok(0);
    };
    let Ok(mut rows) = select.query([]) else { return Ok(0) };
    let mut saved = 0;
    while let Ok(Some(row)) = rows.next() {
        // A row that does not fit is damage too, but what follows it may be whole.
        if let Ok(values) = readable(row, width, table) {
            match insert.execute(rusqlite::params_from_iter(values)) {
                Ok(rows) => saved += rows,
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(saved)
}

/// The values of a row; an ask's only where it still is one.
fn readable(row: &Row<'_>, width: usize, table: &Table) -> anyhow::Result<Vec<Value>> {
    if table.name == ASKS.name {
        serde_json::from_str::<AskUserRequest>(row.get_ref(0)?.as_str()?)?;
    }
    Ok((0..width).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?)
}

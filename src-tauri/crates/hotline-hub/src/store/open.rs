//! Opening the store: new, ours, of an older version, damaged, or somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rusqlite::Connection;

use super::{Found, Store, salvage, set_fact};
use crate::clock;

/// Marks a database as Hotline's: "HtLn" in its header.
const APPLICATION_ID: i32 = 0x4874_4c6e;
/// What brings a database from version N to N + 1, in order; the first makes a new one.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];
/// Largest database that is checked whole at the start, in bytes: about a third of a second here.
const CHECKED_WHOLE: u64 = 64 << 20;
const HEADER: &[u8] = b"SQLite format 3\0";

/// Opens `hotline.db` in `dir`, with what a start has to know of it.
///
/// What can be read of a damaged file is taken over into a new one, the damaged one is moved aside, and
/// numbering goes on above anything it held. Being interrupted in the middle loses nothing: the next start
/// finds the damaged file, here or aside, and begins anew. A foreign file is an error and is not touched.
pub(crate) fn open(dir: &Path) -> Result<(Store, Found)> {
    let path = dir.join("hotline.db");
    let damage = match state(&path)? {
        State::Absent => match last_set_aside(&path)? {
            Some(aside) => {
                tracing::warn!(aside = %aside.display(), "an interrupted recovery goes on");
                bring_log_along(&path, &aside);
                take_over(&aside, &path)?;
                return connect(&path);
            }
            None => return connect(&path),
        },
        State::Ours => match connect(&path) {
            Ok(opened) => return Ok(opened),
            Err(error) if is_damage(&error) => error.to_string(),
            Err(error) => return Err(error),
        },
        State::Damaged(damage) => damage.to_owned(),
    };
    tracing::error!(file = %path.display(), damage, "the store is damaged; what is readable is taken over");
    let new = salvaged(&path)?;
    let aside = beside(&path, &format!(".damaged-{}", clock::wall_ms()));
    let cannot = || format!("cannot move the damaged {} aside", path.display());
    fs::rename(&path, &aside).with_context(cannot)?;
    bring_log_along(&path, &aside);
    fs::rename(new, &path).with_context(cannot)?;
    tracing::warn!(aside = %aside.display(), "the damaged store was moved aside");
    connect(&path)
}

/// Makes the store anew from a damaged one that is out of the way.
fn take_over(damaged: &Path, path: &Path) -> Result<()> {
    let new = salvaged(damaged)?;
    fs::rename(new, path).with_context(|| format!("cannot create {}", path.display()))
}

/// A new store with what can be read of a damaged one, under a name of its own.
fn salvaged(damaged: &Path) -> Result<PathBuf> {
    let new = damaged.with_extension("new");
    let mut db = create(&new)?;
    let saved = salvage::copy(damaged, &mut db).context("cannot take over what the damaged store held")?;
    // Nothing says what the damaged file held, so numbering goes on where counting could never have come.
    set_fact(&db, "next", clock::wall_ms() / 1000)?;
    db.close().map_err(|(_, error)| error)?;
    tracing::warn!(saved, "asks taken over from the damaged store");
    Ok(new)
}

/// The newest damaged store beside the path.
fn last_set_aside(path: &Path) -> Result<Option<PathBuf>> {
    let prefix = beside(path, ".damaged-");
    let mut found = Vec::new();
    for entry in fs::read_dir(path.parent().context("the store has a folder")?)? {
        let candidate = entry?.path();
        let name = candidate.to_string_lossy().into_owned();
        let is_one = name.strip_prefix(&*prefix.to_string_lossy());
        if is_one.is_some_and(|when| when.bytes().all(|byte| byte.is_ascii_digit())) {
            found.push(candidate);
        }
    }
    Ok(found.into_iter().max())
}

/// Moves the logs of a damaged store along with it, where that was not done.
fn bring_log_along(path: &Path, aside: &Path) {
    for log in ["-wal", "-shm"] {
        let _ = fs::rename(beside(path, log), beside(aside, log));
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

enum State {
    Absent,
    Ours,
    Damaged(&'static str),
}

fn state(path: &Path) -> Result<State> {
    let bytes = match fs::File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(State::Absent),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        Ok(file) => {
            let mut header = Vec::new();
            std::io::Read::read_to_end(&mut std::io::Read::take(file, 100), &mut header)?;
            header
        }
    };
    let application = bytes.get(68..72).map(|id| i32::from_be_bytes(id.try_into().expect("four bytes")));
    match application {
        _ if bytes.is_empty() => Ok(State::Damaged("the file is empty")),
        Some(APPLICATION_ID) if bytes.starts_with(HEADER) => Ok(State::Ours),
        Some(_) if bytes.starts_with(HEADER) => bail!(
            "{} is the database of another program.\nMove it away, or choose another folder with --data-dir.",
            path.display()
        ),
        _ => Ok(State::Damaged("the file's header is not a database's")),
    }
}

fn connect(path: &Path) -> Result<(Store, Found)> {
    if !path.exists() {
        let new = path.with_extension("new");
        create(&new)?.close().map_err(|(_, error)| error)?;
        fs::rename(new, path).with_context(|| format!("cannot create {}", path.display()))?;
    }
    let mut db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(5))?;
    for pragma in [
        "locking_mode=EXCLUSIVE",
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "cache_size=-1024",
        "wal_autocheckpoint=0",
    ] {
        db.query_row(&format!("PRAGMA {pragma}"), [], |_| Ok(())).or_else(no_row)?;
    }
    db.set_prepared_statement_cache_capacity(24);
    if fs::metadata(path)?.len() <= CHECKED_WHOLE {
        let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(Damage(verdict).into());
        }
    }
    migrate(&mut db, path)?;
    let store = Store { db, asked: 0, dirty: true, synchronous_full: false };
    let found = store.found(clock::wall_ms())?;
    Ok((store, found))
}

/// Makes an empty store under another name, so that a file cut to nothing is told from a new one.
fn create(new: &Path) -> Result<Connection> {
    for left in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(beside(new, left));
    }
    let mut db = Connection::open(new).with_context(|| format!("cannot create {}", new.display()))?;
    // A commit writes whole pages and changes little of each: pages of 8192 made every cycle slower (`make bench`).
    db.execute_batch(&format!("PRAGMA page_size=4096; PRAGMA application_id={APPLICATION_ID};"))?;
    migrate(&mut db, new)?;
    Ok(db)
}

fn migrate(db: &mut Connection, path: &Path) -> Result<()> {
    let version: u32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = version as usize;
    if version > MIGRATIONS.len() {
        bail!(
            "{} was written by a newer Hotline (version {version} of its layout; this program knows {}).\nUpdate Hotline.",
            path.display(),
            MIGRATIONS.len()
        );
    }
    for (done, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        let step = db.transaction()?;
        step.execute_batch(migration)?;
        step.execute_batch(&format!("PRAGMA user_version={}", done + 1))?;
        step.commit()?;
    }
    Ok(())
}

/// What SQLite's own check found.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damage(String);

fn is_damage(error: &anyhow::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let code = error.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    error.is::<Damage>() || matches!(code, Some(DatabaseCorrupt | NotADatabase))
}

fn no_row(error: rusqlite::Error) -> rusqlite::Result<()> {
    match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        error => Err(error),
    }
}

//! Opening the store: new, ours, of an older version, damaged, or somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rusqlite::Connection;

use super::{Store, salvage, set_fact};
use crate::clock;

/// Marks a database as Hotline's: "HtLn" in its header.
const APPLICATION_ID: i32 = 0x4874_4c6e;
/// What brings a database from version N to N + 1, in order; the first makes a new one.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];
/// Largest database that is checked whole at the start, in bytes: about a third of a second here.
const CHECKED_WHOLE: u64 = 64 << 20;
const HEADER: &[u8] = b"SQLite format 3\0";

/// Opens `hotline.db` in `dir`. A damaged file is moved aside, what can be read of it is taken over, and
/// numbering goes on above anything it held; a foreign one is an error and is not touched.
pub(crate) fn open(dir: &Path) -> Result<Store> {
    let path = dir.join("hotline.db");
    let damage = match state(&path)? {
        State::Absent | State::Ours => match connect(&path) {
            Ok(store) => return Ok(store),
            Err(error) if is_damage(&error) => error.to_string(),
            Err(error) => return Err(error),
        },
        State::Damaged(damage) => damage.to_owned(),
    };
    let aside = set_aside(&path)?;
    tracing::error!(file = %path.display(), aside = %aside.display(), damage, "the store is damaged; it was moved aside");
    let mut store = connect(&path)?;
    let saved = salvage::copy(&aside, &mut store.db);
    // Nothing says what the damaged file held, so numbering goes on where counting could never have come.
    set_fact(&store.db, "next", clock::wall_ms() / 1000)?;
    tracing::warn!(saved, "asks taken over from the damaged store");
    Ok(store)
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

fn connect(path: &Path) -> Result<Store> {
    if !path.exists() {
        create(path)?;
    }
    let mut db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(5))?;
    for pragma in ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=NORMAL", "cache_size=-1024"] {
        db.query_row(&format!("PRAGMA {pragma}"), [], |_| Ok(())).or_else(no_row)?;
    }
    db.query_row("PRAGMA wal_autocheckpoint=0", [], |_| Ok(())).or_else(no_row)?;
    db.set_prepared_statement_cache_capacity(24);
    if fs::metadata(path)?.len() <= CHECKED_WHOLE {
        let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(Damage(verdict).into());
        }
    }
    migrate(&mut db, path)?;
    Ok(Store { db, path: path.to_owned(), asked: 0, dirty: true, synchronous_full: false })
}

/// Makes an empty store under another name first, so that a file cut to nothing is told from a new one.
fn create(path: &Path) -> Result<()> {
    let new = path.with_extension("new");
    let _ = fs::remove_file(&new);
    let mut db = Connection::open(&new).with_context(|| format!("cannot create {}", path.display()))?;
    db.execute_batch(&format!("PRAGMA page_size=8192; PRAGMA application_id={APPLICATION_ID};"))?;
    migrate(&mut db, &new)?;
    db.close().map_err(|(_, error)| error)?;
    // A log left beside a file that is gone belongs to it, and must not be played into the new one.
    for left in ["-wal", "-shm", "-journal"] {
        let mut log = path.to_owned().into_os_string();
        log.push(left);
        let _ = fs::remove_file(log);
    }
    fs::rename(&new, path).with_context(|| format!("cannot create {}", path.display()))
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

fn set_aside(path: &Path) -> Result<PathBuf> {
    let name = |suffix: &str| {
        let mut name = path.to_owned().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let aside = format!(".damaged-{}", clock::wall_ms());
    for log in ["-wal", "-shm"] {
        let _ = fs::rename(name(log), name(&format!("{aside}{log}")));
    }
    let aside = name(&aside);
    fs::rename(path, &aside).with_context(|| format!("cannot move the damaged {} aside", path.display()))?;
    Ok(aside)
}

fn no_row(error: rusqlite::Error) -> rusqlite::Result<()> {
    match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        error => Err(error),
    }
}

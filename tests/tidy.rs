//! The repository's rules that can be checked by reading it (README, "What stays true").

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every file that git tracks or would track, with its path from the root.
fn files(ends_with: &[&str]) -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(listed.status.success(), "git lists the files");
    let names = String::from_utf8(listed.stdout).unwrap();
    for end in ends_with {
        assert!(names.lines().any(|name| name.ends_with(end)), "no file ends with {end}: nothing is checked");
    }
    let wanted = |name: &&str| ends_with.iter().any(|end| name.ends_with(end));
    let text = |name: &str| Some((name.to_owned(), fs::read_to_string(root().join(name)).ok()?));
    names.lines().filter(wanted).filter_map(text).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

/// The sources of one folder that are not tests.
fn sources(below: &str) -> Vec<(String, String)> {
    let of_it = |(name, _): &(String, String)| {
        name.starts_with(below) && !name.ends_with("tests.rs") && !name.ends_with("typescript.rs")
    };
    let shipped = |(name, text): (String, String)| {
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
        (name, code)
    };
    let found: Vec<_> = files(&[".rs"]).into_iter().filter(of_it).map(shipped).collect();
    assert!(!found.is_empty(), "nothing below {below}");
    found
}

#[track_caller]
fn nothing_says(files: &[(String, String)], words: &[&str], rule: &str) {
    let mut found = Vec::new();
    for (name, text) in files {
        for (at, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(word) = words.iter().find(|word| code.contains(**word)) {
                found.push(format!("{name}:{} says {word}", at + 1));
            }
        }
    }
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn core_has_no_io_no_clock_no_chance_and_no_waiting() {
    let words = [
        "std::fs",
        "std::net",
        "std::io",
        "std::env",
        "std::process",
        "std::thread",
        "std::time",
        "std::sync::Mutex",
        "std::sync::RwLock",
        "SystemTime",
        "Instant",
        "tokio",
        "async ",
        ".await",
        "rand::",
        "RandomState",
    ];
    nothing_says(&sources("src-tauri/crates/hotline-core/src"), &words, "core is pure");
}

#[test]
fn only_the_window_names_tauri_and_only_the_backend_its_api() {
    nothing_says(&sources("src-tauri/crates"), &["tauri::", "tauri_"], "the hub and ht know no window");
    let manifests: Vec<_> =
        files(&["Cargo.toml"]).into_iter().filter(|(name, _)| name.starts_with("src-tauri/crates")).collect();
    nothing_says(&manifests, &["tauri"], "only the window's package depends on tauri");
    let ui: Vec<_> = files(&[".ts", ".svelte"])
        .into_iter()
        .filter(|(name, _)| name.starts_with("ui/src") && !name.starts_with("ui/src/lib/backend/"))
        .collect();
    nothing_says(
        &ui,
        &["@tauri-apps", "new WebSocket"],
        "only the backend speaks to the shell or the mirror",
    );
}

#[test]
fn what_crosses_a_process_boundary_is_a_wire_type() {
    let elsewhere: Vec<_> = sources("src-tauri")
        .into_iter()
        .filter(|(name, _)| !name.starts_with("src-tauri/crates/hotline-core/src/wire"))
        .collect();
    nothing_says(&elsewhere, &["Serialize)", "Serialize,"], "only wire types serialise");
}

#[test]
fn there_is_no_global_state() {
    let words = ["static mut", "OnceLock", "LazyLock", "lazy_static", "thread_local!", "OnceCell::new()"];
    nothing_says(&sources("src-tauri"), &words, "a hub is a value, and two live in one process");
}

#[test]
fn nothing_is_called_a_manager() {
    let suffixes = ["Manager", "Service", "Helper", "Util", "Utils", "Processor", "Data", "Info"];
    let mut found = Vec::new();
    for (name, text) in sources("src-tauri") {
        for line in text.lines() {
            let mut words = line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .skip_while(|word| !matches!(*word, "struct" | "enum" | "trait" | "type"));
            let declared = words.nth(1).unwrap_or_default();
            if suffixes.iter().any(|suffix| declared.ends_with(suffix)) {
                found.push(format!("{name}: {declared}"));
            }
        }
    }
    assert!(found.is_empty(), "these names say nothing:\n{}", found.join("\n"));
}

/// Past so many lines a second topic has moved in.
const MOST_LINES: usize = 400;

#[test]
fn every_rust_file_says_what_it_is_and_stays_small() {
    let mut found = Vec::new();
    for (name, text) in files(&[".rs"]) {
        if !text.starts_with("//!") {
            found.push(format!("{name} does not open with a //! sentence"));
        }
        let lines = text.lines().count();
        if lines > MOST_LINES && !name.contains("/tests") && !name.starts_with("tests/") {
            found.push(format!("{name} has {lines} lines: a second topic moved in"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What is in the index, and so in the next commit, stands by itself: no module was forgotten in it.
#[test]
fn every_module_has_a_tracked_file() {
    let git = |arguments: &[&str]| {
        let listed = Command::new("git").args(arguments).current_dir(root()).output().unwrap();
        String::from_utf8(listed.stdout).unwrap()
    };
    let tracked = git(&["ls-files", "*.rs"]);
    let tracked: BTreeSet<&str> = tracked.lines().collect();
    let declared = git(&["grep", "--cached", "-E", "^ *(pub(\\([a-z]+\\))? )?mod [a-z_0-9]+;", "--", "*.rs"]);
    assert!(declared.lines().count() > 50, "git finds the modules:\n{declared}");
    let mut missing = Vec::new();
    for line in declared.lines() {
        let (file, module) = line.split_once(':').unwrap();
        let module = module.trim().trim_end_matches(';').rsplit(' ').next().unwrap();
        let below = match file.rsplit_once('/').unwrap() {
            (folder, "lib.rs" | "main.rs" | "mod.rs") => folder.to_owned(),
            _ => file.trim_end_matches(".rs").to_owned(),
        };
        if ![format!("{below}/{module}.rs"), format!("{below}/{module}/mod.rs")]
            .iter()
            .any(|name| tracked.contains(name.as_str()))
        {
            missing.push(format!("{file}: mod {module};"));
        }
    }
    assert!(missing.is_empty(), "git does not track a file of these:\n{}", missing.join("\n"));
}

#[test]
fn every_file_of_these_tests_is_run_and_said_in_the_table_of_contents() {
    let contents = fs::read_to_string(root().join("tests/main.rs")).unwrap();
    for (name, _) in files(&[".rs"]) {
        let module = name.strip_prefix("tests/").and_then(|name| name.strip_suffix(".rs"));
        let Some(module) = module.filter(|module| *module != "main" && !module.contains('/')) else {
            continue;
        };
        assert!(contents.contains(&format!("\nmod {module};\n")), "{name} is not run");
        assert!(
            contents.contains(&format!("\n//! - [`{module}`]: ")),
            "{name} is not in the table of contents"
        );
    }
}

#[test]
fn the_root_holds_only_what_is_agreed() {
    let agreed = [
        "Cargo.toml",
        "Cargo.lock",
        "Makefile",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "src-tauri",
        "ui",
        "icons",
        "tests",
        "docs",
    ];
    let listed = Command::new("git").args(["ls-files"]).current_dir(root()).output().unwrap();
    for name in String::from_utf8(listed.stdout).unwrap().lines() {
        let top = name.split('/').next().unwrap_or_default();
        assert!(top.starts_with('.') || agreed.contains(&top), "{top} does not belong at the root");
    }
}

#[test]
fn no_file_names_a_folder_of_the_machine_it_was_written_on() {
    let here = root().display().to_string();
    let texts = files(&[
        ".rs",
        ".toml",
        ".md",
        ".ts",
        ".svelte",
        ".json",
        ".js",
        "Makefile",
        ".ci/run",
        ".ci/serve",
        ".ci/setup",
        ".ci/test",
    ]);
    for (name, text) in texts {
        assert!(!text.contains(&here), "{name} names {here}");
    }
}

/// What a headless program may load: the C library and what comes with the compiler.
#[test]
fn ht_and_hotlined_load_nothing_graphical() {
    for program in [PathBuf::from(crate::harness::HT), crate::harness::hotlined().to_owned()] {
        let listed = Command::new("ldd").arg(&program).output().expect("ldd runs");
        let listed = String::from_utf8(listed.stdout).unwrap();
        assert!(listed.contains("libc.so"), "ldd lists the libraries: {listed}");
        let usual = [
            "libc.so",
            "libm.so",
            "libgcc_s.so",
            "libpthread.so",
            "libdl.so",
            "librt.so",
            "ld-linux",
            "linux-vdso",
        ];
        for library in listed.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assert!(usual.iter().any(|name| library.contains(name)), "{} loads {library}", program.display());
        }
    }
}

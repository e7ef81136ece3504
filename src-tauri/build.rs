//! Reads tauri.conf.json and the capabilities, and embeds what they name.

fn main() {
    tauri_build::build();
}

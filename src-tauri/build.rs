//! Reads tauri.conf.json, the capabilities and the permissions, and embeds what they name.

fn main() {
    tauri_build::build();
}

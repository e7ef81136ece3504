//! The program `hotline`: everything it does is in the library.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> tauri::Result<()> {
    hotline_window::run()
}

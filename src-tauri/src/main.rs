//! The program `hotline`: everything it does is in the library.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    match hotline_hub::start::read_options() {
        Ok(program) => hotline_window::run(program),
        Err(status) => status,
    }
}

//! The hub without a window.
fn main() {}

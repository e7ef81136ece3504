//! ht.
fn main() {}

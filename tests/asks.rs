//! The rules of an ask over the wire (`protocol.md` §3, catalogue Q and G): what fits, who may answer, who was first.

mod gate;
mod keys;
mod kinds;
mod races;

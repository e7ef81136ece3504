//! placeholder until the display helper lands
/// x
pub fn show_line(text: &str) -> String {
    text.escape_debug().to_string()
}

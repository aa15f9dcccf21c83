//! The colour of a correlation: from orange over white to blue, as far as the number is from 0.

/// Red, green and blue.
pub(super) fn rgb(correlation: f64) -> [u8; 3] {
    let end = if correlation < 0.0 { [0xd5, 0x5e, 0x00] } else { [0x00, 0x72, 0xb2] };
    let share = correlation.abs().clamp(0.0, 1.0);
    end.map(|to: u8| (255.0 + (f64::from(to) - 255.0) * share).round() as u8)
}

/// Whether text on it must be light.
pub(super) fn is_dark(correlation: f64) -> bool {
    correlation.abs() > 0.72
}

/// The codes that give a terminal's text this background and a colour that can be read on it.
pub(super) fn terminal(correlation: f64) -> String {
    let [r, g, b] = rgb(correlation);
    let ink = if is_dark(correlation) { 15 } else { 16 };
    format!("\x1b[48;2;{r};{g};{b}m\x1b[38;5;{ink}m")
}

//! The colour of a correlation: from orange over white to blue, as far as the number is from 0.

/// Red, green and blue.
pub(super) fn rgb(correlation: f64) -> [u8; 3] {
    let end = if correlation < 0.0 { [0xd5, 0x5e, 0x00] } else { [0x00, 0x72, 0xb2] };
    let share = correlation.abs().clamp(0.0, 1.0);
    end.map(|to: u8| (255.0 + (f64::from(to) - 255.0) * share).round() as u8)
}

/// Whether white text on it can be read better than black text.
pub(super) fn is_dark(correlation: f64) -> bool {
    let own = luminance(rgb(correlation));
    contrast(1.0, own) > contrast(own, 0.0)
}

/// How light a colour is, from 0 to 1, as the Web Content Accessibility Guidelines define it.
pub(super) fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let share = f64::from(part) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b] = rgb.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// The contrast of two luminances, the lighter one first, from 1 to 21.
pub(super) fn contrast(light: f64, dark: f64) -> f64 {
    (light + 0.05) / (dark + 0.05)
}

/// The codes that give a terminal's text this background and a colour that can be read on it.
pub(super) fn terminal(correlation: f64) -> String {
    let [r, g, b] = rgb(correlation);
    let ink = if is_dark(correlation) { 15 } else { 16 };
    format!("\x1b[48;2;{r};{g};{b}m\x1b[38;5;{ink}m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_on_every_shade_can_be_read() {
        for step in -100..=100 {
            let correlation = f64::from(step) / 100.0;
            let own = luminance(rgb(correlation));
            let seen = match is_dark(correlation) {
                true => contrast(1.0, own),
                false => contrast(own, 0.0),
            };
            assert!(seen >= 4.5, "{seen:.2} at {correlation}");
        }
    }
}

//! The colours of the page.

use crate::report::shade::{contrast, luminance};

const STYLE: &str = include_str!("page.css");

/// The two values of a colour of the page: in light and in dark.
fn colours() -> Vec<(String, [[u8; 3]; 2])> {
    let declared = STYLE.match_indices("--").filter_map(|(at, _)| {
        let (name, value) = STYLE[at + 2..].split_once(':')?;
        let (light, dark) =
            value.strip_prefix("light-dark(")?.split_once(')')?.0.split_once(',')?;
        Some((name.to_string(), [rgb(light), rgb(dark)]))
    });
    declared.collect()
}

fn rgb(hex: &str) -> [u8; 3] {
    let digits = hex.strip_prefix('#').unwrap();
    let width = digits.len() / 3;
    [0, 1, 2].map(|part| {
        let digits = &digits[part * width..(part + 1) * width];
        u8::from_str_radix(&digits.repeat(2 / width), 16).unwrap()
    })
}

/// The names of the colours that rules give to text.
fn of_text() -> Vec<&'static str> {
    let uses = STYLE.match_indices("color:var(--");
    uses.filter(|(at, _)| matches!(STYLE.as_bytes()[at - 1], b'{' | b';'))
        .filter_map(|(at, mark)| STYLE[at + mark.len()..].split(')').next())
        .collect()
}

#[test]
fn text_can_be_read_on_every_ground_in_light_and_dark() {
    let colours = colours();
    let find = |name: &str| colours.iter().find(|(known, _)| known == name).unwrap().1;
    let texts = of_text();
    for expected in ["ink", "soft", "blue", "down"] {
        assert!(texts.contains(&expected), "{texts:?}");
    }
    for text in texts {
        for ground in ["paper", "panel"] {
            for (scheme, which) in [("light", 0), ("dark", 1)] {
                let [x, y] = [text, ground].map(|name| luminance(find(name)[which]));
                let seen = contrast(x.max(y), x.min(y));
                assert!(seen >= 4.5, "{text} on {ground} in {scheme}: {seen:.2}");
            }
        }
    }
}

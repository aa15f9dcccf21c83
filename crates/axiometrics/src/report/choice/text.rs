//! An answer for a terminal, in sentences.

use std::fmt::Write as _;

use super::{interval_scale, names};
use crate::check::choose::{Chosen, FittingMetric, Wish};
use crate::remedy::Setting;
use crate::report::table::Style;
use crate::report::text::wrapped;

/// The width of what a person reads.
const WIDTH: usize = 80;
/// Measures that are told in detail, those that are named, and ways out that are shown.
const IN_DETAIL: usize = 2;
const NAMED: usize = 12;
const WAYS: usize = 5;
const NEAREST: usize = 3;

/// The first of some names, and how many more there are.
fn few(names: &[String], most: usize) -> String {
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The answer for a terminal: one screen, if not all is asked for.
pub(super) fn text(chosen: &Chosen, all: bool, style: &Style) -> String {
    let mut out = String::new();
    if !chosen.wishes.is_empty() {
        paragraph(&mut out, "", &format!("Wanted: {}", names(&chosen.wishes)));
        out.push('\n');
    }
    if let Some(impossible) = &chosen.impossible {
        let names = impossible.names.join(", ");
        let _ = writeln!(out, "Impossible together: {names}");
        for line in impossible.why.lines() {
            paragraph(&mut out, "  ", line);
        }
        out.push('\n');
    }
    fits(&mut out, chosen, all);
    let most = if all { usize::MAX } else { WAYS };
    if !chosen.give_up.is_empty() {
        out.push_str("Give up the wishes of one line, and the measures after it fit:\n");
        for sacrifice in chosen.give_up.iter().take(most) {
            let line = format!("{}: {}", names(&sacrifice.wishes), few(&sacrifice.metrics, 4));
            paragraph(&mut out, "  ", &line);
        }
        if let more @ 1.. = chosen.give_up.len().saturating_sub(most) {
            let _ = writeln!(out, "  and {more} other ways");
        }
    }
    misses(&mut out, chosen, all, style);
    out
}

fn fits(out: &mut String, chosen: &Chosen, all: bool) {
    let found = &chosen.fits;
    if found.is_empty() {
        if chosen.impossible.is_none() {
            out.push_str("No measure fits.\n\n");
        }
        return;
    }
    let _ = writeln!(out, "{}:", if found.len() == 1 { "This fits" } else { "These fit" });
    let detail = all || found.len() <= IN_DETAIL;
    let width = found.iter().map(|f| f.metric.len()).max().unwrap_or(0);
    for fit in found.iter().take(if all { usize::MAX } else { NAMED }) {
        if detail {
            in_detail(out, fit);
        } else {
            let searched = if fit.unproved.is_empty() { "" } else { " *" };
            let _ = writeln!(out, "  {:<width$}  {}{searched}", fit.metric, fit.title);
        }
    }
    if let more @ 1.. = found.len().saturating_sub(NAMED)
        && !all
    {
        let _ = writeln!(out, "  and {more} more");
    }
    if !detail && found.iter().any(|f| !f.unproved.is_empty()) {
        out.push_str("* Some of it is searched for, not proved.\n");
    }
}

fn in_detail(out: &mut String, fit: &FittingMetric) {
    paragraph(out, "  ", &format!("{}: {}; {}", fit.metric, fit.title, fit.about));
    if !fit.undefined.starts_with("never") {
        paragraph(out, "    ", &format!("undefined when {}", fit.undefined));
    }
    if let Some(spacing) = interval_scale(&fit.metric) {
        paragraph(out, "    ", &spacing.sentence());
    }
    if !fit.unproved.is_empty() {
        paragraph(out, "    ", &format!("searched, not proved: {}", fit.unproved.join(", ")));
    }
}

fn misses(out: &mut String, chosen: &Chosen, all: bool, style: &Style) {
    let shown = if all {
        chosen.misses.len()
    } else if chosen.fits.is_empty() {
        NEAREST
    } else {
        0
    };
    if shown > 0 {
        let _ = writeln!(out, "\n{}:", if all { "These do not fit" } else { "The nearest" });
    }
    for miss in chosen.misses.iter().take(shown) {
        let why = |(wish, why): &(Wish, String)| format!("{}: {why}", wish.describe());
        match miss.unmet.as_slice() {
            [one] if !all => paragraph(out, "  ", &format!("{}, {}", miss.metric, why(one))),
            more if !all => {
                let names: Vec<String> = more.iter().map(|(w, _)| w.describe()).collect();
                paragraph(out, "  ", &format!("{}, but for {}", miss.metric, names.join(", ")));
            }
            more => {
                let _ = writeln!(out, "  {}", miss.metric);
                more.iter().for_each(|unmet| paragraph(out, "    ", &why(unmet)));
            }
        }
    }
    if !all && !chosen.misses.is_empty() {
        let others = chosen.misses.len();
        let more = style.voice.setting(Setting::Named("all"));
        let _ = writeln!(out, "\n{more} tells why each of the {others} others does not fit.");
    }
}

/// Adds a paragraph of at most [`WIDTH`] columns, its later lines further in.
fn paragraph(out: &mut String, indent: &str, words: &str) {
    let own = words.len() - words.trim_start().len();
    let width = WIDTH - indent.len() - own - 2;
    for (i, line) in wrapped(words.trim_start(), width).iter().enumerate() {
        let more = if i == 0 { "" } else { "  " };
        let _ = writeln!(out, "{indent}{:own$}{more}{line}", "");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::document;
    use super::*;
    use crate::check::CheckOptions;
    use crate::check::choose::{Wishes, choose};

    fn chosen(want: &[&str]) -> Chosen {
        let wishes =
            Wishes { want: want.iter().map(|w| w.to_string()).collect(), ..Wishes::default() };
        let metrics = ["nDCG", "RR", "RBP"].map(|m| m.parse().unwrap());
        choose(&wishes, &metrics, &CheckOptions { max_docs: 3, ..CheckOptions::default() }).unwrap()
    }

    #[test]
    fn the_impossible_is_explained_and_a_way_out_is_shown() {
        let chosen = chosen(&["monotonic", "convergent", "realizable"]);
        let text = text(&chosen, false, &Style::default());
        for part in [
            "Impossible together: monotonic, convergent, realizable\n",
            "    1|01 ≤ 10|1 (monotonic) < 11|0 (convergent) ≤ M\n",
            "  realizable: RBP",
            "  monotonic: nDCG",
            "  convergent: RR",
            "The nearest:\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // 80 columns by 24 lines.
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn what_fits_and_what_does_not_is_said_with_the_reason() {
        let chosen = chosen(&["realizable", "monotonic"]);
        let brief = text(&chosen, false, &Style::default());
        assert!(brief.contains("This fits:\n  RR: Reciprocal rank;"), "{brief}");
        assert!(brief.contains("tells why each of the 2 others"), "{brief}");
        let all = text(&chosen, true, &Style::default());
        assert!(all.contains("  nDCG\n    monotonic: 1|01 scores 1,"), "{all}");
        let json = document(&chosen);
        assert_eq!((&json["fits"][0]["metric"], &json["impossible"]), (&json!("RR"), &Value::Null));
        let ndcg = json["misses"].as_array().unwrap().iter().find(|m| m["metric"] == "nDCG");
        assert_eq!(ndcg.unwrap()["unmet"][0]["wish"], "monotonic");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let mut out = String::new();
        paragraph(&mut out, "  ", &"word ".repeat(40));
        assert!(out.lines().count() > 2 && out.lines().all(|l| l.len() <= WIDTH), "{out}");
    }
}

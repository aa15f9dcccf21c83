//! A gate as annotations, in the commands that GitHub's runners read from the output of a step.

use crate::choice::Choice;
use crate::compare::gate::{Gate, LimitVerdict};
use crate::report::safe;

/// One line per check: an error if it fails, a warning if it is undecided, a notice if it passes.
pub fn annotations(gates: &[Gate]) -> String {
    let mut out = String::new();
    for gate in gates {
        for check in &gate.checks {
            let level = match check.verdict {
                LimitVerdict::Pass => "notice",
                LimitVerdict::Undecided => "warning",
                LimitVerdict::Fail => "error",
            };
            let title = format!("{}: {} {}", check.verdict.name(), check.title(), check.limit);
            out += &format!(
                "::{level} title={}::{}\n",
                property(&title),
                message(&format!("{}, {}", gate.run, check.sentence(gate.settings.alpha)))
            );
        }
    }
    out
}

/// Percent, and the ends of lines, are written as codes.
fn message(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    safe(&text).into_owned()
}

/// In a property the separators are, too.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

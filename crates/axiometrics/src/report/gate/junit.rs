//! A gate as JUnit XML, which most servers that build and test can show.

use crate::choice::Choice;
use crate::compare::gate::{Gate, LimitCheck, LimitVerdict};
use crate::data::text::acts;

/// One suite per run, one case per check. An undecided check is a failure, or skipped if undecided
/// counts as passed.
pub fn junit(gates: &[Gate], undecided_passes: bool) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for gate in gates {
        let count = |verdict| gate.checks.iter().filter(|c| c.verdict == verdict).count();
        let (failed, undecided) = (count(LimitVerdict::Fail), count(LimitVerdict::Undecided));
        let (failures, skipped) =
            if undecided_passes { (failed, undecided) } else { (failed + undecided, 0) };
        out += &format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
            escape(&gate.title()),
            gate.checks.len()
        );
        for check in &gate.checks {
            out += &case(gate, check, undecided_passes);
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn case(gate: &Gate, check: &LimitCheck, undecided_passes: bool) -> String {
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\"",
        escape(&gate.run),
        escape(&format!("{} {}", check.title(), check.limit))
    );
    let sentence = escape(&check.sentence(gate.settings.alpha));
    let body = match check.verdict {
        LimitVerdict::Pass => format!("      <system-out>{sentence}</system-out>\n"),
        LimitVerdict::Undecided if undecided_passes => {
            format!("      <skipped message=\"{sentence}\"/>\n")
        }
        verdict => format!("      <failure type=\"{}\" message=\"{sentence}\"/>\n", verdict.name()),
    };
    format!("{head}>\n{body}    </testcase>\n")
}

/// A text as XML must write it; characters that XML cannot hold become a mark.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            c if acts(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

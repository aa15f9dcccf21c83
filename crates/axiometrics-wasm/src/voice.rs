//! Advice in the words of the page.
//!
//! Owns: the labels of the page's controls, as advice names them. Does not own: the controls, which
//! are in `web/src/rooms/runs.ts`.

use axiometrics::io::SWAPPED;
use axiometrics::policy::{Missing, Ties};
use axiometrics::remedy::{Part, Plain, Remedy, Setting, Voice};

/// What the page advises: nothing if the advice needs an option that the page does not have.
pub(crate) fn advice(remedy: &Remedy) -> Option<String> {
    if remedy.worded(&Plain) == SWAPPED {
        return Some("choose in the list of files what each of them holds".to_string());
    }
    if remedy.parts().iter().any(|part| matches!(part, Part::Call(..))) {
        return None;
    }
    Some(remedy.worded(&Page)).filter(|advice| !advice.is_empty())
}

/// The control that makes a setting, and its value there.
fn control(setting: Setting) -> Option<(&'static str, &'static str)> {
    Some(match setting {
        Setting::Missing(Missing::Zero) => ("Missing topics", "count as 0"),
        Setting::Missing(Missing::Skip) => ("Missing topics", "left out"),
        Setting::Ties(Ties::DocidDesc) => ("Ties", "by id, descending"),
        Setting::Ties(Ties::DocidAsc) => ("Ties", "by id, ascending"),
        Setting::Ties(Ties::File) => ("Ties", "as in the file"),
        Setting::Ties(Ties::Average) => ("Ties", "mean over orders"),
        _ => return None,
    })
}

#[derive(Debug)]
struct Page;

impl Voice for Page {
    fn setting(&self, setting: Setting) -> String {
        match control(setting) {
            Some((label, value)) => format!("\"{label}: {value}\""),
            None => Plain.setting(setting),
        }
    }

    fn has(&self, setting: Setting) -> bool {
        control(setting).is_some()
    }

    fn call(&self, name: &str) -> String {
        Plain.call(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_controls_and_never_options() {
        assert_eq!(
            advice(&Remedy::missing()).unwrap(),
            "\"Missing topics: count as 0\" scores them as empty rankings, \
             \"Missing topics: left out\" leaves them out"
        );
        assert_eq!(advice(&Remedy::from("remove the line")).unwrap(), "remove the line");
        assert!(!advice(&Remedy::from(SWAPPED)).unwrap().contains("QRELS"));
        for option in [
            Remedy::default().option("", Setting::Lenient, " leaves such lines out"),
            Remedy::default().option("", Setting::Named("columns"), " names them"),
            Remedy::undefined(),
            Remedy::default().call("convert"),
        ] {
            assert_eq!(advice(&option), None);
        }
    }
}

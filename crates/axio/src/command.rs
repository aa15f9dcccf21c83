//! The subcommands: one line for each.
//!
//! Owns: their names and order, and which of them is run. To describe the options of all takes more
//! time and memory than to score a small run, so only those of the one that is asked for are
//! described, unless help, completions or a slip need all.

use std::ffi::{OsStr, OsString};

use axiometrics::Error;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Args, FromArgMatches};

use crate::ExitCode;
use crate::progress;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 done, but a requested check failed or a run was left out; 2 bad usage or bad input.
Files may be compressed (gzip, zstd, lz4, bzip2); `-` is standard input.

`axio trec_eval ...` takes the options of trec_eval and prints what it prints.";

/// A subcommand: how its options are described, and how it is run with those that were given.
struct Subcommand {
    name: &'static str,
    describe: fn(clap::Command) -> clap::Command,
    run: fn(&ArgMatches) -> anyhow::Result<ExitCode>,
}

macro_rules! subcommands {
    ($($name:literal: $args:path => $run:path,)*) => {
        const SUBCOMMANDS: &[Subcommand] = &[$(Subcommand {
            name: $name,
            describe: <$args as Args>::augment_args,
            run: |matches| $run(&<$args>::from_arg_matches(matches)?),
        },)*];
    };
}

// In the order of the help.
subcommands! {
    "eval": crate::eval::Args => crate::eval::run,
    "score": crate::score::Args => crate::score::run,
    "compare": crate::compare::Args => crate::compare::run,
    "gate": crate::gate::Args => crate::gate::run,
    "meta": crate::meta::Args => crate::meta::run,
    "plan": crate::plan::Args => crate::plan::run,
    "fit": crate::fit::Args => crate::fit::run,
    "measures": crate::measures::Args => crate::measures::run,
    "explain": crate::explain::Args => crate::explain::run,
    "risk": crate::risk::Args => crate::risk::run,
    "standardize": crate::standardize::Args => crate::standardize::run,
    "session": crate::session::Args => crate::session::run,
    "check": crate::check::Args => crate::check::run,
    "choose": crate::choose::Args => crate::choose::run,
    "fuse": crate::fuse::Args => crate::fuse::run,
    "report": crate::report::Args => crate::report::run,
    "organize": crate::organize::Args => crate::organize::run,
    "convert": crate::convert::Args => crate::convert::run,
    "validate": crate::validate::Args => crate::validate::run,
    "lab": crate::lab::Args => crate::lab::run,
    "completions": crate::generate::CompletionsArgs => crate::generate::completions,
    "man": crate::generate::ManArgs => crate::generate::man,
}

/// The command with the subcommand that its first argument names, or with all of them.
pub(crate) fn described(first: Option<&OsStr>) -> clap::Command {
    let asked = first.and_then(|first| SUBCOMMANDS.iter().find(|known| first == known.name));
    let chosen = asked.map_or(SUBCOMMANDS, std::slice::from_ref);
    let command = clap::Command::new("axio")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Measure retrieval systems, and measure the measures")
        .styles(STYLES)
        .after_help(AFTER_HELP)
        .max_term_width(110)
        .subcommand_required(true)
        .arg_required_else_help(true);
    chosen.iter().fold(command, |command, one| {
        command.subcommand((one.describe)(clap::Command::new(one.name)))
    })
}

/// True if the command that these arguments call has an option of this name, and takes this value
/// for it. The arguments begin with the name of the program.
pub(crate) fn has_option(arguments: &[OsString], name: &str, value: Option<&str>) -> bool {
    let mut words = arguments.iter().skip(1);
    let all = described(words.clone().next().map(OsString::as_os_str));
    let Some(mut called) = words.next().and_then(|word| all.find_subcommand(word)) else {
        return false;
    };
    // `axio plan depth`: a subcommand may have its own.
    while let Some(inner) = words.next().and_then(|word| called.find_subcommand(word)) {
        called = inner;
    }
    let takes = |arg: &clap::Arg| {
        let values = arg.get_possible_values();
        value
            .is_none_or(|value| values.is_empty() || values.iter().any(|v| v.matches(value, false)))
    };
    called
        .get_arguments()
        .any(|arg| arg.get_long() == Some(name) && !arg.is_hide_set() && takes(arg))
}

/// Runs the subcommand that the arguments name.
pub(crate) fn run(matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let called = matches.subcommand().and_then(|(name, inner)| {
        Some((SUBCOMMANDS.iter().find(|known| known.name == name)?, inner))
    });
    match called {
        Some((subcommand, inner)) => {
            // `lab` serves until it is stopped.
            let quiet = subcommand.name == "lab"
                || matches!(inner.try_get_one::<bool>("quiet"), Ok(Some(true)));
            progress::command(subcommand.name, quiet, || (subcommand.run)(inner))
        }
        None => Err(Error::usage("found no subcommand, expected one").into()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use axiometrics::choice::Choice;
    use axiometrics::remedy::{Remedy, Setting, Voice};
    use axiometrics::validate::ValidationCheck;
    use axiometrics::warning::WarningKind;

    use super::*;

    /// A heading of one struct of options must not go on over the options of the next.
    #[test]
    fn an_option_that_commands_share_has_one_heading() {
        let mut headings: BTreeMap<&str, BTreeSet<Option<&str>>> = BTreeMap::new();
        let all = described(None);
        for subcommand in all.get_subcommands() {
            for arg in subcommand.get_arguments() {
                if let Some(name @ ("threads" | "quiet" | "verbose" | "keep-going")) =
                    arg.get_long()
                {
                    headings.entry(name).or_default().insert(arg.get_help_heading());
                }
            }
        }
        for (name, found) in headings {
            assert_eq!(found, BTreeSet::from([None]), "--{name}");
        }
        let inference = |name: &str| -> BTreeSet<String> {
            let subcommand = all.find_subcommand(name).unwrap();
            let under = subcommand
                .get_arguments()
                .filter(|arg| arg.get_help_heading() == Some("Inference"));
            under.map(|arg| arg.get_id().to_string()).collect()
        };
        assert_eq!(inference("compare"), inference("report"));
    }

    /// The command's voice, as one of the subcommands has it.
    #[derive(Debug)]
    struct Of(Vec<OsString>);

    impl Voice for Of {
        fn setting(&self, setting: Setting) -> String {
            crate::output::CommandLine.setting(setting)
        }

        fn has(&self, setting: Setting) -> bool {
            let name = setting.name().replace('_', "-");
            has_option(&self.0, &name, setting.value())
        }

        fn call(&self, name: &str) -> String {
            crate::output::CommandLine.call(name)
        }

        fn call_with(&self, name: &str, setting: Setting) -> String {
            crate::output::CommandLine.call_with(name, setting)
        }
    }

    /// The options that an advice names, with their values, and the subcommand that each is for: the
    /// one that gives the advice, or the one that the advice calls.
    fn named(advice: &str, by: &str) -> Vec<(String, String, Option<String>)> {
        let mut named = Vec::new();
        for (at, piece) in advice.split('`').enumerate() {
            let called = piece.strip_prefix("axio ").filter(|_| at % 2 == 1);
            let words: Vec<&str> = called.unwrap_or(piece).split_whitespace().collect();
            let command = if called.is_some() { words[0] } else { by };
            if called.is_some() && !words.iter().any(|word| word.starts_with("--")) {
                named.push((command.to_string(), String::new(), None));
            }
            for (at, word) in words.iter().enumerate() {
                let Some(option) = word.strip_prefix("--") else { continue };
                let option = option.trim_matches([',', ';', '.', ')']);
                let value =
                    words.get(at + 1).map(|value| value.trim_matches([',', ';']).to_string());
                named.push((command.to_string(), option.to_string(), value));
            }
        }
        named
    }

    /// Every warning and finding, worded by every subcommand, names options that exist.
    #[test]
    fn every_option_that_is_advised_exists() {
        let warnings = WarningKind::ALL.iter().map(|kind| kind.remedy());
        let findings = ValidationCheck::ALL.iter().map(|check| check.remedy());
        let others = [Remedy::missing(), Remedy::undefined()];
        let remedies: Vec<Remedy> = warnings.chain(findings).chain(others).collect();
        for subcommand in SUBCOMMANDS {
            let voice = Of(vec!["axio".into(), subcommand.name.into()]);
            for remedy in &remedies {
                let advice = remedy.worded(&voice);
                for (command, option, value) in named(&advice, subcommand.name) {
                    let called = ["axio".into(), OsString::from(&command)];
                    if option.is_empty() {
                        assert!(SUBCOMMANDS.iter().any(|known| known.name == command), "{advice}");
                        continue;
                    }
                    assert!(has_option(&called, &option, None), "{}: {advice}", subcommand.name);
                    // The word after an option is its value if the option knows its values.
                    let wrong = value.filter(|value| {
                        remedy_values(&option).contains(&value.as_str())
                            && !has_option(&called, &option, Some(value.as_str()))
                    });
                    assert_eq!(wrong, None, "{}: {advice}", subcommand.name);
                }
            }
        }
    }

    /// The values that remedies give to an option of this name.
    fn remedy_values(option: &str) -> Vec<&'static str> {
        use axiometrics::policy::{Duplicates, Missing, Order, Ties, Undefined};
        fn names<T: Choice>() -> Vec<&'static str> {
            T::ALL.iter().map(|choice| choice.name()).collect()
        }
        match option {
            "missing" => names::<Missing>(),
            "undefined" => names::<Undefined>(),
            "ties" => names::<Ties>(),
            "duplicates" => names::<Duplicates>(),
            "order" => names::<Order>(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn options_are_those_of_the_subcommand_that_is_called() {
        let called =
            |line: &str| -> Vec<OsString> { line.split(' ').map(OsString::from).collect() };
        assert!(has_option(&called("axio eval q r"), "ties", Some("average")));
        assert!(!has_option(&called("axio fuse a b"), "ties", Some("average")));
        assert!(has_option(&called("axio fuse a b"), "duplicates", Some("best")));
        assert!(has_option(&called("axio plan judge q r"), "budget", None));
        assert!(!has_option(&called("axio validate r"), "lenient", None));
        assert!(!has_option(&called("axio trec_eval q r"), "lenient", None));
    }
}

//! `axio trec_eval`, in place of NIST's trec_eval 10: the same options, the same bytes, the same
//! exit codes. `docs/trec_eval.md` lists the differences.
//!
//! Owns the reading of its command line. Names and numbers are those of [`axiometrics::trec_eval`],
//! the lines those of [`axiometrics::report`].

mod help;
mod options;

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::Path;

use axiometrics::choice::Choice;
use axiometrics::io::zscores;
use axiometrics::remedy::Part;
use axiometrics::report::{TrecLines, write_trec_eval};
use axiometrics::score::standardize::References;
use axiometrics::trec_eval::{Evaluator, Judgements, Mistake, Refused, Spelling, chosen};

use options::Options;

use crate::ExitCode;
use crate::output;
use crate::shell;

/// Whether this is the name of a link named `trec_eval`, through which the program was called.
pub(crate) fn is_called(program: &OsString) -> bool {
    Path::new(program).file_stem().is_some_and(|name| name == "trec_eval")
}

/// Runs trec_eval with these arguments, the name of the program not among them.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    let result = if io::stdout().is_terminal() {
        let mut text = Vec::new();
        execute(args, &mut text).and_then(|()| {
            let text = output::shown(&String::from_utf8_lossy(&text));
            printed(io::stdout().lock().write_all(text.as_bytes()))
        })
    } else {
        execute(args, &mut BufWriter::new(io::stdout().lock()))
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("trec_eval: {}", output::shown(&failure.message));
            ExitCode::from(failure.code)
        }
    }
}

/// Why there is no result, and the exit code that says so.
#[derive(Debug)]
struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    fn new(code: u8, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    fn usage(message: impl Into<String>) -> Failure {
        Failure::new(1, message)
    }

    fn input(message: impl Into<String>) -> Failure {
        Failure::new(2, message)
    }

    fn no_topics() -> Failure {
        Failure::new(7, "No queries with both results and relevance info")
    }
}

impl From<axiometrics::Error> for Failure {
    /// trec_eval meets a document that comes twice only when it calculates.
    fn from(error: axiometrics::Error) -> Failure {
        let ours = |part: &Part| !matches!(part, Part::Text(_));
        // Advice that names an option of ours is of no use here: trec_eval would refuse it.
        let refused = error.remedy().is_some_and(|remedy| remedy.parts().iter().any(ours));
        let message = match error.place() {
            Some(place) if refused => format!("{place}: {}", error.message()),
            None if refused => error.message().to_string(),
            _ => error.to_string(),
        };
        Failure::new(if error.is_duplicate() { 4 } else { 2 }, message)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        let code = match refused.kind {
            Mistake::Unknown => 1,
            Mistake::Parameters => 2,
            Mistake::Calculation => 4,
        };
        Failure::new(code, refused.to_string())
    }
}

fn execute(args: &[OsString], out: &mut impl Write) -> Result<(), Failure> {
    let options = Options::parse(args)
        .map_err(|message| Failure::usage(format!("{message}\n{}", help::USAGE)))?;
    if options.version {
        eprintln!("trec_eval version 10.0 (axiometrics {})", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    let chosen = chosen(&options.measures, Spelling::Dot)?;
    if options.help {
        return printed(help::print(out, &options, &chosen).and_then(|()| out.flush()));
    }
    let [qrels, run] = &options.files[..] else {
        return Err(Failure::usage(format!(
            "found {} files, expected two\n{}",
            options.files.len(),
            help::USAGE
        )));
    };
    let judgements = Judgements::from_name(&options.judgements).ok();
    let judgements = judgements
        .ok_or_else(|| Failure::input(format!("Illegal rel_format '{}'", options.judgements)))?;
    if options.results != "trec_results" {
        return Err(Failure::input(format!(
            "Illegal retrieval results format '{}'",
            options.results
        )));
    }
    let evaluator = Evaluator::new(&chosen, judgements, options.settings.clone())?;
    let (qrels, run) = (shell::open(qrels)?, shell::open(run)?);
    let references = options.zscores.as_ref().map(read_references).transpose()?;
    let table = evaluator.score_files(&qrels, &run).map_err(|error| {
        let in_qrels = error.place().is_some_and(|place| place.file == qrels.name());
        let failure = Failure::from(error);
        // Of these judgements trec_eval checks the documents while it reads them.
        match judgements == Judgements::Groups && in_qrels {
            true => Failure { code: 2, ..failure },
            false => failure,
        }
    })?;
    if table.is_empty() {
        return Err(Failure::no_topics());
    }
    let Options { per_topic, summary, .. } = options;
    let lines = TrecLines { per_topic, summary, references: references.as_ref() };
    printed(write_trec_eval(&table, lines, out).and_then(|()| out.flush()))
}

fn read_references(path: &OsString) -> Result<References, Failure> {
    let source = shell::open(path)?;
    Ok(zscores::read(BufReader::new(source.read()?), source.name())?)
}

/// A reader of our output that went away is no failure of ours.
fn printed(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(8, format!("cannot print: {e}")))
        }
        _ => Ok(()),
    }
}

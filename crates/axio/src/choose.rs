//! `axio choose`: from what is needed to the measures that fit.

use std::fmt::Write as _;

use axiometrics::check::CheckOptions;
use axiometrics::check::choose::{ChoiceTask, Wishes};
use axiometrics::choice::Choice;
use axiometrics::report::choice::{ChoiceReport, LatticeReport};
use axiometrics::report::{OutputFormat, wrapped};
use clap::Args as ClapArgs;

use crate::ExitCode;
use crate::args::{Output, choice};

/// The width of what a person reads.
const WIDTH: usize = 80;

/// From what you need to the measures that fit; if nothing fits, why, and what to give up.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  axio choose\n  axio choose --want top-weighted,localized --graded --average\n  axio choose --want monotonic,convergent,realizable\n  axio choose --task clustering --want homogeneity,completeness,rag-bag,size-vs-quantity"
)]
pub(crate) struct Args {
    /// Properties, constraints and axioms that the measure must have
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    want: Vec<String>,
    /// Those that it must not have
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    not: Vec<String>,
    /// What is evaluated
    #[arg(long, value_parser = choice::<ChoiceTask>(), default_value = ChoiceTask::default().name(), value_name = "TASK")]
    task: ChoiceTask,
    /// Documents have grades, and the measure must tell them apart
    #[arg(long)]
    graded: bool,
    /// The depth to which rankings are judged
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Judgements are incomplete, so the number of relevant documents is not known (asks for
    /// localized)
    #[arg(long)]
    incomplete: bool,
    /// Scores will be averaged over topics (asks for bounded)
    #[arg(long)]
    average: bool,
    /// Tell more of each measure that fits, and why each of the others does not
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let wishes = Wishes {
        want: args.want.clone(),
        not: args.not.clone(),
        graded: args.graded,
        depth: args.depth,
        incomplete: args.incomplete,
        average: args.average,
    };
    if wishes == Wishes::default() && !args.all {
        match args.output.format {
            OutputFormat::Table => args.output.write(guide(args.task).as_bytes())?,
            _ => args.output.report(&LatticeReport)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = args.task.choose(&wishes, &CheckOptions::default())?;
    args.output.report(&ChoiceReport { chosen: &chosen, all: args.all })?;
    Ok(ExitCode::SUCCESS)
}

/// What can be wished for, on one screen.
fn guide(task: ChoiceTask) -> String {
    let mut out = String::new();
    let known = task.statements();
    let example = known.iter().take(2).map(|(name, _)| *name).collect::<Vec<_>>().join(",");
    let option = match task {
        ChoiceTask::Ranking => String::new(),
        other => format!(" --task {}", other.name()),
    };
    let command = format!("axio choose{option} --want {example}");
    let gap = if command.len() > WIDTH / 2 { "\n  " } else { " " };
    let _ = writeln!(out, "Say what the measure must have:{gap}{command}\n");
    let width = known.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, gist) in known {
        for (i, line) in wrapped(gist, WIDTH - width - 4).iter().enumerate() {
            let name = if i == 0 { name } else { "" };
            let _ = writeln!(out, "  {name:<width$}  {line}");
        }
    }
    if task == ChoiceTask::Ranking {
        let _ =
            writeln!(out, "  {:<width$}  axio check METRIC --only axioms", "axiom-1 to axiom-13");
        out.push_str(
            "\n--not NAME          what it must not have
--graded            it must tell grades apart
--average           scores are averaged over topics: bounded
--incomplete        not all relevant documents are judged: localized
--depth K           rankings are judged down to K
--task clustering   measures of clusterings; or filtering, or diversity\n\n",
        );
        out.push_str(
            "Not all of these go together; an impossible wish is answered with the reason.\n",
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_wish_the_answer_fits_one_screen() {
        for task in ChoiceTask::ALL {
            let text = guide(*task);
            // The statements of clusterings take a few lines more.
            let lines = if *task == ChoiceTask::Ranking { 24 } else { 36 };
            assert!(text.lines().count() <= lines, "{text}");
            assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        }
        assert!(guide(ChoiceTask::Ranking).contains("  confidence "));
    }
}

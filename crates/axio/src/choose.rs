//! `axio choose`: from what is needed to the measures that fit.

use std::fmt::Write as _;
use std::process::ExitCode;

use axiometrics::check::choose::{Choice, Wish, Wishes, choose, choose_organization};
use axiometrics::check::organization::all_subjects;
use axiometrics::check::spacing::{Spacing, spacing};
use axiometrics::check::{Options, all_metrics};
use axiometrics::organization;
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};

use crate::output;

/// From what you need to the measures that fit, why the others do not, and what to give up where
/// nothing fits.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  axio choose --want top-weighted,localized --graded --average\n  axio choose --want monotonic,convergent,realizable\n  axio choose --task clustering --want homogeneity,completeness,rag-bag,size-vs-quantity"
)]
pub(crate) struct Args {
    /// Properties and constraints that the measure must have
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    want: Vec<String>,
    /// Those that it must not have
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    not: Vec<String>,
    /// What is evaluated
    #[arg(long, default_value = "ranking")]
    task: Task,
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
    /// How to write the answer
    #[arg(long, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Task {
    /// Rankings of documents
    Ranking,
    /// Clusters of documents
    Clustering,
    /// Documents that were kept, and those that were not
    Filtering,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
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
    let options = Options::default();
    let choice = match args.task {
        Task::Ranking => choose(&wishes, &all_metrics(), &options)?,
        Task::Clustering => {
            choose_organization(&wishes, organization::Task::Clustering, &all_subjects(), &options)?
        }
        Task::Filtering => {
            choose_organization(&wishes, organization::Task::Filtering, &all_subjects(), &options)?
        }
    };
    match args.format {
        Format::Table => output::stdout(text(&choice).as_bytes())?,
        Format::Json => output::stdout(format!("{:#}\n", to_json(&choice)).as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn names(wishes: &[Wish]) -> String {
    wishes.iter().map(Wish::describe).collect::<Vec<_>>().join(", ")
}

fn text(choice: &Choice) -> String {
    let mut out = String::new();
    if choice.wishes.is_empty() {
        out.push_str("Nothing was asked for, so every measure fits.\n\n");
    } else {
        let _ = writeln!(out, "Wanted: {}\n", names(&choice.wishes));
    }
    if let Some(theorem) = &choice.theorem {
        let _ = writeln!(out, "Impossible: {theorem}\n");
    }
    if choice.fits.is_empty() {
        out.push_str("No measure fits.\n");
    } else {
        out.push_str("These fit:\n");
        for fit in &choice.fits {
            let _ = writeln!(out, "  {}: {}", fit.metric, fit.about);
            if !fit.undefined.starts_with("never") {
                let _ = writeln!(out, "    undefined when {}", fit.undefined);
            }
            if let Some(spacing) = interval_scale(&fit.metric) {
                let _ = writeln!(out, "    {}", spacing.sentence());
            }
            if !fit.unproved.is_empty() {
                let _ = writeln!(out, "    searched, not proved: {}", fit.unproved.join(", "));
            }
        }
    }
    if !choice.give_up.is_empty() {
        out.push_str("\nGive up one of these, and the measures beside it fit:\n");
        for (wishes, metrics) in &choice.give_up {
            let _ = writeln!(out, "  {}: {}", names(wishes), metrics.join(", "));
        }
    }
    if !choice.misses.is_empty() {
        out.push_str("\nThese do not:\n");
        for miss in &choice.misses {
            let _ = writeln!(out, "  {}", miss.metric);
            for (wish, why) in &miss.unmet {
                let _ = writeln!(out, "    {}: {why}", wish.describe());
            }
        }
    }
    out
}

/// Of measures of rankings, where documents are relevant or not.
fn interval_scale(metric: &str) -> Option<Spacing> {
    metric.parse().ok().and_then(|metric| spacing(&metric, 1.0))
}

fn to_json(choice: &Choice) -> Value {
    let wishes = |w: &[Wish]| w.iter().map(Wish::describe).collect::<Vec<_>>();
    json!({
        "wishes": wishes(&choice.wishes),
        "fits": choice.fits.iter().map(|f| &f.metric).collect::<Vec<_>>(),
        "interval_scale": choice.fits.iter().map(|f| (f.metric.clone(), json!(interval_scale(&f.metric)))).collect::<serde_json::Map<_, _>>(),
        "theorem": choice.theorem,
        "give_up": choice.give_up.iter().map(|(w, m)| json!({
            "wishes": wishes(w),
            "fits": m,
        })).collect::<Vec<_>>(),
        "misses": choice.misses.iter().map(|m| json!({
            "metric": m.metric,
            "unmet": m.unmet.iter().map(|(w, why)| json!({ "wish": w.describe(), "why": why })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(want: &[&str]) -> Choice {
        let wishes =
            Wishes { want: want.iter().map(|w| w.to_string()).collect(), ..Wishes::default() };
        let metrics = ["nDCG", "RR", "RBP"].map(|m| m.parse().unwrap());
        choose(&wishes, &metrics, &Options { max_docs: 3, ..Options::default() }).unwrap()
    }

    #[test]
    fn the_impossible_is_explained_and_a_way_out_is_shown() {
        let text = text(&chosen(&["monotonic", "convergent", "realizable"]));
        for part in [
            "Impossible: no metric is",
            "No measure fits.",
            "  realizable: RBP\n",
            "  monotonic: nDCG\n",
            "  convergent: RR\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn what_fits_and_what_does_not_is_said_with_the_reason() {
        let choice = chosen(&["realizable", "monotonic"]);
        let text = text(&choice);
        assert!(text.contains("These fit:\n  RR: Reciprocal rank;"), "{text}");
        assert!(text.contains("  nDCG\n    monotonic: 1|01 scores 1,"), "{text}");
        let json = to_json(&choice);
        assert_eq!((&json["fits"], &json["theorem"]), (&json!(["RR"]), &Value::Null));
        assert_eq!(json["misses"][0]["unmet"][0]["wish"], "monotonic");
    }
}

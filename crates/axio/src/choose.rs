//! `axio choose`: from what is needed to the measures that fit.

use std::fmt::Write as _;

use axiometrics::check::choose::{
    Choice, Fit, Wish, Wishes, choose, choose_diversity, choose_organization,
};
use axiometrics::check::lattice::{Example, Lattice, Property};
use axiometrics::check::organization::{all_subjects, statements};
use axiometrics::check::spacing::{Spacing, spacing};
use axiometrics::check::{Group, Options, all_metrics, diversity};
use axiometrics::organization;
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};

use crate::ExitCode;
use crate::output;

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
    /// Tell more of each measure that fits, and why each of the others does not
    #[arg(long)]
    all: bool,
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
    /// Rankings of documents that serve subtopics
    Diversity,
}

impl Task {
    /// The task of measures of organizations, if it is one.
    fn organization(self) -> Option<organization::Task> {
        match self {
            Task::Ranking | Task::Diversity => None,
            Task::Clustering => Some(organization::Task::Clustering),
            Task::Filtering => Some(organization::Task::Filtering),
        }
    }
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
    if wishes == Wishes::default() && !args.all {
        let text = match args.format {
            Format::Table => guide(args.task),
            Format::Json => format!("{:#}\n", lattice()),
        };
        output::stdout(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options::default();
    let choice = match (args.task, args.task.organization()) {
        (Task::Diversity, _) => choose_diversity(&wishes, &diversity::all_metrics(), &options)?,
        (_, Some(task)) => choose_organization(&wishes, task, &all_subjects(), &options)?,
        (_, None) => choose(&wishes, &all_metrics(), &options)?,
    };
    match args.format {
        Format::Table => output::stdout(text(&choice, args.all).as_bytes())?,
        Format::Json => output::stdout(format!("{:#}\n", to_json(&choice)).as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What can be wished for, on one screen.
fn guide(task: Task) -> String {
    let mut out = String::new();
    let known: Vec<(&str, &str)> = match task.organization() {
        None if task == Task::Diversity => diversity::statements(),
        None => Property::ALL.map(|p| (p.name(), p.gist())).to_vec(),
        Some(task) => statements(task, &[Group::Property, Group::Constraint]).collect(),
    };
    let example = known.iter().take(2).map(|(name, _)| *name).collect::<Vec<_>>().join(",");
    let option = match task {
        Task::Ranking => "",
        Task::Clustering => " --task clustering",
        Task::Filtering => " --task filtering",
        Task::Diversity => " --task diversity",
    };
    let command = format!("axio choose{option} --want {example}");
    let gap = if command.len() > WIDTH / 2 { "\n  " } else { " " };
    let _ = writeln!(out, "Say what the measure must have:{gap}{command}\n");
    let width = known.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, gist) in known {
        let words = wrap(gist, WIDTH - width - 4);
        for (i, line) in words.iter().enumerate() {
            let name = if i == 0 { name } else { "" };
            let _ = writeln!(out, "  {name:<width$}  {line}");
        }
    }
    if task == Task::Ranking {
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

/// Measures that are told in detail, those that are named, and ways out that are shown.
const IN_DETAIL: usize = 2;
const NAMED: usize = 12;
const WAYS: usize = 5;
const NEAREST: usize = 3;
/// The width of what a person reads.
const WIDTH: usize = 80;

fn names(wishes: &[Wish]) -> String {
    wishes.iter().map(Wish::describe).collect::<Vec<_>>().join(", ")
}

/// The first of some names, and how many more there are.
fn few(names: &[String], most: usize) -> String {
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn text(choice: &Choice, all: bool) -> String {
    let mut out = String::new();
    if !choice.wishes.is_empty() {
        paragraph(&mut out, "", &format!("Wanted: {}", names(&choice.wishes)));
        out.push('\n');
    }
    if let Some(impossible) = &choice.impossible {
        let names = impossible.names.join(", ");
        let _ = writeln!(out, "Impossible together: {names}");
        for line in impossible.why.lines() {
            paragraph(&mut out, "  ", line);
        }
        out.push('\n');
    }
    fits(&mut out, choice, all);
    let most = if all { usize::MAX } else { WAYS };
    if !choice.give_up.is_empty() {
        out.push_str("Give up the wishes of one line, and the measures after it fit:\n");
        for sacrifice in choice.give_up.iter().take(most) {
            let line = format!("{}: {}", names(&sacrifice.wishes), few(&sacrifice.metrics, 4));
            paragraph(&mut out, "  ", &line);
        }
        if let more @ 1.. = choice.give_up.len().saturating_sub(most) {
            let _ = writeln!(out, "  and {more} other ways");
        }
    }
    misses(&mut out, choice, all);
    out
}

fn fits(out: &mut String, choice: &Choice, all: bool) {
    let found = &choice.fits;
    if found.is_empty() {
        if choice.impossible.is_none() {
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

fn in_detail(out: &mut String, fit: &Fit) {
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

fn misses(out: &mut String, choice: &Choice, all: bool) {
    let shown = if all {
        choice.misses.len()
    } else if choice.fits.is_empty() {
        NEAREST
    } else {
        0
    };
    if shown > 0 {
        let _ = writeln!(out, "\n{}:", if all { "These do not fit" } else { "The nearest" });
    }
    for miss in choice.misses.iter().take(shown) {
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
    if !all && !choice.misses.is_empty() {
        let others = choice.misses.len();
        let _ = writeln!(out, "\n--all tells why each of the {others} others does not fit.");
    }
}

/// Adds a paragraph of at most [`WIDTH`] columns, its later lines further in.
fn paragraph(out: &mut String, indent: &str, words: &str) {
    let own = words.len() - words.trim_start().len();
    for (i, line) in wrap(words.trim_start(), WIDTH - indent.len() - own - 2).iter().enumerate() {
        let more = if i == 0 { "" } else { "  " };
        let _ = writeln!(out, "{indent}{:own$}{more}{line}", "");
    }
}

/// Lines of at most so many characters, broken between words.
fn wrap(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Of measures of rankings, where documents are relevant or not.
fn interval_scale(metric: &str) -> Option<Spacing> {
    metric.parse().ok().and_then(|metric| spacing(&metric, 1.0))
}

/// What goes together, for programs.
fn lattice() -> Value {
    let lattice = Lattice::get();
    let names =
        |set: axiometrics::check::lattice::Set| set.iter().map(Property::name).collect::<Vec<_>>();
    json!({
        "contradictions": lattice.contradictions.iter().map(|c| json!({
            "properties": names(c.properties),
            "derivation": c.derivation.text(),
        })).collect::<Vec<_>>(),
        "feasible": lattice.feasible.iter().map(|set| json!({
            "properties": names(*set),
            "measure": Example::of(*set).map(Example::path),
        })).collect::<Vec<_>>(),
    })
}

fn to_json(choice: &Choice) -> Value {
    let wishes = |w: &[Wish]| w.iter().map(Wish::describe).collect::<Vec<_>>();
    json!({
        "wishes": wishes(&choice.wishes),
        "fits": choice.fits.iter().map(|f| json!({
            "metric": f.metric,
            "title": f.title,
            "undefined": f.undefined,
            "unproved": f.unproved,
            "interval_scale": interval_scale(&f.metric),
        })).collect::<Vec<_>>(),
        "impossible": choice.impossible.as_ref().map(|i| json!({
            "properties": i.names,
            "derivation": i.why,
        })),
        "give_up": choice.give_up.iter().map(|s| json!({
            "wishes": wishes(&s.wishes),
            "fits": s.metrics,
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
        let text = text(&chosen(&["monotonic", "convergent", "realizable"]), false);
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
        assert!(one_screen(&text), "{text}");
    }

    #[test]
    fn what_fits_and_what_does_not_is_said_with_the_reason() {
        let choice = chosen(&["realizable", "monotonic"]);
        let brief = text(&choice, false);
        assert!(brief.contains("This fits:\n  RR: Reciprocal rank;"), "{brief}");
        assert!(brief.contains("--all tells why each of the 2 others"), "{brief}");
        let all = text(&choice, true);
        assert!(all.contains("  nDCG\n    monotonic: 1|01 scores 1,"), "{all}");
        let json = to_json(&choice);
        assert_eq!((&json["fits"][0]["metric"], &json["impossible"]), (&json!("RR"), &Value::Null));
        let ndcg = json["misses"].as_array().unwrap().iter().find(|m| m["metric"] == "nDCG");
        assert_eq!(ndcg.unwrap()["unmet"][0]["wish"], "monotonic");
    }

    /// 80 columns by 24 lines.
    fn one_screen(text: &str) -> bool {
        text.lines().count() <= 24 && text.lines().all(|l| l.chars().count() <= 80)
    }

    #[test]
    fn without_a_wish_the_answer_fits_one_screen() {
        for task in [Task::Ranking, Task::Clustering, Task::Filtering, Task::Diversity] {
            let text = guide(task);
            // The statements of clusterings take a few lines more.
            let lines = if task == Task::Ranking { 24 } else { 36 };
            assert!(text.lines().count() <= lines, "{text}");
            assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        }
        assert!(guide(Task::Ranking).contains("  confidence "));
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        let mut out = String::new();
        paragraph(&mut out, "  ", &"word ".repeat(40));
        assert!(out.lines().count() > 2 && out.lines().all(|l| l.len() <= WIDTH), "{out}");
    }
}

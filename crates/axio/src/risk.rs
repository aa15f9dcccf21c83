//! `axio risk`: what a run loses against a baseline on single topics.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::report::{Cell, Column, Table};
use axiometrics::score::risk::{georisk, trisk, urisk};
use axiometrics::warning::Warnings;
use serde_json::json;

use crate::args::{Format, Measures, Output, Policies, Work};
use crate::{output, runs};

/// Weigh losses against a baseline: URisk, TRisk and GeoRisk
///
/// A loss on a topic counts 1 + alpha times as much as a gain. URisk is the mean of these
/// differences; TRisk is URisk over its standard error, so that below -2 the risk is significant;
/// GeoRisk joins effectiveness and risk over all runs given. Undefined scores count as 0.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio risk examples/web/qrels.txt examples/web/bm25.run examples/web/dense.run -m AP",
    mut_arg("measures", |arg| arg.default_value("nDCG@10 AP"))
)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The run that others are compared with
    #[arg(value_name = "BASELINE")]
    baseline: PathBuf,
    /// The other runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// How much more a loss counts than a gain
    #[arg(long, default_value_t = 1.0, value_name = "A")]
    alpha: f64,
    #[command(flatten)]
    measures: Measures,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// The risks of one run by one measure.
struct Row {
    run: String,
    measure: String,
    urisk: Option<f64>,
    trisk: Option<f64>,
    georisk: Option<f64>,
    wins: usize,
    losses: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let mut warnings = Warnings::default();
    let paths: Vec<PathBuf> = std::iter::once(&args.baseline).chain(&args.runs).cloned().collect();
    runs::refuse_repeated_stdin(paths.iter().chain([&args.qrels]))?;
    let qrels = runs::read_qrels(&args.qrels, &metrics, &args.policies, &mut warnings)?;
    let scored =
        runs::score(&qrels, &metrics, &paths, &args.policies, &args.work, false, &mut warnings)?;
    let mut rows = Vec::new();
    for (column, metric) in metrics.iter().enumerate() {
        let scores: Vec<Vec<f64>> = scored
            .runs
            .iter()
            .map(|r| r.scores.column(column).map(|x| x.unwrap_or(0.0)).collect())
            .collect();
        let all: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        for (i, run) in scored.runs.iter().enumerate().skip(1) {
            let differences = || all[i].iter().zip(all[0]).map(|(x, b)| x - b);
            rows.push(Row {
                run: run.name.clone(),
                measure: metric.to_string(),
                urisk: urisk(all[i], all[0], args.alpha)?.value(),
                trisk: trisk(all[i], all[0], args.alpha)?.value(),
                // A measure with negative values has no GeoRisk.
                georisk: georisk(&all, i, args.alpha).ok().and_then(|score| score.value()),
                wins: differences().filter(|d| *d > 0.0).count(),
                losses: differences().filter(|d| *d < 0.0).count(),
            });
        }
    }
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    let baseline = scored.runs.first().map_or("", |r| r.name.as_str());
    args.output.write(render(args, baseline, &rows)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn render(args: &Args, baseline: &str, rows: &[Row]) -> anyhow::Result<String> {
    let object = |r: &Row| json!({"run": r.run, "measure": r.measure, "urisk": r.urisk, "trisk": r.trisk, "georisk": r.georisk, "wins": r.wins, "losses": r.losses});
    let Some(dialect) = args.output.format.dialect() else {
        return Ok(match args.output.format {
            Format::Jsonl => rows.iter().map(|r| object(r).to_string() + "\n").collect(),
            _ => {
                let all: Vec<_> = rows.iter().map(object).collect();
                serde_json::to_string_pretty(
                    &json!({"baseline": baseline, "alpha": args.alpha, "risks": all}),
                )? + "\n"
            }
        });
    };
    let mut table = Table::new(vec![
        Column::text("run"),
        Column::text("measure"),
        Column::number("URisk"),
        Column::number("TRisk"),
        Column::number("GeoRisk"),
        Column::number("wins").exact(),
        Column::number("losses").exact(),
    ]);
    for r in rows {
        let number = |x: Option<f64>| Cell::number(x);
        table.push(vec![
            Cell::text(&r.run),
            Cell::text(&r.measure),
            number(r.urisk),
            number(r.trisk),
            number(r.georisk),
            number(Some(r.wins as f64)),
            number(Some(r.losses as f64)),
        ]);
    }
    table.footnotes.push(format!(
        "baseline {baseline}, alpha {}; TRisk below -2 is a significant risk",
        args.alpha
    ));
    Ok(table.render(dialect, &args.output.style()))
}

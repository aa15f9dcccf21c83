//! What --top and --weight mean: the weight of each rank, of the tail, and where thresholds lie.

use axiometrics::choice::Choice;
use axiometrics::measure::Metric;
use axiometrics::organization::{Curve, Thresholds, Variant};
use axiometrics::report::{Cell, Column, Format, Table};
use serde_json::{Value, json};

use crate::ExitCode;

use super::Args;

pub(super) fn run(args: &Args, ranks: u32) -> anyhow::Result<ExitCode> {
    let curve = Curve::new(args.top, args.weight)?;
    // Fifteen digits, so that 0.1 + 0.2 is 0.3.
    let c = (curve.c::<f64>() * 1e12).round() / 1e12;
    let thresholds = thresholds(&curve)?;
    let rows: Vec<[f64; 4]> = (1..=ranks)
        .map(|rank| {
            let rank = f64::from(rank);
            [rank, curve.weight_of_rank(rank), rank / (c + rank), c / (c + rank)]
        })
        .collect();
    let rendered = match args.output.format {
        Format::Jsonl => rows.iter().map(|row| object(row).to_string() + "\n").collect(),
        Format::Json => {
            let thresholds: Vec<Value> = thresholds.iter().map(|(metric, found)| json!({ "measure": metric.to_string(), "closeness": found.closeness, "deepness": found.deepness })).collect();
            let document = json!({ "top": args.top, "weight": args.weight, "c": c, "ranks": rows.iter().map(object).collect::<Vec<_>>(), "thresholds": thresholds });
            serde_json::to_string_pretty(&document)? + "\n"
        }
        format => {
            let names = ["rank", "weight", "so far", "tail"];
            let mut table = Table::new(names.map(Column::number).to_vec());
            for [rank, numbers @ ..] in &rows {
                let rank = Cell::text(format!("{rank}"));
                let numbers = numbers.iter().map(|number| Cell::number(Some(*number)));
                table.push(std::iter::once(rank).chain(numbers).collect());
            }
            table.footnotes.push(format!(
                "top {}, weight {}: c = {c}, weight of rank i = c/((c + i - 1)(c + i)), of the tail after N = c/(c + N)",
                args.top, args.weight
            ));
            for (metric, found) in &thresholds {
                table.footnotes.push(sentence(metric, found));
            }
            table.render(format, &args.output.style())
        }
    };
    args.output.write(rendered.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn object([rank, weight, so_far, tail]: &[f64; 4]) -> Value {
    json!({ "rank": rank, "weight": weight, "so_far": so_far, "tail": tail })
}

/// The thresholds of R and F, as the formulas say and as the paper's numbers do.
fn thresholds(curve: &Curve) -> axiometrics::Result<Vec<(Metric, Thresholds)>> {
    let mut found = Vec::new();
    for variant in [Variant::Printed, Variant::Table9] {
        for name in ["RS_R", "RS_F"] {
            let (n, w) = (curve.top(), curve.weight());
            let metric: Metric =
                format!("{name}(n={n},w={w},variant={})", variant.name()).parse()?;
            let thresholds = Thresholds::of(&metric);
            found.push((metric, thresholds));
        }
    }
    Ok(found)
}

fn sentence(metric: &Metric, found: &Thresholds) -> String {
    let what = "relevant documents after n others";
    match (found.closeness, found.deepness) {
        (Some(n), Some(from)) => {
            format!(
                "{metric}: n {what} are better than one on top up to n = {n}, worse from {from} on"
            )
        }
        (Some(_), None) => {
            format!("{metric}: n {what} are better than one on top, however large n is")
        }
        (None, _) => format!("{metric}: n {what} are never better than one on top"),
    }
}

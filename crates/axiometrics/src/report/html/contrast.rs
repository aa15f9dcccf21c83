//! Every run against the reference, by every measure that is averaged: difference, interval, corrected p-value.

use serde::Serialize;

use super::{CONFIDENCE, Study};
use crate::Result;
use crate::report::number::number;
use crate::stats::{self, Interval, TestOptions, WinsTiesLosses};

/// The level of significance.
pub(super) const ALPHA: f64 = 0.05;

/// One run against the reference by one measure.
pub(super) struct Contrast {
    pub(super) run: usize,
    pub(super) column: usize,
    /// The topics on which both have a score, with the run's less the reference's.
    pub(super) differences: Vec<(u32, f64)>,
    pub(super) mean: f64,
    pub(super) interval: Option<Interval>,
    /// Corrected; `None` where the test is not defined.
    pub(super) p: Option<f64>,
    pub(super) effect: Option<f64>,
    pub(super) counts: WinsTiesLosses,
    pub(super) note: Option<String>,
}

impl Contrast {
    /// 1 where the run is significantly better, -1 where worse.
    pub(super) fn direction(&self) -> i8 {
        match self.p {
            Some(p) if p < ALPHA && self.mean > 0.0 => 1,
            Some(p) if p < ALPHA && self.mean < 0.0 => -1,
            _ => 0,
        }
    }
}

/// All contrasts, measure by measure. The family of the correction is all of them.
pub(super) fn contrasts(study: &Study<'_>) -> Result<Vec<Contrast>> {
    let mut all = Vec::new();
    let options = TestOptions::default();
    for (column, _) in study.averaged() {
        for run in (0..study.runs.len()).filter(|run| *run != study.reference) {
            let (topics, a, b) = shared(study, run, column);
            if topics.is_empty() {
                continue;
            }
            let test = stats::paired_test(study.test, &a, &b, &options)?;
            let differences: Vec<(u32, f64)> = topics.into_iter().zip(a.iter().zip(&b).map(|(a, b)| a - b)).collect();
            all.push(Contrast {
                run,
                column,
                mean: differences.iter().map(|(_, d)| d).sum::<f64>() / differences.len() as f64,
                differences,
                interval: stats::test_interval(study.test, &a, &b, CONFIDENCE, &options).ok(),
                p: test.p,
                effect: stats::effect_size(&a, &b)?.map(|e| e.hedges_g),
                counts: stats::wins_ties_losses(&a, &b)?,
                note: test.note.map(|n| n.to_string()),
            });
        }
    }
    let raw: Vec<f64> = all.iter().filter_map(|c| c.p).collect();
    let corrected = study.correction.adjust(&raw)?;
    for (contrast, p) in all.iter_mut().filter(|c| c.p.is_some()).zip(corrected) {
        contrast.p = Some(p);
    }
    Ok(all)
}

/// The topics on which a run and the reference both have a score, with these.
fn shared(study: &Study<'_>, run: usize, column: usize) -> (Vec<u32>, Vec<f64>, Vec<f64>) {
    let (run, reference) = (study.runs[run].scores, study.runs[study.reference].scores);
    let mut of_reference = vec![None; study.qrels.len()];
    for (topic, score) in reference.topics.iter().zip(reference.column(column)) {
        of_reference[*topic as usize] = score;
    }
    let (mut topics, mut a, mut b) = (Vec::new(), Vec::new(), Vec::new());
    for (topic, score) in run.topics.iter().zip(run.column(column)) {
        if let (Some(score), Some(other)) = (score, of_reference[*topic as usize]) {
            topics.push(*topic);
            a.push(score);
            b.push(other);
        }
    }
    (topics, a, b)
}

/// The table of contrasts of one measure.
#[derive(Serialize)]
pub(super) struct View {
    measure: String,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    run: String,
    difference: String,
    interval: Option<(String, String)>,
    p: Option<String>,
    effect: Option<String>,
    wins: usize,
    ties: usize,
    losses: usize,
    topics: usize,
    direction: i8,
    note: Option<String>,
}

pub(super) fn view(study: &Study<'_>, contrasts: &[Contrast]) -> Vec<View> {
    let signed = |x: f64| format!("{}{}", if x > 0.0 { "+" } else { "" }, number(x, Some(4)).replace('-', "\u{2212}"));
    let row = |c: &Contrast| Row {
        run: study.runs[c.run].name.to_string(),
        difference: signed(c.mean),
        interval: c.interval.as_ref().map(|i| (signed(i.lower), signed(i.upper))),
        p: c.p.map(p_text),
        effect: c.effect.map(|g| number(g, Some(2)).replace('-', "\u{2212}")),
        wins: c.counts.wins,
        ties: c.counts.ties,
        losses: c.counts.losses,
        topics: c.differences.len(),
        direction: c.direction(),
        note: c.note.clone(),
    };
    let of = |column: usize| {
        let mut found: Vec<&Contrast> = contrasts.iter().filter(|c| c.column == column).collect();
        found.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        found.into_iter().map(row).collect()
    };
    study.averaged().map(|(column, metric)| View { measure: metric.to_string(), rows: of(column) }).filter(|v| !v.rows.is_empty()).collect()
}

/// A p-value for people.
pub(super) fn p_text(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { number(p, Some(4)) }
}

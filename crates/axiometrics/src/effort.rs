//! Reading effort: time-biased gain and the U-measure, by how long the documents are.
//!
//! The registry's TBG and U have a document for their unit, as if all were of one length. These
//! know the documents: long ones take longer, and one that was read before takes no time and is
//! worth nothing. They look at the ranking itself, so their columns are added afterwards
//! ([`extend`]), as those of [`beyond`](crate::beyond).

use std::borrow::Cow;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::align::Policy;
use crate::data::{Lengths, Qrels, Run, id_text};
use crate::error::{Error, Place, Result};
use crate::measure::params::ParamKind;
use crate::measure::{
    Args, Cutoff, Def, Elsewhere, Measure, Metric, Own, Param, Score, Span, parse_list_with,
};
use crate::score::{MetricColumn, Scores};

/// A measure that knows how long documents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// Time-biased gain, in seconds.
    Time,
    /// The U-measure, in units of text.
    Text,
}

/// All of them, in the order of the list of measures.
pub const EFFORT: [Effort; 2] = [Effort::Time, Effort::Text];

fn number(name: &'static str, default: &'static str, doc: &'static str) -> Param {
    Param {
        name: Cow::Borrowed(name),
        kind: ParamKind::Number { min: 0.0, max: f64::INFINITY },
        default: Some(Cow::Borrowed(default)),
        doc,
    }
}

fn share(name: &'static str, default: &'static str, doc: &'static str) -> Param {
    Param { kind: ParamKind::Number { min: 0.0, max: 1.0 }, ..number(name, default, doc) }
}

impl Effort {
    /// The measure of this name.
    pub fn named(name: &str) -> Option<Effort> {
        EFFORT.into_iter().find(|effort| effort.def().name.eq_ignore_ascii_case(name))
    }

    /// The measure in a token such as `TimeTBG(halflife=300)@10`, if it is one of these.
    pub fn parse(token: &str) -> Option<Result<Metric>> {
        let effort = Effort::named(&token[..token.find(['(', '@']).unwrap_or(token.len())])?;
        let parsed = parse_list_with(token, &mut |_| Ok(Arc::new(effort)));
        Some(parsed.and_then(|all| {
            all.into_iter().next().ok_or_else(|| Error::usage(format!("no measure in {token}")))
        }))
    }

    /// The score of documents that are given with their grades.
    fn score(self, args: &Args, ranked: &[ReadDocument]) -> f64 {
        let mut spent = 0.0;
        let mut gained = 0.0;
        for document in ranked {
            let relevant = document.grade >= args.number("rel");
            let new = !document.repeated;
            match self {
                Effort::Time => {
                    if relevant && new {
                        let halves = spent / args.number("halflife");
                        gained += args.number("click_rel") * args.number("save") * (-halves).exp2();
                    }
                    let click = args.number(if relevant { "click_rel" } else { "click_non" });
                    let read = args.number("open") + args.number("pace") * document.length;
                    spent += args.number("summary") + if new { click * read } else { 0.0 };
                }
                Effort::Text => {
                    spent += args.number("snippet");
                    if relevant && new {
                        spent += args.number("share") * document.length;
                        let weight = (1.0 - spent / args.number("L")).max(0.0);
                        gained += document.gain * weight;
                    }
                }
            }
        }
        gained
    }
}

/// A document as it is read.
struct ReadDocument {
    grade: f64,
    /// (2^g - 1) / 2^m
    gain: f64,
    length: f64,
    /// It says what one above said.
    repeated: bool,
}

impl Own for Effort {
    fn def(&self) -> Def<'_> {
        let def = |name, title| Def {
            family: "effort",
            cutoff: Cutoff::Optional,
            undefined: "never",
            range: Span::Words("from 0 up"),
            ..Def::own(name, title)
        };
        match self {
            Effort::Time => Def {
                definition: "TimeTBG = sum over new relevant documents of click_rel * save * 2^(-t/halflife), t the seconds spent above: for each document a summary, and with probability click_rel or click_non the reading of the document, open + pace * words. A document that repeats one above costs its summary and gains nothing. By hand: relevant documents of 100 and 0 words give 0.4928 + 0.4928 * 2^(-(4.4 + 0.64 * (7.8 + 1.8))/224) = 0.9694.",
                user_model: "reads summaries one after the other, opens some documents, keeps what is relevant, and gives up as time goes by",
                references: &[
                    "Smucker and Clarke 2012, Time-based calibration of effectiveness measures",
                ],
                differs: &[
                    "TBG has one unit of time for every document, and is divided by what all relevant documents would give",
                ],
                ..def("TimeTBG", "Time-biased gain by the lengths of documents")
            },
            Effort::Text => Def {
                definition: "TextU = sum over new relevant documents of gain * max(0, 1 - t/L), t the characters read down to the end of the document: a snippet of each document, and of a relevant one that is new also a share of its length; gain = (2^g - 1)/2^m. By hand: one relevant document of 1000 characters on top (m = 1): t = 200 + 200, 0.5 * (1 - 400/132000) = 0.4985.",
                user_model: "reads a trail of text, snippets and parts of documents, and values what comes later less, to nothing after L characters",
                references: &[
                    "Sakai and Dou 2013, Summaries, ranked retrieval and sessions: a unified framework for information access evaluation",
                ],
                differs: &["U has one unit of text for every document"],
                ..def("TextU", "U-measure by the lengths of documents")
            },
        }
    }

    fn params(&self) -> Arc<[Param]> {
        let rel = number("rel", "1", "the lowest grade that counts as relevant");
        match self {
            Effort::Time => Arc::from([
                number(
                    "halflife",
                    "224",
                    "the seconds after which half of the users have given up",
                ),
                number("summary", "4.4", "the seconds for a summary"),
                number("open", "7.8", "the seconds for a document of no length"),
                number("pace", "0.018", "the seconds for a word"),
                share("click_rel", "0.64", "the probability that a relevant document is opened"),
                share("click_non", "0.39", "the probability that another document is opened"),
                share("save", "0.77", "the probability that an opened relevant document is kept"),
                rel,
            ]),
            Effort::Text => Arc::from([
                Param {
                    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
                    ..number("L", "132000", "the characters after which nothing is worth anything")
                },
                number("snippet", "200", "the characters of a snippet"),
                share("share", "0.2", "the share of a relevant document that is read"),
                rel,
            ]),
        }
    }

    fn build(self: Arc<Self>, _: &Args) -> Result<Arc<dyn Measure>> {
        Ok(Arc::new(Elsewhere::new("it is computed from the lengths of the documents")))
    }
}

/// The scores of a run with columns for these measures behind the others, over the same topics.
pub fn extend(
    scores: &Scores,
    (qrels, run): (&Qrels, &Run),
    metrics: &[Metric],
    lengths: &Lengths,
    policy: &Policy,
) -> Result<Scores> {
    let mut values: Vec<Vec<Score>> = vec![Vec::new(); metrics.len()];
    for row in 0..scores.len() {
        let name = scores.topics().get(row).unwrap_or_default();
        let ranking = read(qrels, run, name, lengths, policy)?;
        for (metric, column) in metrics.iter().zip(&mut values) {
            let Some(effort) = metric.own_as::<Effort>() else { continue };
            let depth = metric.args().cutoff().map_or(ranking.len(), |k| k as usize);
            let top = &ranking[..ranking.len().min(depth)];
            column.push(Score::Value(effort.score(metric.args(), top)));
        }
    }
    scores.with_columns(metrics.iter().map(MetricColumn::from), &values)
}

/// The ranking of a topic as it is read.
fn read(
    qrels: &Qrels,
    run: &Run,
    topic: &[u8],
    lengths: &Lengths,
    policy: &Policy,
) -> Result<Vec<ReadDocument>> {
    let judged: HashMap<&[u8], f64> =
        qrels.find(topic).map(|t| qrels.judgements(t).collect()).unwrap_or_default();
    let ranking = run.find(topic).map(|t| run.ranking(t, policy.ties, policy.scores));
    let depth = policy.depth.map_or(usize::MAX, |depth| depth as usize);
    let top = qrels.max_grade();
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for (id, _) in ranking.into_iter().flatten().take(depth) {
        let Some(length) = lengths.of(id) else {
            let message = format!("document \"{}\" has no length", id_text(id));
            return Err(Error::input(Place::file(run.name()), message)
                .help("add it to the file of lengths"));
        };
        let grade = judged.get(id).copied().unwrap_or(0.0);
        let repeated = length.group.is_some_and(|group| !seen.insert(group));
        let gain = (grade.max(0.0).exp2() - 1.0) / top.exp2();
        all.push(ReadDocument { grade, gain, length: length.size, repeated });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Evaluation;
    use crate::warning::Warnings;

    /// A relevant document, another, and a relevant one that repeats the first in `again`.
    fn score(measure: &str, again: bool) -> f64 {
        let qrels = Qrels::from_columns(&["1", "1"], &["a", "c"], &[1.0, 1.0]).unwrap();
        let run = Run::from_columns(&["1", "1", "1"], &["a", "b", "c"], &[3.0, 2.0, 1.0]).unwrap();
        let mut lengths = Lengths::default();
        for (id, size) in [("a", 1000.0), ("b", 500.0), ("c", 100.0)] {
            let group = (id != "b" && again).then_some(b"same".as_slice());
            lengths.insert(id.as_bytes(), size, group);
        }
        let metrics: Vec<Metric> = vec!["P@1".parse().unwrap()];
        let scores =
            Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default()).unwrap();
        let effort = vec![Effort::parse(measure).unwrap().unwrap()];
        let extended =
            extend(&scores, (&qrels, &run), &effort, &lengths, &Policy::default()).unwrap();
        extended.value(0, 1).unwrap()
    }

    #[test]
    fn time_by_hand() {
        // a: 4.4 + 0.64 (7.8 + 18) = 20.912; b: 4.4 + 0.39 (7.8 + 9) = 10.952
        let later = 0.4928 * (-(20.912 + 10.952) / 224.0f64).exp2();
        assert!((score("TimeTBG", false) - (0.4928 + later)).abs() < 1e-12);
        assert!((score("TimeTBG", true) - 0.4928).abs() < 1e-12);
        assert!((score("TimeTBG@2", false) - 0.4928).abs() < 1e-12);
    }

    #[test]
    fn text_by_hand() {
        // a ends at 200 + 200, c at 400 + 200 + 200 + 20
        let expected = 0.5 * (1.0 - 400.0 / 1000.0) + 0.5 * (1.0 - 820.0 / 1000.0);
        assert!((score("TextU(L=1000)", false) - expected).abs() < 1e-12);
        assert!((score("TextU(L=1000)", true) - 0.3).abs() < 1e-12);
    }
}

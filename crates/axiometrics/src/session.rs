//! Sessions: the queries of one person, one after the other, scored together.
//!
//! A session is scored by what its queries score on their own: each of these measures is a weighted
//! sum, over the queries of a session, of a measure of the registry. So a formula for rankings is
//! written once, and [`of_sessions`] does the rest.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::Sessions;
use crate::error::{Error, Result};
use crate::measure::params::ParamKind;
use crate::measure::{
    Args, Cutoff, Def, Elsewhere, Measure, Metric, Own, Param, Score, Span, parse_list_with,
};
use crate::score::{MetricColumn, Scores};

/// A measure of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionMeasure {
    /// DCG of each query, later ones discounted.
    Dcg,
    /// The same over the best that the queries allow.
    Ndcg,
    /// RBP of a user who may also ask again.
    Rbp,
}

/// All of them, in the order of the list of measures.
pub const SESSION_MEASURES: [SessionMeasure; 3] =
    [SessionMeasure::Dcg, SessionMeasure::Ndcg, SessionMeasure::Rbp];

const BASE: Param = Param {
    name: Cow::Borrowed("bq"),
    kind: ParamKind::Open { min: 1.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("4")),
    doc: "the base of the logarithm by which later queries are discounted: the larger, the more patient the user",
};

const FORM: Param = Param {
    name: Cow::Borrowed("form"),
    kind: ParamKind::Word(&["jarvelin", "trec"]),
    default: Some(Cow::Borrowed("jarvelin")),
    doc: "how the m-th query is discounted: by 1 + log_bq(m), or as in TREC's session track by log_bq(m + bq - 1)",
};

const GAIN: Param = Param {
    name: Cow::Borrowed("dcg"),
    kind: ParamKind::Word(&["log2", "exp-log2"]),
    default: Some(Cow::Borrowed("log2")),
    doc: "the gain of a grade: itself, or 2^g - 1 (exp-log2)",
};

impl SessionMeasure {
    /// The measure of this name.
    pub fn named(name: &str) -> Option<SessionMeasure> {
        SESSION_MEASURES.into_iter().find(|measure| measure.names().contains(&name))
    }

    /// Other names for it: the field's.
    pub fn also(self) -> &'static [&'static str] {
        &self.names()[1..]
    }

    /// Its own name, then the field's.
    fn names(self) -> &'static [&'static str] {
        match self {
            SessionMeasure::Dcg => &["SessionDCG", "sDCG"],
            SessionMeasure::Ndcg => &["SessionNDCG", "nsDCG", "snDCG"],
            SessionMeasure::Rbp => &["SessionRBP", "sRBP"],
        }
    }

    /// The measures of single queries that it is made of.
    fn parts(self, args: &Args) -> Result<Vec<Metric>> {
        let cut = args.cutoff().map_or(String::new(), |k| format!("@{k}"));
        let texts = match self {
            SessionMeasure::Dcg => vec![format!("DCG(dcg={}){cut}", args.text("dcg"))],
            SessionMeasure::Ndcg => ["DCG", "IDCG"]
                .map(|name| format!("{name}(dcg={}){cut}", args.text("dcg")))
                .to_vec(),
            SessionMeasure::Rbp => {
                vec![format!("RBP(p={}){cut}", args.number("p") * args.number("b"))]
            }
        };
        texts.iter().map(|text| text.parse()).collect()
    }

    /// The weight of the m-th query, from 1 on.
    fn weight(self, args: &Args, m: usize) -> f64 {
        let m = m as f64;
        if self == SessionMeasure::Rbp {
            let (p, b) = (args.number("p"), args.number("b"));
            let asks_again = (p - b * p) / (1.0 - b * p);
            return (1.0 - p) / (1.0 - b * p) * asks_again.powf(m - 1.0);
        }
        let bq = args.number("bq");
        match args.text("form").as_str() {
            "trec" => 1.0 / (m + bq - 1.0).log(bq),
            _ => 1.0 / (1.0 + m.log(bq)),
        }
    }
}

impl Own for SessionMeasure {
    fn def(&self) -> Def<'_> {
        let def = |title| Def {
            family: "session",
            cutoff: Cutoff::Optional,
            undefined: "never",
            ..Def::own(self.names()[0], title)
        };
        match self {
            SessionMeasure::Dcg => Def {
                definition: "sDCG@k = sum over the queries m of a session of DCG@k / (1 + log_bq(m)). By hand, bq = 4: queries 1 0 and 0 1 give 1/(1 + 0) + (1/log2(3))/(1 + 1/2) = 1 + 0.4206 = 1.4206.",
                range: Span::Words("from 0 up"),
                user_model: "reads k documents for each query, and the more queries it took, the less the documents are worth",
                references: &[
                    "Järvelin, Price, Delcambre and Nielsen 2008, Discounted cumulated gain based evaluation of multiple-query IR sessions",
                    "Kanoulas, Carterette, Clough and Sanderson 2011, Evaluating multi-query sessions (form=trec)",
                ],
                differs: &[
                    "the i-th document of a query is discounted as in DCG, by log2(i + 1), where Järvelin et al. have 1 + log_b(i)",
                ],
                ..def("Session DCG")
            },
            SessionMeasure::Ndcg => Def {
                definition: "nsDCG@k = sDCG@k / sDCG@k of a session in which each query has its ideal ranking.",
                range: Span::UNIT,
                undefined: "no query of the session has a relevant document",
                user_model: "that of sDCG, compared with the best that the same queries allow",
                references: &[
                    "Järvelin, Price, Delcambre and Nielsen 2008, Discounted cumulated gain based evaluation of multiple-query IR sessions",
                    "Kanoulas, Carterette, Clough and Sanderson 2011, Evaluating multi-query sessions (form=trec)",
                ],
                differs: &[
                    "the ideal is that of each query by its own judgements; a document counts again when a later query finds it again",
                ],
                ..def("Normalised session DCG")
            },
            SessionMeasure::Rbp => Def {
                definition: "sRBP = (1 - p) * sum over the queries m of ((p - bp)/(1 - bp))^(m-1) * sum over i of (bp)^(i-1) r_i. By hand, p = 0.8, b = 0.5: queries 1 0 and 0 1 give 0.2 * (1 + (0.4/0.6) * 0.4) = 0.2533.",
                range: Span::UNIT,
                user_model: "leaves after each document with probability 1 - p; who stays reads the next document with probability b, and asks the next query otherwise",
                references: &[
                    "Lipani, Carterette and Yilmaz 2019, From a user model for query sessions to session rank biased precision (sRBP)",
                ],
                ..def("Session rank-biased precision")
            },
        }
    }

    fn params(&self) -> Arc<[Param]> {
        let unit = |name, default, doc| Param {
            name: Cow::Borrowed(name),
            kind: ParamKind::Open { min: 0.0, max: 1.0 },
            default: Some(Cow::Borrowed(default)),
            doc,
        };
        match self {
            SessionMeasure::Dcg | SessionMeasure::Ndcg => Arc::from([BASE, FORM, GAIN]),
            SessionMeasure::Rbp => Arc::from([
                unit("p", "0.8", "the probability that the user goes on after a document"),
                unit(
                    "b",
                    "0.9",
                    "the probability that whoever goes on reads the next document, and asks no other query",
                ),
            ]),
        }
    }

    fn build(self: Arc<Self>, args: &Args) -> Result<Arc<dyn Measure>> {
        self.parts(args)?;
        Ok(Arc::new(Elsewhere::new("it is of a session, not of a single query")))
    }
}

/// Reads a list of measures of sessions: `sDCG@10 sRBP(p=0.8,b=0.9)`.
pub fn parse_session_measures(text: &str) -> Result<Vec<Metric>> {
    let mut all: Vec<Metric> = Vec::new();
    for word in text.split_whitespace() {
        let end = word.find(['(', '@']).unwrap_or(word.len());
        let (head, rest) = word.split_at(end);
        let Some(measure) = SessionMeasure::named(head.trim_matches(',')) else {
            let names: Vec<&str> = SESSION_MEASURES.iter().map(|m| m.names()[1]).collect();
            return Err(Error::usage(format!("no measure of sessions is named {head}"))
                .help(format!("known are {}", names.join(", "))));
        };
        let spelled = format!("{}{rest}", measure.names()[0]);
        for metric in parse_list_with(&spelled, &mut |_| Ok(Arc::new(measure)))? {
            if !all.contains(&metric) {
                all.push(metric);
            }
        }
    }
    if all.is_empty() {
        return Err(Error::usage("found no measure of sessions, expected at least one")
            .help("write 'sDCG@10 sRBP'"));
    }
    Ok(all)
}

/// The measures of single queries that these are made of, each once.
pub fn of_queries(metrics: &[Metric]) -> Result<Vec<Metric>> {
    let mut all: Vec<Metric> = Vec::new();
    for metric in metrics {
        let Some(measure) = metric.own_as::<SessionMeasure>() else { continue };
        for part in measure.parts(metric.args())? {
            if !all.contains(&part) {
                all.push(part);
            }
        }
    }
    Ok(all)
}

/// The scores of sessions, from those of their queries by [`of_queries`]. A query without a score
/// adds nothing.
pub fn of_sessions(queries: &Scores, metrics: &[Metric], sessions: &Sessions) -> Result<Scores> {
    let columns: Vec<MetricColumn> = metrics.iter().map(MetricColumn::from).collect();
    let mut builder = Scores::builder_of(queries.name(), columns);
    for session in sessions.iter() {
        let mut row = Vec::with_capacity(metrics.len());
        for metric in metrics {
            let Some(measure) = metric.own_as::<SessionMeasure>() else { continue };
            let parts = measure.parts(metric.args())?;
            let sum = |part: &Metric| -> f64 {
                let column = queries.column_of(&part.to_string());
                let score = |topic: &[u8]| queries.value(queries.row_of(topic)?, column?);
                let weighted = (1..).zip(session.queries()).map(|(m, topic)| {
                    measure.weight(metric.args(), m) * score(topic).unwrap_or(0.0)
                });
                weighted.sum()
            };
            row.push(match parts.as_slice() {
                [gained, best] => match sum(best) {
                    0.0 => Score::Undefined("no query of the session has a relevant document"),
                    best => Score::Value(sum(gained) / best),
                },
                _ => Score::Value(parts.iter().map(sum).sum()),
            });
        }
        builder.push(session.name(), &row)?;
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Qrels, Run};
    use crate::score::Evaluation;
    use crate::warning::Warnings;

    /// Two queries: one finds a relevant document at once, the other at its second rank.
    fn scores(measures: &str) -> Scores {
        let metrics = parse_session_measures(measures).unwrap();
        let mut qrels = Qrels::builder();
        let mut run = Run::builder();
        for (topic, first) in [("1", 1.0), ("2", 0.0)] {
            qrels.push(topic, "a", first);
            qrels.push(topic, "b", 1.0 - first);
            run.push(topic, "a", 2.0);
            run.push(topic, "b", 1.0);
        }
        let (qrels, run) = (qrels.build().unwrap(), run.build().unwrap());
        let mut sessions = Sessions::default();
        for (session, topic) in [("s", "1"), ("s", "2"), ("t", "2"), ("t", "1")] {
            assert!(sessions.push(session.as_bytes(), topic.as_bytes()));
        }
        let parts = of_queries(&metrics).unwrap();
        let evaluation = Evaluation::new(&qrels, &parts);
        let queries = evaluation.score(&run, &mut Warnings::default()).unwrap();
        of_sessions(&queries, &metrics, &sessions).unwrap()
    }

    #[test]
    fn sessions_by_hand() {
        let third = 1.0 / 3f64.log2();
        for (measure, first, second) in [
            ("sDCG@10", 1.0 + third / 1.5, third + 1.0 / 1.5),
            // log_4(2 + 3)
            ("sDCG(form=trec)", 1.0 + third / 5f64.log(4.0), third + 1.0 / 5f64.log(4.0)),
            ("nsDCG@10", (1.0 + third / 1.5) / (1.0 + 1.0 / 1.5), 0.0),
            ("sRBP(p=0.8,b=0.5)", 0.2 * (1.0 + 0.4 / 0.6 * 0.4), 0.2 * (0.4 + 0.4 / 0.6)),
        ] {
            let scores = scores(measure);
            let of = |session: &str| {
                scores.get(session, &scores.columns()[0].name).unwrap().value().unwrap()
            };
            assert!((of("s") - first).abs() < 1e-12, "{measure}: {}", of("s"));
            if second > 0.0 {
                assert!((of("t") - second).abs() < 1e-12, "{measure}: {}", of("t"));
            }
        }
    }

    /// The weights of all documents of endlessly many queries add up to 1.
    #[test]
    fn everybody_ends_somewhere() {
        let metric = &parse_session_measures("sRBP(p=0.9,b=0.7)").unwrap()[0];
        let measure = metric.own_as::<SessionMeasure>().unwrap();
        let all: f64 = (1..500).map(|m| measure.weight(metric.args(), m)).sum();
        assert!((all - 1.0).abs() < 1e-12, "{all}");
    }

    #[test]
    fn unknown_names_get_the_known_ones() {
        let error = parse_session_measures("AP").unwrap_err();
        assert!(error.to_string().starts_with("no measure of sessions is named AP"));
        assert!(parse_session_measures("").is_err());
    }
}

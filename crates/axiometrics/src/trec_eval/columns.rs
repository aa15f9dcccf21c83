//! Lines of output: what is computed of each topic for a measure and its parameters, and how topics
//! are summarised.

use super::catalogue::{ELEVEN, INTERPOLATED_PRECISION};
use super::names::{ChosenMeasure, MeasureKind};
use super::number;
use super::refused::Refused;
use super::{Release, TrecSettings};
use crate::data::{Hit, Hits, Judged, Needs};
use crate::measure::preference::{PREFERENCES, PreferenceDef, PrefsCounts};
use crate::measure::{Aggregate, GEOMETRIC_FLOOR, Metric, interpolated};

/// One line of output.
#[derive(Debug)]
pub(super) struct TrecLine {
    pub(super) name: String,
    pub(super) what: LineContent,
}

/// What stands on a line.
#[derive(Debug)]
pub(super) enum LineContent {
    RunTag,
    Topics,
    /// So many grades, as text.
    Grades(usize),
    Number(Box<TrecColumn>, TrecSummary),
}

/// How the scores of topics become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrecSummary {
    /// Their mean.
    Mean,
    /// A sum of counts, which are printed without places.
    Sum,
    /// The scores are logarithms, and are not shown themselves.
    Geometric,
}

/// A score of one topic.
#[derive(Debug)]
pub(super) enum TrecColumn {
    Metric(Metric),
    /// The logarithm of a score.
    Logarithm(Metric),
    Mean(Vec<Metric>),
    /// The mean of interpolated precisions, whose levels of recall are rounded as trec_eval 9 does.
    Interpolated {
        rel: f64,
        recalls: Vec<f64>,
    },
    /// The first, and 0 if the second, a count, is 0.
    Where(Metric, Metric),
    /// Rank-biased precision with gains of its own.
    Rbp(Metric, GainsByGrade),
    /// The F measure of a precision and a recall, rounded as trec_eval rounds it.
    F {
        precision: Metric,
        recall: Metric,
        /// The square of beta.
        x: f64,
    },
    /// One less a score.
    Complement(Metric),
    Preference(&'static PreferenceDef),
    Zero,
}

impl TrecColumn {
    pub(super) fn needs(&self) -> Needs {
        match self {
            TrecColumn::Metric(m) | TrecColumn::Logarithm(m) | TrecColumn::Complement(m) => {
                m.needs()
            }
            TrecColumn::Mean(all) => {
                all.iter().fold(Needs::POSITIVE, |needs, m| needs.union(m.needs()))
            }
            TrecColumn::Interpolated { rel, .. } => Needs::for_threshold(*rel),
            TrecColumn::Where(m, count) => m.needs().union(count.needs()),
            TrecColumn::F { precision, recall, .. } => precision.needs().union(recall.needs()),
            TrecColumn::Rbp(m, gains) => {
                m.needs().union(if gains.0.is_empty() { Needs::POSITIVE } else { Needs::JUDGED })
            }
            TrecColumn::Preference(_) | TrecColumn::Zero => Needs::POSITIVE,
        }
    }

    /// The score of one topic; an undefined one counts as 0.
    pub(super) fn score(&self, topic: &Judged<'_>) -> f64 {
        let value = |m: &Metric| m.score(topic).value().unwrap_or(0.0);
        match self {
            TrecColumn::Metric(m) => value(m),
            TrecColumn::Logarithm(m) => value(m).max(GEOMETRIC_FLOOR).ln(),
            TrecColumn::Mean(all) => all.iter().map(value).sum::<f64>() / all.len() as f64,
            // It divides by the length of the ranking wherever no document is needed.
            TrecColumn::Interpolated { rel, recalls }
                if topic.retrieved == 0
                    && recalls.iter().any(|r| needed_by_nine(*r, topic.relevant(rel)) == 0) =>
            {
                f64::NAN
            }
            TrecColumn::Interpolated { rel, recalls } => {
                interpolated::mean(topic, *rel, recalls, needed_by_nine).value().unwrap_or(0.0)
            }
            TrecColumn::Where(_, count) if value(count) == 0.0 => 0.0,
            TrecColumn::Where(m, _) => value(m),
            TrecColumn::Rbp(m, gains) => gains.score(m, topic),
            TrecColumn::F { precision, recall, x } => match (value(precision), value(recall)) {
                (0.0, _) | (_, 0.0) => 0.0,
                (p, r) => (x + 1.0) * p * r / (x * p + r),
            },
            TrecColumn::Complement(m) => 1.0 - value(m),
            TrecColumn::Preference(_) | TrecColumn::Zero => 0.0,
        }
    }

    /// The score of a topic judged by preferences.
    pub(super) fn score_preferences(&self, counts: &PrefsCounts) -> f64 {
        match self {
            TrecColumn::Preference(def) => (def.score)(counts),
            _ => 0.0,
        }
    }

    /// The score of a topic that the run lacks: that of an empty ranking, but for the residual of
    /// RBP, which trec_eval calls 0 there.
    pub(super) fn score_missing(&self, empty: &Judged<'_>) -> f64 {
        match self {
            TrecColumn::Complement(_) => 0.0,
            _ => self.score(empty),
        }
    }
}

/// How many relevant documents make a level of recall by trec_eval 9.
fn needed_by_nine(recall: f64, relevant: u32) -> usize {
    (recall * f64::from(relevant) + 0.9) as usize
}

/// Gains by grade for rank-biased precision, as given. A grade that is not listed is its own gain;
/// unjudged documents have none.
#[derive(Debug)]
pub(super) struct GainsByGrade(Vec<(f64, f64)>);

impl GainsByGrade {
    fn of(&self, grade: f64) -> f64 {
        self.0.iter().find(|(listed, _)| *listed == grade).map_or(grade, |(_, gain)| *gain)
    }

    /// The gains of the topic's grades, from 0 to its highest, and those given are brought between
    /// 0 and 1 if one of them lies outside. Of the grades that are not listed only the highest
    /// matters.
    fn score(&self, metric: &Metric, topic: &Judged<'_>) -> f64 {
        let listed = |grade: f64| self.0.iter().any(|(known, _)| *known == grade);
        let highest = topic.grades.positive.first().copied().unwrap_or(0.0);
        let own = (0..=self.0.len())
            .map(|below| highest - below as f64)
            .find(|grade| !listed(*grade))
            .unwrap_or(0.0);
        let gains = self.0.iter().map(|(_, gain)| *gain).chain([own.max(0.0)]);
        let (low, high) =
            gains.fold((0.0f64, 0.0f64), |(low, high), gain| (low.min(gain), high.max(gain)));
        let (shift, scale) = if low < 0.0 || high > 1.0 { (low, high - low) } else { (0.0, 1.0) };
        let judged = topic.hits.iter().filter(|h| h.grade >= 0.0);
        let hits: Vec<Hit> =
            judged.map(|h| Hit { grade: (self.of(h.grade) - shift) / scale, ..*h }).collect();
        metric
            .score(&Judged { hits: Hits::new(&hits), max_grade: &1.0, ..*topic })
            .value()
            .unwrap_or(0.0)
    }
}

/// The lines of a measure.
pub(super) fn lines(
    chosen: &ChosenMeasure,
    settings: &TrecSettings,
) -> Result<Vec<TrecLine>, Refused> {
    let maker = ColumnMaker { name: chosen.measure.name, given: &chosen.given, settings };
    maker.lines(&chosen.measure.kind)
}

struct ColumnMaker<'a> {
    name: &'static str,
    given: &'a [String],
    settings: &'a TrecSettings,
}

impl ColumnMaker<'_> {
    fn lines(&self, kind: &MeasureKind) -> Result<Vec<TrecLine>, Refused> {
        let mean = |column| LineContent::Number(Box::new(column), TrecSummary::Mean);
        match kind {
            MeasureKind::RunTag => Ok(vec![self.plain(LineContent::RunTag)]),
            MeasureKind::Topics => Ok(vec![self.plain(LineContent::Topics)]),
            MeasureKind::Single(expression) => {
                Ok(vec![self.plain(mean(TrecColumn::Metric(self.metric(expression, "")?)))])
            }
            MeasureKind::Count(expression) => Ok(vec![self.plain(LineContent::Number(
                Box::new(TrecColumn::Metric(self.metric(expression, "")?)),
                TrecSummary::Sum,
            ))]),
            MeasureKind::Geometric(expression) => Ok(vec![self.plain(LineContent::Number(
                Box::new(TrecColumn::Logarithm(self.metric(expression, "")?)),
                TrecSummary::Geometric,
            ))]),
            MeasureKind::Group(inner) => self.lines(inner),
            MeasureKind::Cutoffs(expression, usual) => {
                let cutoffs = self.list(usual, number::whole)?;
                if cutoffs.first().is_some_and(|k| *k <= 0) {
                    return Err(self.wrong("a cutoff is not above 0"));
                }
                let line = |k: &i64| {
                    // No ranking is deeper than this.
                    let column = TrecColumn::Metric(
                        self.metric(expression, &(*k).min(i64::from(u32::MAX)).to_string())?,
                    );
                    Ok(TrecLine { name: format!("{}_{k}", self.name), what: mean(column) })
                };
                cutoffs.iter().map(line).collect()
            }
            MeasureKind::Levels(expression, usual, range) => {
                let line = |x: &f64| {
                    let reachable = x.max(*range.start());
                    let column = if range.contains(&reachable) {
                        self.levels(expression, &[reachable])?
                    } else {
                        TrecColumn::Zero
                    };
                    Ok(TrecLine { name: format!("{}_{x:.2}", self.name), what: mean(column) })
                };
                self.list(usual, number::real)?.iter().map(line).collect()
            }
            MeasureKind::MeanOfLevels(expression) => self.each(|params| {
                let levels = params.map_or(ELEVEN.to_vec(), reals);
                let levels: Vec<f64> = levels.iter().map(|x| x.clamp(0.0, 1.0)).collect();
                Ok(mean(self.levels(expression, &levels)?))
            }),
            MeasureKind::Grades => self.each(|params| {
                let length = params.map_or(10.0, |p| reals(p)[0]);
                Ok(LineContent::Grades(length as usize))
            }),
            MeasureKind::Gains(expression) => self
                .each(|params| Ok(mean(TrecColumn::Metric(self.with_gains(expression, params)?)))),
            MeasureKind::GainsOfRelevant(expression) => self.each(|params| {
                Ok(mean(TrecColumn::Where(
                    self.with_gains(expression, params)?,
                    self.metric("NumRel(rel={l})", "")?,
                )))
            }),
            MeasureKind::Rbp => self.each(|params| {
                let pairs = self.pairs(params)?;
                Ok(mean(TrecColumn::Rbp(
                    self.metric("RBP(p={x})", &persistence(&pairs).to_string())?,
                    GainsByGrade(self.gains(&pairs)?),
                )))
            }),
            MeasureKind::Residual => self.each(|params| {
                let p = persistence(&self.pairs(params)?);
                // Every judged document with full gain leaves just what the others could add.
                Ok(mean(TrecColumn::Complement(self.metric("RBP(p={x},rel=0)", &p.to_string())?)))
            }),
            MeasureKind::Utility => self.each(|params| {
                let worths = params.map_or(vec![1.0, -1.0, 0.0, 0.0], reals);
                let [a, b, c, d] = worths[..] else {
                    return Err(Refused::calculation(format!(
                        "Can't calculate measure 'utility': found {} weights, expected 4",
                        worths.len()
                    )));
                };
                let docs = if d == 0.0 {
                    String::new()
                } else {
                    format!(",docs={}", self.settings.collection.max(0))
                };
                Ok(mean(TrecColumn::Metric(
                    self.metric(&format!("Utility(a={a},b={b},c={c},d={d}{docs},rel={{l}})"), "")?,
                )))
            }),
            MeasureKind::SetF => self.each(|params| {
                let x = params.map_or(1.0, |p| reals(p)[0]);
                if x < 0.0 {
                    return Err(self.wrong("x, the square of beta, is below 0"));
                }
                Ok(mean(TrecColumn::F {
                    precision: self.metric("SetP(rel={l})", "")?,
                    recall: self.metric("SetR(rel={l})", "")?,
                    x,
                }))
            }),
            MeasureKind::Preference => {
                let def = PREFERENCES
                    .iter()
                    .find(|d| d.name == self.name)
                    .ok_or_else(|| self.wrong("it is unknown"))?;
                let summary = if def.aggregate == Aggregate::Sum {
                    TrecSummary::Sum
                } else {
                    TrecSummary::Mean
                };
                Ok(vec![
                    self.plain(LineContent::Number(Box::new(TrecColumn::Preference(def)), summary)),
                ])
            }
        }
    }

    /// The mean of a measure over levels.
    fn levels(&self, expression: &str, levels: &[f64]) -> Result<TrecColumn, Refused> {
        if expression == INTERPOLATED_PRECISION && self.settings.release == Release::Nine {
            let mut recalls = levels.to_vec();
            recalls.sort_by(f64::total_cmp);
            return Ok(TrecColumn::Interpolated {
                rel: self.settings.level.max(0) as f64,
                recalls,
            });
        }
        let metric = |x: &f64| self.metric(expression, &x.to_string());
        match levels {
            [x] => Ok(TrecColumn::Metric(metric(x)?)),
            _ => Ok(TrecColumn::Mean(levels.iter().map(metric).collect::<Result<_, _>>()?)),
        }
    }

    fn plain(&self, what: LineContent) -> TrecLine {
        TrecLine { name: self.name.to_string(), what }
    }

    /// A line for each time that the measure was given parameters, which become part of its name;
    /// one line if it was given none.
    fn each(
        &self,
        what: impl Fn(Option<&str>) -> Result<LineContent, Refused>,
    ) -> Result<Vec<TrecLine>, Refused> {
        if self.given.is_empty() {
            return Ok(vec![self.plain(what(None)?)]);
        }
        self.given
            .iter()
            .map(|params| {
                Ok(TrecLine { name: format!("{}_{params}", self.name), what: what(Some(params))? })
            })
            .collect()
    }

    /// All values given, in ascending order, or the usual ones.
    fn list<T: PartialOrd + Copy>(
        &self,
        usual: &[T],
        read: impl Fn(&str) -> T,
    ) -> Result<Vec<T>, Refused> {
        if self.given.is_empty() {
            return Ok(usual.to_vec());
        }
        let sorted = |mut values: Vec<T>| {
            values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            values
        };
        let mut all = Vec::new();
        for params in self.given {
            let values = sorted(params.split(',').map(&read).collect());
            if values.windows(2).any(|w| w[0] == w[1]) {
                return Err(self.wrong("a cutoff is given twice"));
            }
            all.extend(values);
        }
        let mut all = sorted(all);
        all.dedup();
        Ok(all)
    }

    /// Pairs of name and number.
    fn pairs<'p>(&self, params: Option<&'p str>) -> Result<Vec<(&'p str, f64)>, Refused> {
        let pair = |text: &'p str| {
            let (name, value) = text.split_once('=').filter(|(_, value)| !value.contains('='))?;
            Some((name, number::real(value)))
        };
        let pairs: Option<Vec<_>> =
            params.map_or(Some(Vec::new()), |p| p.split(',').map(pair).collect());
        pairs.ok_or_else(|| self.wrong("its parameters are not of the form name=value"))
    }

    /// The pairs whose name is a grade.
    fn gains(&self, pairs: &[(&str, f64)]) -> Result<Vec<(f64, f64)>, Refused> {
        let digits = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        let grade = |name: &str| {
            digits(name.strip_prefix(['+', '-']).unwrap_or(name)).then(|| number::whole(name))
        };
        let gains: Vec<(i64, f64)> =
            pairs.iter().filter_map(|(name, gain)| Some((grade(name)?, *gain))).collect();
        if gains.iter().any(|(grade, _)| *grade < 0) {
            return Err(self.wrong("a grade below 0 cannot have a gain"));
        }
        Ok(gains.into_iter().map(|(grade, gain)| (grade as f64, gain)).collect())
    }

    fn with_gains(&self, expression: &str, params: Option<&str>) -> Result<Metric, Refused> {
        let gains = self.gains(&self.pairs(params)?)?;
        if gains.is_empty() {
            return self.metric(expression, "");
        }
        let listed: Vec<String> =
            gains.iter().map(|(grade, gain)| format!("{grade}:{gain}")).collect();
        self.metric(&format!("{expression}(gains={{{}}})", listed.join(",")), "")
    }

    fn metric(&self, expression: &str, x: &str) -> Result<Metric, Refused> {
        // Unjudged documents are never relevant, so that there is nothing below grade 0 to count.
        let level = self.settings.level.max(0).to_string();
        // Each judgement group has its own unjudged documents, so that only the measure inside of
        // an average over groups can take them out.
        let condensed = if self.settings.judged_only { ",judged_only=true" } else { "" };
        let expression =
            expression.replace("{l}", &level).replace("{j}", condensed).replace("{x}", x);
        expression.parse().map_err(|e: crate::Error| {
            // What the measure is called inside is nobody's business here.
            let told = e.to_string();
            let about = told.strip_prefix(&format!("measure \"{expression}\": "));
            self.wrong(about.unwrap_or(&told))
        })
    }

    fn wrong(&self, why: &str) -> Refused {
        Refused::parameters(format!("Cannot initialize measure '{}': {why}", self.name))
    }
}

fn reals(params: &str) -> Vec<f64> {
    params.split(',').map(number::real).collect()
}

/// The probability of going on to the next document.
fn persistence(pairs: &[(&str, f64)]) -> f64 {
    pairs.iter().rev().find(|(name, _)| *name == "p").map_or(0.9, |(_, p)| *p)
}

//! One limit, and whether a run keeps it.

use serde::Serialize;

use super::scores::TopicScores;
use super::unjudged::{FavouredEnd, FindPossible, JudgedShares, PossibleScores};
use super::{FEWEST, GateSettings, MOST_CHANGED, POWER, TopicChanges};
use crate::choice::choices;
use crate::error::{Error, Result};
use crate::stats::{Interval, test_interval, topics_for_margin};

/// What is asked of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// The mean may drop by this much at most; 0: it may not be significantly worse.
    MaxDrop(f64),
    /// The mean is at least this.
    Min(f64),
}

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitVerdict {
    /// The limit is kept.
    Pass,
    /// The topics do not tell.
    Undecided,
    /// The limit is not kept.
    Fail,
}

choices! {
    LimitVerdict {
        Pass "pass",
        Undecided "undecided",
        Fail "fail",
    }
}

impl LimitVerdict {
    /// The worst of them.
    pub fn of_all(verdicts: impl Iterator<Item = LimitVerdict>) -> LimitVerdict {
        verdicts.max().unwrap_or(LimitVerdict::Pass)
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The bounds.
    Bounds,
    /// There are fewer than five topics.
    FewTopics,
    /// More than 5% of the topics are not the same on both sides.
    Changes,
    /// Unjudged documents could decide: there are not enough judgements to tell.
    Unjudged,
}

/// A limit held against the scores.
#[derive(Debug, Clone, Serialize)]
pub struct LimitCheck {
    /// The measure.
    pub measure: String,
    /// The spelling by which it was asked for, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What is asked of it.
    pub limit: Limit,
    /// What follows.
    pub verdict: LimitVerdict,
    /// What it rests on.
    pub reason: Reason,
    /// If unjudged documents could decide: what they could make of the mean difference, or of the
    /// mean if that is limited.
    pub possible: Option<f64>,
    /// If unjudged documents could decide: Judged@10 of both sides.
    pub judged: Option<JudgedShares>,
    /// How many topics the means are over.
    pub topics: usize,
    /// Topics without relevant documents, or with no score on either side: left out.
    pub left_out: usize,
    /// Topics with a score on one side alone: left out, and counted as changed.
    pub one_sided: Vec<String>,
    /// The mean of the baseline, if the limit asks about it.
    pub baseline_mean: Option<f64>,
    /// The mean of the run.
    pub mean: Option<f64>,
    /// The mean difference, or the distance of the mean from the least.
    pub difference: Option<f64>,
    /// The one-sided bounds of the difference, or of the mean. Their confidence as an interval is
    /// 1 - 2 alpha.
    pub bounds: Option<Interval>,
    /// If undecided: so many topics would decide with a power of 0.8 if there were no difference.
    pub topics_needed: Option<u64>,
    /// The topics that lost most.
    pub dropped: Vec<DroppedTopic>,
}

/// A topic that lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DroppedTopic {
    /// The topic.
    pub topic: String,
    /// The score of the baseline.
    pub baseline: f64,
    /// The score of the run.
    pub score: f64,
}

/// So many of the topics that lost most are named.
const NAMED: usize = 5;

/// What a limit is held against.
pub(super) struct GatedSides<'a> {
    pub(super) baseline: Option<&'a TopicScores>,
    pub(super) run: &'a TopicScores,
    pub(super) changes: &'a TopicChanges,
    pub(super) judged: JudgedShares,
    pub(super) possible: FindPossible<'a>,
}

pub(super) fn check(
    sides: &GatedSides<'_>,
    measure: &str,
    limit: Limit,
    settings: &GateSettings,
) -> Result<LimitCheck> {
    let GatedSides { run, changes, .. } = *sides;
    let (margin, is_drop) = match limit {
        Limit::MaxDrop(drop) => (-drop, true),
        Limit::Min(least) => (least, false),
    };
    let sample = match (limit, sides.baseline) {
        (Limit::MaxDrop(_), Some(baseline)) => {
            TopicSample::paired(baseline, run, measure, changes)?
        }
        (Limit::MaxDrop(_), None) => {
            return Err(Error::usage(format!("{measure}: a drop needs a baseline"))
                .help("name a baseline, or limit the mean"));
        }
        (Limit::Min(_), _) => TopicSample::alone(run, measure)?,
    };
    if !margin.is_finite() || is_drop && margin > 0.0 {
        return Err(Error::usage(format!("{measure}: {} is no limit", margin.abs()))
            .help("expected a number, and a drop of at least 0"));
    }
    let mut check = LimitCheck {
        measure: measure.to_string(),
        asked: None,
        limit,
        verdict: LimitVerdict::Undecided,
        reason: Reason::FewTopics,
        possible: None,
        judged: None,
        topics: sample.new.len(),
        left_out: sample.left_out,
        baseline_mean: mean(&sample.old).filter(|_| is_drop),
        mean: mean(&sample.new),
        difference: None,
        bounds: None,
        topics_needed: None,
        dropped: if is_drop { sample.dropped() } else { Vec::new() },
        one_sided: sample.one_sided.clone(),
    };
    check.difference = match (check.mean, check.baseline_mean, is_drop) {
        (Some(new), Some(old), true) => Some(new - old),
        (Some(new), _, false) => Some(new - margin),
        _ => None,
    };
    if check.topics < FEWEST {
        return Ok(check);
    }
    let bounds = sample.bounds(settings)?;
    check.verdict = limit.verdict(&bounds);
    check.reason = Reason::Bounds;
    let changed = changes.count() + check.one_sided.len();
    let too_many = changed as f64 > MOST_CHANGED * changes.topics as f64;
    if is_drop && too_many && !settings.allow_changes {
        (check.verdict, check.reason) = (LimitVerdict::Undecided, Reason::Changes);
    } else if check.verdict == LimitVerdict::Undecided {
        let distance = match limit {
            Limit::MaxDrop(margin) => margin,
            Limit::Min(_) => check.difference.unwrap_or(0.0).abs(),
        };
        check.topics_needed =
            topics_for_margin(&sample.differences(), distance, settings.alpha, POWER);
    } else if !settings.allow_unjudged
        && let Some(end) = sides.judged.in_doubt(check.verdict)
        && let Some(possible) = (sides.possible)(measure, limit)
    {
        let judged = sample.judged(&possible, end);
        if limit.verdict(&judged.bounds(settings)?) != check.verdict {
            (check.verdict, check.reason) = (LimitVerdict::Undecided, Reason::Unjudged);
            check.possible = mean(&judged.differences());
            check.judged = Some(sides.judged);
        }
    }
    check.bounds = Some(bounds);
    Ok(check)
}

impl Limit {
    /// What follows from the bounds of the difference, or of the mean.
    fn verdict(self, bounds: &Interval) -> LimitVerdict {
        let (margin, strict) = match self {
            Limit::MaxDrop(drop) => (-drop, drop == 0.0),
            Limit::Min(least) => (least, false),
        };
        match (bounds.lower > margin, bounds.upper < margin) {
            (_, true) => LimitVerdict::Fail,
            (true, false) => LimitVerdict::Pass,
            (false, false) if strict => LimitVerdict::Pass,
            (false, false) => LimitVerdict::Undecided,
        }
    }
}

/// The scores of the topics that count.
struct TopicSample {
    topics: Vec<String>,
    old: Vec<f64>,
    new: Vec<f64>,
    left_out: usize,
    one_sided: Vec<String>,
}

impl TopicSample {
    /// The topics of both sides that are still the same.
    fn paired(
        baseline: &TopicScores,
        run: &TopicScores,
        measure: &str,
        changes: &TopicChanges,
    ) -> Result<TopicSample> {
        let (before, now) = (scores(baseline, measure)?, scores(run, measure)?);
        let mut sample = TopicSample::empty();
        for (topic, new) in now {
            let Some(old) = before.get(topic) else { continue };
            if changes.judged_anew.binary_search(topic).is_ok() {
                continue;
            }
            match (old, new) {
                _ if is_without_relevant(run, measure, topic) => sample.left_out += 1,
                (Some(old), Some(new)) => sample.push(topic, *old, *new),
                (None, None) => sample.left_out += 1,
                _ => sample.one_sided.push(topic.clone()),
            }
        }
        Ok(sample)
    }

    /// The topics of the run, against zero.
    fn alone(run: &TopicScores, measure: &str) -> Result<TopicSample> {
        let mut sample = TopicSample::empty();
        for (topic, new) in scores(run, measure)? {
            match new {
                Some(new) if !is_without_relevant(run, measure, topic) => {
                    sample.push(topic, 0.0, *new);
                }
                _ => sample.left_out += 1,
            }
        }
        Ok(sample)
    }

    fn empty() -> TopicSample {
        TopicSample {
            topics: Vec::new(),
            old: Vec::new(),
            new: Vec::new(),
            left_out: 0,
            one_sided: Vec::new(),
        }
    }

    fn push(&mut self, topic: &str, old: f64, new: f64) {
        self.topics.push(topic.to_string());
        self.old.push(old);
        self.new.push(new);
    }

    /// The same topics with the differences at one end of what they could be.
    fn judged(&self, possible: &PossibleScores, end: FavouredEnd) -> TopicSample {
        let scores = self.topics.iter().zip(self.old.iter().zip(&self.new));
        let new = scores.map(|(topic, (old, new))| match possible.get(topic) {
            Some(range) => old + end.of(*range),
            None => *new,
        });
        TopicSample {
            topics: self.topics.clone(),
            old: self.old.clone(),
            new: new.collect(),
            left_out: self.left_out,
            one_sided: Vec::new(),
        }
    }

    /// The bounds of the mean difference.
    fn bounds(&self, settings: &GateSettings) -> Result<Interval> {
        let confidence = 1.0 - 2.0 * settings.alpha;
        test_interval(settings.test, &self.new, &self.old, confidence, &settings.options)
    }

    fn differences(&self) -> Vec<f64> {
        self.new.iter().zip(&self.old).map(|(new, old)| new - old).collect()
    }

    fn dropped(&self) -> Vec<DroppedTopic> {
        let mut order: Vec<usize> =
            (0..self.new.len()).filter(|i| self.new[*i] < self.old[*i]).collect();
        let loss = |i: usize| self.new[i] - self.old[i];
        order.sort_by(|a, b| loss(*a).total_cmp(&loss(*b)));
        let named = order.into_iter().take(NAMED).map(|i| DroppedTopic {
            topic: self.topics[i].clone(),
            baseline: self.old[i],
            score: self.new[i],
        });
        named.collect()
    }
}

fn scores<'a>(
    side: &'a TopicScores,
    measure: &str,
) -> Result<&'a std::collections::BTreeMap<String, Option<f64>>> {
    side.measures.get(measure).ok_or_else(|| {
        let known: Vec<&str> = side.measures.keys().map(String::as_str).collect();
        Error::usage(format!("{} has no scores by {measure}", side.name))
            .help(format!("it was scored by {}", known.join(", ")))
    })
}

fn is_without_relevant(run: &TopicScores, measure: &str, topic: &str) -> bool {
    run.without_relevant.get(measure).is_some_and(|topics| topics.contains(topic))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl LimitCheck {
    /// The measure as it was asked for.
    pub fn title(&self) -> &str {
        self.asked.as_deref().unwrap_or(&self.measure)
    }

    /// Why there are not enough judgements, and what they could change.
    fn in_doubt(&self) -> String {
        let shares = self.judged.unwrap_or_default();
        let share = |share: Option<f64>, whose: &str| {
            share.map_or(String::new(), |share| format!("{share:.2} for {whose}"))
        };
        let shares = match shares.baseline {
            Some(_) => {
                format!(
                    "{}, {}",
                    share(shares.run, "the run"),
                    share(shares.baseline, "the baseline")
                )
            }
            None => share(shares.run, "the run"),
        };
        let of = if self.baseline_mean.is_some() { "difference" } else { "mean" };
        let possible = self.possible.map_or(String::new(), |mean| {
            let mean = if self.baseline_mean.is_some() {
                format!("{mean:+.4}")
            } else {
                format!("{mean:.4}")
            };
            format!("; judging its unjudged documents could make the {of} {mean}")
        });
        format!("not enough judgements to tell: Judged@10 is {shares}{possible}")
    }

    /// The verdict in a sentence, with the numbers that it rests on.
    pub fn sentence(&self, alpha: f64) -> String {
        let topics = match self.topics {
            1 => "1 topic".to_string(),
            n => format!("{n} topics"),
        };
        let numbers = match (self.limit, self.baseline_mean, self.mean, self.difference) {
            (Limit::MaxDrop(_), Some(old), Some(new), Some(difference)) => {
                format!("{old:.4} became {new:.4} ({difference:+.4}) on {topics}")
            }
            (Limit::Min(_), _, Some(new), _) => format!("{new:.4} on {topics}"),
            _ => "no topic has a score".to_string(),
        };
        let measure = self.title();
        match self.reason {
            Reason::FewTopics => {
                return format!("{measure}: {numbers}; fewer than {FEWEST} topics decide nothing");
            }
            Reason::Changes => {
                let share = 100.0 * MOST_CHANGED;
                return format!(
                    "{measure}: {numbers}; undecided, because more than {share}% of the topics are \
                     not the same on both sides"
                );
            }
            Reason::Unjudged => return format!("{measure}: {numbers}; {}", self.in_doubt()),
            Reason::Bounds => {}
        }
        let (lower, upper) =
            self.bounds.as_ref().map_or((f64::NAN, f64::NAN), |b| (b.lower, b.upper));
        let confidence = ((1.0 - alpha) * 1e4).round() / 1e2;
        let at_least = format!("at least {lower:+.4} with {confidence}% confidence");
        let at_most = format!("at most {upper:+.4} with {confidence}% confidence");
        let told = match (self.limit, self.verdict) {
            (Limit::MaxDrop(0.0), LimitVerdict::Fail) => {
                format!("the difference is {at_most}: significantly worse")
            }
            (Limit::MaxDrop(0.0), _) => {
                format!("the difference may be up to {upper:+.4}: not significantly worse")
            }
            (Limit::MaxDrop(drop), LimitVerdict::Pass) => {
                format!("the difference is {at_least}: no drop by more than {drop}")
            }
            (Limit::MaxDrop(drop), LimitVerdict::Fail) => {
                format!("the difference is {at_most}: a drop by more than {drop}")
            }
            (Limit::MaxDrop(drop), LimitVerdict::Undecided) => format!(
                "the difference is between {lower:+.4} and {upper:+.4}: a drop by more than {drop} \
                 can neither be shown nor be ruled out"
            ),
            (Limit::Min(least), LimitVerdict::Pass) => {
                format!(
                    "the mean is at least {lower:.4} with {confidence}% confidence, above {least}"
                )
            }
            (Limit::Min(least), LimitVerdict::Fail) => {
                format!(
                    "the mean is at most {upper:.4} with {confidence}% confidence, below {least}"
                )
            }
            (Limit::Min(least), LimitVerdict::Undecided) => format!(
                "the mean is between {lower:.4} and {upper:.4}: whether it is above {least} cannot \
                 be told"
            ),
        };
        let needed = match (self.topics_needed, self.limit) {
            (Some(n), Limit::MaxDrop(_)) if n <= self.topics as u64 => {
                "; these topics would tell if nothing had changed in truth, so the true difference \
                 is likely near the limit"
                    .to_string()
            }
            (Some(n), Limit::MaxDrop(_)) => {
                format!("; about {n} topics would tell, if nothing has changed in truth")
            }
            (Some(n), Limit::Min(_)) => {
                format!("; about {n} topics would tell, if the true mean is that of these topics")
            }
            (None, _) => String::new(),
        };
        format!("{measure}: {numbers}; {told}{needed}")
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::MaxDrop(0.0) => f.write_str("not worse"),
            Limit::MaxDrop(drop) => write!(f, "drop <= {drop}"),
            Limit::Min(least) => write!(f, "mean >= {least}"),
        }
    }
}

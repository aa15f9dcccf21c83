//! Systems that order documents in part, scored by metrics from files.
//!
//! Owns: how a partial order takes the place of a ranking. A ranking that agrees with the order
//! brings system and judgements together, as for every run; then positions are those of the order.

use super::evaluate::Evaluation;
use super::scores::{MetricColumn, Scores, WeighedScore};
use crate::align::Aligner;
use crate::component::Component;
use crate::data::preferences::{Group, TopicPreferences};
use crate::data::{Judged, Needs, Preferences, Run, id_text};
use crate::error::{Error, Place, Result};
use crate::expression::{Docs, Measurement, Scale};
use crate::measure::{Metric, Score};
use crate::policy::Missing;
use crate::remedy::Remedy;
use crate::warning::{WarningKind, Warnings};

/// The order of one topic: its documents in a ranking that agrees with it.
struct Order<'p> {
    group: &'p Group,
    /// The members of the group, those above others first.
    ranking: Vec<usize>,
}

impl<'p> Order<'p> {
    fn of(topic: &'p TopicPreferences, file: &str) -> Result<Order<'p>> {
        let [group] = topic.groups() else {
            let message = format!(
                "topic {} has {} groups, expected one: a system has one order",
                id_text(topic.id()),
                topic.groups().len()
            );
            return Err(Error::input(Place::file(file), message)
                .help("give the statements of one system one group, the second column"));
        };
        let mut ranking: Vec<(usize, usize)> = (0..group.len())
            .map(|member| ((0..group.len()).filter(|&x| group.prefers(x, member)).count(), member))
            .collect();
        ranking.sort_unstable();
        Ok(Order { group, ranking: ranking.into_iter().map(|(_, member)| member).collect() })
    }

    /// Whether the document at a rank is above that at another.
    fn above(&self, one: u32, other: u32) -> bool {
        let member = |rank: u32| self.ranking[rank as usize - 1];
        self.group.prefers(member(one), member(other))
    }

    fn len(&self) -> u32 {
        self.ranking.len() as u32
    }
}

impl Evaluation<'_> {
    /// The scores of a system that orders the documents of each topic in part: a document is at the
    /// position that comes after all those above it. The metrics are from files whose scale for
    /// systems is a partial order.
    pub fn orders(
        &self,
        file: &str,
        system: &Preferences,
        warnings: &mut Warnings,
    ) -> Result<Scores> {
        for metric in self.metrics {
            let partial = Component::of(metric).is_some_and(|c| c.sigma().scale == Scale::Partial);
            if !partial {
                let message = format!("{metric} does not take a partial order for a system");
                return Err(Error::usage(message)
                    .help("write a metric's file with scale = \"partial\" under [sigma]"));
            }
        }
        let mut run = Run::builder().named(file);
        let mut orders = Vec::with_capacity(system.topics().len());
        for topic in system.topics() {
            let order = Order::of(topic, file)?;
            for (rank, &member) in (1..).zip(&order.ranking) {
                let document = order.group.members[member].document as usize;
                run.push(topic.id(), &topic.documents()[document], -f64::from(rank));
            }
            orders.push((self.qrels.find(topic.id()), order));
        }
        let row = |topic: u32, judged: &Judged<'_>, row: &mut Vec<f64>| {
            let order = orders.iter().find(|(number, _)| *number == Some(topic));
            for metric in self.metrics {
                let (score, weight) = of_order(metric, judged, order.map(|(_, order)| order));
                row.extend([score.value().unwrap_or(f64::NAN), weight.unwrap_or(f64::NAN)]);
            }
        };
        let needs = self.metrics.iter().fold(Needs::JUDGED, |all, m| all.union(m.needs()));
        let policy = crate::align::Policy { needs, ..self.policy };
        let mut evaluation = self.with_work(self.work.clone());
        evaluation.policy = policy;
        let known = evaluation.rows_of(&run.build()?, &row)?;
        if known.topics.is_empty() {
            return Err(Error::input(Place::file(file), "no topic in common with the judgements")
                .help("check that both files name their topics alike"));
        }
        self.table(file, &known.topics, &known.values, (known.unjudged, policy, &row), warnings)
    }

    /// The scores of all topics, those that the system lacks by the policy for missing topics.
    fn table(
        &self,
        file: &str,
        topics: &[u32],
        values: &[f64],
        (unjudged, policy, row): (usize, crate::align::Policy, &super::evaluate::TopicNumbers<'_>),
        warnings: &mut Warnings,
    ) -> Result<Scores> {
        let columns = self.metrics.iter().map(MetricColumn::from).collect();
        let mut table = Scores::builder_of(file, columns);
        let mut aligner = Aligner::new(self.qrels, policy);
        let mut missing = Vec::new();
        for topic in self.qrels.topics() {
            let width = 2 * self.metrics.len();
            let mut empty = Vec::new();
            let own = match topics.iter().position(|known| known == topic) {
                Some(at) => &values[at * width..(at + 1) * width],
                None => {
                    missing.push(self.qrels.topic_name(*topic));
                    if self.missing == Missing::Skip {
                        continue;
                    }
                    row(*topic, &aligner.empty(*topic), &mut empty);
                    &empty
                }
            };
            let scores: Vec<WeighedScore> = own
                .chunks_exact(2)
                .map(|pair| {
                    let score = if pair[0].is_nan() {
                        Score::Undefined("the metric has no value for this order")
                    } else {
                        Score::Value(pair[0])
                    };
                    (score, Some(pair[1]).filter(|weight| !weight.is_nan()))
                })
                .collect();
            table.push_weighed(self.qrels.topic_bytes(*topic), &scores)?;
        }
        if let Some(first) = missing.first() {
            let (count, all) = (missing.len(), self.qrels.len());
            if self.missing == Missing::Error {
                let message = format!(
                    "{count} judged topics are missing from the system, among them topic {first}"
                );
                return Err(Error::input(Place::file(file), message).help(Remedy::missing()));
            }
            let covered = all - count;
            let example =
                format!("the system covers {covered} of {all} judged topics, not topic {first}");
            warnings.add_example(WarningKind::MissingTopic, count as u64, file, &example);
        }
        let mut scores = table.build()?;
        (scores.missing, scores.unjudged) = (missing.len(), unjudged);
        Ok(scores)
    }
}

/// The score of a topic, and its weight, if the order takes the place of the ranking.
fn of_order(metric: &Metric, judged: &Judged<'_>, order: Option<&Order<'_>>) -> WeighedScore {
    let Some(component) = Component::of(metric) else {
        return (Score::Undefined("the metric is not from a file"), None);
    };
    let topic = judged.narrowed(Needs { judged: true, ..metric.needs() });
    match Docs::of_topic(&topic, component.alpha(), &Measurement::ranking(), true) {
        Err(why) => (Score::Undefined(why), None),
        Ok(mut docs) => {
            if let Some(order) = order {
                docs.reorder(order.len(), |one, other| order.above(one, other));
            }
            let measure = component.measure(metric.args());
            (measure.score_docs(&mut docs), measure.weight(&mut docs))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Qrels;
    use crate::policy::Undefined;

    /// The share of the assessor's preferences that the system has too.
    const AGREED: &str = "score = \"sum(d in D : count(x in D where prefers(x, d) and ranks(x, d))) / sum(d in D : count(x in D where prefers(x, d)))\"\n[sigma]\nscale = \"partial\"\n";

    fn scores(file: &str, system: &str) -> Result<Scores> {
        let qrels = Qrels::from_columns(
            &["1", "1", "1", "1", "2"],
            &["a", "b", "c", "d", "a"],
            &[2.0, 1.0, 1.0, 0.0, 1.0],
        )?;
        let metrics = [Metric::own(Component::parse("f.toml", file)?)?];
        let system = crate::io::preferences::read(system.as_bytes(), "s")?;
        Evaluation::new(&qrels, &metrics).orders("s", &system, &mut Warnings::default())
    }

    #[test]
    fn what_is_incomparable_stays_so() {
        // a above b and above d, nothing is said of c: of a>b a>c a>d b>d c>d two are there; c is
        // retrieved, so above nothing but what is not.
        let system = "1 g x a 2\n1 g x b 1\n1 g y a 2\n1 g y d 1\n1 g z c 1\n";
        let found = scores(AGREED, system).unwrap();
        assert_eq!(found.get("1", "f.toml"), Some(Score::Value(2.0 / 5.0)));
        // Topic 2 is missing: one document, which is above nothing.
        assert_eq!(found.missing, 1);
        assert_eq!(found.summary("f.toml", Undefined::Skip).unwrap(), Some(2.0 / 5.0));
        let positions = "score = \"sum(d in D : pos(d))\"\n[sigma]\nscale = \"partial\"\n";
        // a 1, c 1, b 2, d 2.
        assert_eq!(scores(positions, system).unwrap().get("1", "f.toml"), Some(Score::Value(6.0)));
    }

    #[test]
    fn a_chain_is_a_ranking() {
        let system = "1 g x b 4\n1 g x a 3\n1 g x d 2\n1 g x c 1\n2 g x a 1\n";
        // a>c a>d b>d are kept, a>b and c>d are not.
        let found = scores(AGREED, system).unwrap();
        assert_eq!(found.get("1", "f.toml"), Some(Score::Value(3.0 / 5.0)));
    }

    #[test]
    fn a_system_has_one_order_and_its_metric_takes_it() {
        let two = scores(AGREED, "1 g x a 1\n1 h x a 1\n").unwrap_err().to_string();
        assert!(two.contains("topic 1 has 2 groups"), "{two}");
        let strict = scores("score = \"R\"", "1 g x a 1\n").unwrap_err().to_string();
        assert!(strict.contains("f.toml does not take a partial order"), "{strict}");
    }
}

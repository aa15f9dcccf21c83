//! Systems that order documents in part, scored by metrics from files.
//!
//! Owns: how a partial order takes the place of a ranking. A ranking that agrees with the order
//! brings system and judgements together, as for every run; then positions are those of the order.

use std::collections::HashMap;

use super::evaluate::Evaluation;
use super::scores::{Scores, WeightedScore};
use crate::align::Policy;
use crate::component::Component;
use crate::data::preferences::{Group, TopicPreferences};
use crate::data::{Judged, Needs, Preferences, Run, id_text};
use crate::error::{Error, Place, Result};
use crate::expression::{Docs, Measurement, Scale};
use crate::measure::{Metric, Score};
use crate::warning::Warnings;

/// The order of one topic: its documents in a ranking that agrees with it.
struct TopicOrder<'p> {
    group: &'p Group,
    /// The members of the group, those above others first.
    ranking: Vec<usize>,
}

impl<'p> TopicOrder<'p> {
    fn of(topic: &'p TopicPreferences, file: &str) -> Result<TopicOrder<'p>> {
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
        Ok(TopicOrder { group, ranking: ranking.into_iter().map(|(_, member)| member).collect() })
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
        let mut orders = HashMap::with_capacity(system.topics().len());
        for topic in system.topics() {
            let order = TopicOrder::of(topic, file)?;
            for (rank, &member) in (1..).zip(&order.ranking) {
                let document = order.group.members[member].document as usize;
                run.push(topic.id(), &topic.documents()[document], -f64::from(rank));
            }
            if let Some(number) = self.qrels.find(topic.id()) {
                orders.insert(number, order);
            }
        }
        let scorer = |topic: u32, metric: &Metric, judged: &Judged<'_>| {
            of_order(metric, judged, orders.get(&topic))
        };
        let needs = self.policy.needs.union(Needs::JUDGED);
        let mut evaluation = self.with_work(self.work.clone());
        evaluation.policy = Policy { needs, ..self.policy };
        evaluation.ranges = None;
        evaluation.scorer = Some(&scorer);
        evaluation.score(&run.build()?, warnings)
    }
}

/// The score of a topic, and its weight, if the order takes the place of the ranking.
fn of_order(metric: &Metric, judged: &Judged<'_>, order: Option<&TopicOrder<'_>>) -> WeightedScore {
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
    use crate::policy::{Missing, Undefined};

    /// The share of the assessor's preferences that the system has too.
    const AGREED: &str = "score = \"sum(d in D : count(x in D where prefers(x, d) and ranks(x, d))) / sum(d in D : count(x in D where prefers(x, d)))\"\n[sigma]\nscale = \"partial\"\n";

    fn scores(file: &str, system: &str) -> Result<Scores> {
        scores_under(file, system, |_| ())
    }

    fn scores_under(
        file: &str,
        system: &str,
        choose: impl Fn(&mut Evaluation<'_>),
    ) -> Result<Scores> {
        let qrels = Qrels::from_columns(
            &["1", "1", "1", "1", "2"],
            &["a", "b", "c", "d", "a"],
            &[2.0, 1.0, 1.0, 0.0, 1.0],
        )?;
        let metrics = [Metric::own(Component::parse("f.toml", file)?)?];
        let system = crate::io::preferences::read(system.as_bytes(), "s")?;
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        choose(&mut evaluation);
        evaluation.orders("s", &system, &mut Warnings::default())
    }

    #[test]
    fn policies_are_those_of_runs() {
        let system = "1 g x a 2\n1 g x b 1\n";
        let missing = |missing: Missing| scores_under(AGREED, system, |e| e.missing = missing);
        assert_eq!(missing(Missing::Skip).unwrap().len(), 1);
        let error = missing(Missing::Error).unwrap_err().to_string();
        assert!(error.contains("1 judged topics are missing"), "{error}");
        // Topic 2 has no pair, and so no score.
        let error = scores_under(AGREED, system, |e| e.undefined = Undefined::Error).unwrap_err();
        assert!(error.to_string().contains("topic 2"), "{error}");
        let none = scores(AGREED, "3 g x a 1\n").unwrap_err().to_string();
        assert!(none.contains("no topic in common"), "{none}");
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

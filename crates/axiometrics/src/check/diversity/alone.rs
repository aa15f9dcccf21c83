//! A measure of diversity with a single subtopic, so that it is a measure of rankings.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::data::{FacetRow, Facets, Judged, Needs};
use crate::error::Result;
use crate::measure::params::Param;
use crate::measure::{Args, Declaration, Def, Exact, Measure, Metric, Number, Own, Score};

/// A registered measure of diversity, on topics with one subtopic.
struct Alone {
    def: &'static Def<'static>,
}

/// The measure with its parameters, seen so; `None` if it is not a registered one.
pub(super) fn alone(metric: &Metric) -> Option<Metric> {
    let own = Arc::new(Alone { def: metric.registered()? });
    Metric::own_with(own, metric.args().clone()).ok()
}

impl Own for Alone {
    fn def(&self) -> Def<'_> {
        *self.def
    }

    /// None of its own: it is always made with the parameters of the measure.
    fn params(&self) -> Arc<[Param]> {
        Arc::new([])
    }

    fn build(self: Arc<Self>, args: &Args) -> Result<Arc<dyn Measure>> {
        Ok(Arc::new(OneSubtopic(Metric::new(self.def, args.clone())?)))
    }
}

struct OneSubtopic(Metric);

impl OneSubtopic {
    /// The judgements with their subtopic: documents that were retrieved, then those that were not.
    fn rows<N: Number>(topic: &Judged<'_, N>) -> Vec<FacetRow> {
        let row =
            |doc: u32, grade: &N| FacetRow { doc, id_rank: doc, facet: 0, grade: grade.to_f64() };
        let useful = || topic.hits.iter().filter(|h| h.grade > N::zero());
        let mut rows: Vec<FacetRow> = useful().map(|h| row(h.doc, &h.grade)).collect();
        let mut seen: Vec<&N> = useful().map(|h| &h.grade).collect();
        seen.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        let mut seen = seen.into_iter().peekable();
        // The grades of the collection are sorted alike, so those that were seen come up in turn.
        let left = topic.grades.positive.iter().filter(|g| seen.next_if(|s| s == g).is_none());
        let next = topic.hits.iter().map(|h| h.doc + 1).max().unwrap_or(0);
        rows.extend((next..).zip(left).map(|(doc, grade)| row(doc, grade)));
        rows.sort_by_key(|r| r.doc);
        rows
    }
}

impl Measure for OneSubtopic {
    fn declaration(&self) -> Declaration<'_> {
        Declaration { aggregate: self.0.aggregate(), ..Declaration::new(Needs::POSITIVE) }
    }

    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64> {
        let rows = OneSubtopic::rows(topic);
        self.0.score(&Judged { facets: Facets { rows: &rows, count: 1, weights: &[] }, ..*topic })
    }

    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        let rows = OneSubtopic::rows(topic);
        let facets = Facets { rows: &rows, count: 1, weights: &[] };
        self.0.score_exact(&Judged { facets, ..*topic })
    }
}

//! Plans of judgements, in every format.

use serde::Serialize;

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::plan::{Depth, JudgePlan, PoolTrend, RelevantPlan, TopicPlan};

/// How deep to judge.
#[derive(Debug, Clone)]
pub struct DepthReport {
    /// A plan for each measure.
    pub plans: Vec<MeasureDepth>,
}

/// How deep to judge for one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureDepth {
    /// The depth.
    #[serde(flatten)]
    pub depth: Depth,
    /// Judgements of a pool of that depth, if systems share nothing.
    pub most: Option<u64>,
    /// The same as these runs overlap.
    pub pool: Option<usize>,
}

/// The first plan, and all of them.
#[derive(Serialize)]
struct DepthDocument<'a> {
    #[serde(flatten)]
    first: Option<&'a MeasureDepth>,
    plans: &'a [MeasureDepth],
}

impl Report for DepthReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.caption = Some("Depth of judging for a residual".to_string());
        table.footnotes.push(
            "reached: what documents below the depth can add at most to the score of a ranking \
             judged to that depth, p^k for RBP(p)"
                .to_string(),
        );
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("measure"),
            Column::number("residual").exact(),
            Column::number("depth").exact(),
            Column::number("reached"),
            Column::number("judgements at most").keyed("most").exact(),
            Column::number("with overlap").keyed("pool").exact(),
        ]);
        for MeasureDepth { depth, most, pool } in &self.plans {
            table.push(vec![
                Cell::text(&depth.measure),
                Cell::number(depth.residual),
                Cell::number(f64::from(depth.depth)),
                Cell::number(depth.reached),
                Cell::number(most.map(|n| n as f64)),
                Cell::number(pool.map(|n| n as f64)),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        DepthDocument { first: self.plans.first(), plans: &self.plans }
    }
}

/// How many topics a difference needs.
#[derive(Debug, Clone, Serialize)]
pub struct TopicsReport {
    /// A plan for each measure.
    pub plans: Vec<MeasurePlan>,
}

/// How many topics a difference by one measure needs.
#[derive(Debug, Clone, Serialize)]
pub struct MeasurePlan {
    /// The measure; `None` if the standard deviation was given instead of runs.
    pub measure: Option<String>,
    /// The plan.
    #[serde(flatten)]
    pub plan: TopicPlan,
}

impl Report for TopicsReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.caption = Some("Topics needed to find a difference".to_string());
        if let Some(MeasurePlan { plan, .. }) = self.plans.first() {
            table.footnotes.push(format!(
                "Two-sided paired t-test, alpha {}, power of at least {} by the noncentral t",
                plan.design.alpha, plan.target
            ));
        }
        if self.plans.iter().any(|plan| plan.measure.is_some()) {
            table.footnotes.push(
                "sd: of the difference of two of the runs over topics, the root of twice the \
                 residual variance of a two-way analysis"
                    .to_string(),
            );
        }
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("measure"),
            Column::number("difference"),
            Column::number("sd"),
            Column::number("topics").exact(),
            Column::number("power"),
        ]);
        for MeasurePlan { measure, plan } in &self.plans {
            table.push(vec![
                Cell::text(measure.as_deref().unwrap_or("any")),
                Cell::number(plan.design.difference),
                Cell::number(plan.design.standard_deviation),
                Cell::number(plan.topics as f64),
                Cell::number(plan.power),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}

/// Which documents to judge next.
impl Report for JudgePlan {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.caption = Some("Documents to judge next".to_string());
        let (planned, unjudged) = (self.documents.len(), self.unjudged);
        let (measure, open, left_open) = (&self.measure, self.open, self.left_open);
        table.footnotes.push(if self.additive {
            format!(
                "{planned} of {unjudged} unjudged documents. The mean range of {measure} over runs \
                 and topics is {open:.4} wide, and {left_open:.4} once these are judged"
            )
        } else {
            format!(
                "{planned} of {unjudged} unjudged documents. A weight is what the document alone \
                 would add to {measure}, whose user answers to what is found: weights do not add up"
            )
        });
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("topic"),
            Column::text("document"),
            Column::number("weight"),
            Column::number("runs").exact(),
        ]);
        for candidate in &self.documents {
            table.push(vec![
                Cell::text(&candidate.topic),
                Cell::text(&candidate.document),
                Cell::number(candidate.weight),
                Cell::number(candidate.runs as f64),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}

/// How many relevant documents there are.
impl Report for RelevantPlan {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.caption = Some("Relevant documents, known and estimated".to_string());
        let known: usize = self.topics.iter().map(|topic| topic.known).sum();
        let estimate: f64 = self.topics.iter().map(|topic| topic.estimate).sum();
        table.footnotes.push(format!(
            "{known} are known over all topics; by what the runs share there are at least \
             {estimate:.1} (Chao: found + once (once - 1) / (2 (twice + 1)))"
        ));
        table.footnotes.push(match &self.trend {
            Some(PoolTrend { depth, found, scale, slope, deeper, more }) => format!(
                "Down to rank {depth} the runs have {found}, new ones at rank i like {scale:.4} * \
                 i^{slope:.4}: a pool down to rank {deeper} would find {more:.1} more (after Zobel 1998)"
            ),
            None => "too few ranks were judged to tell what deeper pools would find".to_string(),
        });
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("topic"),
            Column::number("known").exact(),
            Column::number("once").exact(),
            Column::number("twice").exact(),
            Column::number("estimate"),
        ]);
        for topic in &self.topics {
            table.push(vec![
                Cell::text(&topic.topic),
                Cell::number(topic.known as f64),
                Cell::number(topic.once as f64),
                Cell::number(topic.twice as f64),
                Cell::number(topic.estimate),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}

//! Findings: counted by kind, a few of each kept.

use serde::Serialize;

use crate::choice::choices;
use crate::policy;
use crate::remedy::{Remedy, Setting};

/// What is looked for. The order is that of the report: what a reader refuses comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ValidationCheck {
    /// A line that cannot be read.
    MalformedLine,
    /// A score or grade that is not a number.
    NotANumber,
    /// A document that is twice in a topic.
    DuplicateDocument,
    /// Documents judged more than once, under different subtopics or groups.
    JudgedByFacet,
    /// A grade that is negative or above the maximum.
    GradeOutOfRange,
    /// A judged topic without a relevant document.
    NoRelevantDocument,
    /// A score that is infinite.
    InfiniteScore,
    /// Ranks that contradict the scores.
    RankContradictsScore,
    /// Documents with equal scores.
    Ties,
    /// A judged topic that the run lacks.
    MissingTopic,
    /// A topic of the run without judgements.
    UnjudgedTopic,
    /// A topic with mostly unjudged documents in the top ten.
    UnjudgedTop,
    /// A ranking with fewer documents than the usual cutoff.
    ShortRanking,
}

choices! {
    ValidationCheck {
        MalformedLine "malformed-line",
        NotANumber "not-a-number",
        DuplicateDocument "duplicate-document",
        JudgedByFacet "judged-by-facet",
        GradeOutOfRange "grade-out-of-range",
        NoRelevantDocument "no-relevant-document",
        InfiniteScore "infinite-score",
        RankContradictsScore "rank-contradicts-score",
        Ties "ties",
        MissingTopic "missing-topic",
        UnjudgedTopic "unjudged-topic",
        UnjudgedTop "unjudged-top",
        ShortRanking "short-ranking",
    }
}

impl ValidationCheck {
    /// What to do about it.
    pub fn remedy(self) -> Remedy {
        use Setting::{Lenient, Missing, Named, Ties, Word};
        match self {
            ValidationCheck::MalformedLine | ValidationCheck::NotANumber => {
                Remedy::from("correct the line; ")
                    .call_with("eval", Lenient)
                    .text(" leaves such lines out")
            }
            ValidationCheck::DuplicateDocument => {
                Remedy::from("remove one of the lines; ")
                    .call_with("eval", Word("duplicates", "best"))
                    .text(" keeps the better one")
            }
            ValidationCheck::JudgedByFacet => {
                "only measures that read subtopics or judgement groups can use the file as it is"
                    .into()
            }
            ValidationCheck::GradeOutOfRange => {
                Remedy::from("negative grades count as unjudged").option(
                    "; give ",
                    Named("max_grade"),
                    " if higher grades are meant",
                )
            }
            ValidationCheck::NoRelevantDocument => {
                "most measures are 0 or undefined here; leave the topic out, or say so".into()
            }
            ValidationCheck::InfiniteScore => {
                "give the document a finite score; JSON cannot hold this one".into()
            }
            ValidationCheck::RankContradictsScore => {
                "scores decide and ranks are ignored; correct the scores if the ranks are right"
                    .into()
            }
            ValidationCheck::Ties => Remedy::from(
                "equal scores are ordered by descending document id, not as in the file; give distinct scores, or use ",
            )
            .call_with("eval", Ties(policy::Ties::File)),
            ValidationCheck::MissingTopic => Remedy::from("it will count as an empty ranking; ")
                .call_with("eval", Missing(policy::Missing::Skip))
                .text(" leaves it out"),
            ValidationCheck::UnjudgedTopic => {
                "it will be ignored; check that run and judgements belong together".into()
            }
            ValidationCheck::UnjudgedTop => {
                Remedy::from("scores are uncertain here; ")
                    .call_with("eval", Named("ranges"))
                    .text(" shows how uncertain; or judge more documents")
            }
            ValidationCheck::ShortRanking => Remedy::from("a measure at a deeper cutoff counts the ranks below the end as not relevant; ")
                .call_with("eval", Named("ranges"))
                .text(" shows what they could change"),
        }
    }
}

/// One instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundInstance {
    /// The line, if there is one.
    pub line: Option<u64>,
    /// What was found.
    pub message: String,
}

/// All instances of one check: their number, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What was looked for.
    pub check: ValidationCheck,
    /// How many instances there are.
    pub count: u64,
    /// The first of them.
    pub instances: Vec<FoundInstance>,
    /// What to do.
    pub help: Remedy,
}

/// What was found in a file, by check.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Findings {
    found: Vec<Found>,
    #[serde(skip)]
    shown: usize,
}

impl Findings {
    /// Nothing yet; of each check at most `shown` instances will be kept.
    pub(super) fn new(shown: usize) -> Findings {
        Findings { found: Vec::new(), shown }
    }

    /// Counts an instance, whose sentence is only made if it is kept.
    pub(super) fn add(
        &mut self,
        check: ValidationCheck,
        line: Option<u64>,
        message: impl FnOnce() -> String,
    ) {
        let at = self.found.binary_search_by_key(&check, |f| f.check).unwrap_or_else(|at| {
            self.found
                .insert(at, Found { check, count: 0, instances: Vec::new(), help: check.remedy() });
            at
        });
        let found = &mut self.found[at];
        found.count += 1;
        if found.instances.len() < self.shown {
            found.instances.push(FoundInstance { line, message: message() });
        }
    }

    /// The checks that found something, in the order of [`ValidationCheck`].
    pub fn iter(&self) -> impl Iterator<Item = &Found> {
        self.found.iter()
    }

    /// How many instances a check found.
    pub fn count(&self, check: ValidationCheck) -> u64 {
        self.found.iter().find(|f| f.check == check).map_or(0, |f| f.count)
    }

    /// How many instances there are in all.
    pub fn total(&self) -> u64 {
        self.found.iter().map(|f| f.count).sum()
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

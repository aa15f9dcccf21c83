//! What was not as it should be, but did not stop the work: each with its number, an instance and a
//! remedy.

use serde::{Deserialize, Serialize};

use crate::choice::choices;
use crate::error::without_suffix;
use crate::policy::{Missing, Ties, Undefined};
use crate::remedy::{Remedy, Setting};

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WarningKind {
    /// A line that no reader understands was left out.
    MalformedLine,
    /// A score that is not a number was left out.
    NotANumber,
    /// A document that stands twice in a topic was counted once.
    DuplicateDocument,
    /// A judged topic is missing from a run.
    MissingTopic,
    /// A topic of a run has no judgements.
    UnjudgedTopic,
    /// No retrieved document is judged in any topic.
    NothingJudged,
    /// Low scores seem to be the better ones.
    ReversedScores,
    /// Judgements look like scores.
    ScoresAsGrades,
    /// A retrieved document is no known part of another.
    UnknownPart,
    /// A score is undefined.
    UndefinedScore,
    /// A score is beyond the largest number.
    InfiniteScore,
    /// A topic in which both sides hold documents, but none in common.
    NothingInCommon,
    /// A document that a system puts into a topic and the gold standard into others alone.
    ForeignDocument,
    /// A document that a system organizes and the gold standard does not know.
    UnknownDocument,
    /// A document that the gold standard organizes and a system does not know.
    MissingDocument,
    /// A run was left out because it could not be read.
    RunLeftOut,
    /// A measure was left out of a comparison, because no topic can be compared by it.
    MeasureLeftOut,
    /// A topic was left out of tests: a run lacks it, it has no relevant document, or a score is
    /// undefined.
    TopicLeftOut,
    /// A mean over topics of a measure without an upper bound.
    UnboundedMean,
    /// A measure with a summary of its own was compared by arithmetic means.
    ArithmeticMean,
    /// So few topics that a test can hardly reject.
    FewTopics,
    /// The order of documents with equal scores decides which of two systems is better, or whether
    /// they differ.
    TiesDecide,
    /// The order of tied documents could change a summary.
    Ties,
    /// An expected score over the orders of tied documents was sampled.
    SampledOrders,
    /// Retrieved documents are unjudged.
    UnjudgedDocument,
    /// A run has the scores of the run that it is held against.
    SameScores,
    /// Fewer documents in the top of a run are judged than in that of another, or less than half.
    UnjudgedTop,
    /// Unjudged documents make the ranges of two systems overlap by more than the systems differ.
    UnsafeComparison,
    /// A measure has no range.
    NoRange,
    /// Rankings end above the cutoff of a measure that is divided by it.
    ShortRanking,
    /// Fewer documents are relevant than the cutoff that a measure is divided by, and all were
    /// found: the score cannot be higher, and is below 1.
    CappedScore,
    /// All that was judged stands in the top k of a run, so that a normalised measure compares the
    /// run with itself.
    SelfNormalised,
    /// Grades between 0 and the threshold of a binary measure that are no whole numbers.
    FractionalGrade,
}

choices! {
    WarningKind {
        MalformedLine "malformed-line",
        NotANumber "not-a-number",
        DuplicateDocument "duplicate-document",
        MissingTopic "missing-topic",
        UnjudgedTopic "unjudged-topic",
        NothingJudged "nothing-judged",
        ReversedScores "reversed-scores",
        ScoresAsGrades "scores-as-grades",
        UnknownPart "unknown-part",
        UndefinedScore "undefined-score",
        InfiniteScore "infinite-score",
        NothingInCommon "nothing-in-common",
        ForeignDocument "foreign-document",
        UnknownDocument "unknown-document",
        MissingDocument "missing-document",
        RunLeftOut "run-left-out",
        MeasureLeftOut "measure-left-out",
        TopicLeftOut "topic-left-out",
        UnboundedMean "unbounded-mean",
        ArithmeticMean "arithmetic-mean",
        FewTopics "few-topics",
        TiesDecide "ties-decide",
        Ties "ties",
        SampledOrders "sampled-orders",
        UnjudgedDocument "unjudged-document",
        SameScores "same-scores",
        UnjudgedTop "unjudged-top",
        UnsafeComparison "unsafe-comparison",
        NoRange "no-range",
        ShortRanking "short-ranking",
        CappedScore "capped-score",
        SelfNormalised "self-normalised",
        FractionalGrade "fractional-grade",
    }
}

impl WarningKind {
    /// What to do about it.
    pub fn remedy(self) -> Remedy {
        use Setting::{Lenient, Named, Word};
        match self {
            WarningKind::MalformedLine | WarningKind::NotANumber => Remedy::from("correct the file")
                .option("; without ", Lenient, " the first such line is an error"),
            WarningKind::DuplicateDocument => {
                "remove the lines that repeat a document; one of each was kept".into()
            }
            WarningKind::MissingTopic => {
                Remedy::missing().option(", ", Setting::Missing(Missing::Error), " refuses the run")
            }
            WarningKind::UnjudgedTopic => {
                "they were ignored; check that run and judgements belong together".into()
            }
            WarningKind::NothingJudged => "check that run and judgements name their documents alike".into(),
            WarningKind::ReversedScores => Remedy::default()
                .option("", Word("order", "asc"), " if low scores are better, as distances are; ")
                .text("ranks in the file are ignored"),
            WarningKind::ScoresAsGrades => {
                "is this a run? judgements come first, then runs: QRELS RUN".into()
            }
            WarningKind::UnknownPart => "they kept their ids; add them to the map".into(),
            WarningKind::UndefinedScore => Remedy::undefined().option(
                ", ",
                Setting::Undefined(Undefined::Error),
                " refuses the run",
            ),
            WarningKind::InfiniteScore => {
                "JSON has no such numbers and holds null; give smaller grades, gains or parameters".into()
            }
            WarningKind::NothingInCommon => "check that both files name their documents alike".into(),
            WarningKind::ForeignDocument => {
                "they were left out: without a tail, a topic is a collection of its own".into()
            }
            WarningKind::UnknownDocument => {
                "they count against Reliability; each is a class of its own for the clustering measures"
                    .into()
            }
            WarningKind::MissingDocument => {
                "they count against Sensitivity; each is a cluster of its own for the clustering measures"
                    .into()
            }
            WarningKind::RunLeftOut => "correct the file; the other runs were scored".into(),
            WarningKind::MeasureLeftOut => "leave the measure out; the others were compared".into(),
            WarningKind::TopicLeftOut => {
                "means here are over the topics that were tested, and may differ from those of an evaluation"
                    .into()
            }
            WarningKind::UnboundedMean => {
                "a topic with many relevant documents outweighs the others (Moffat 2013, section 4); use a bounded or normalised measure"
                    .into()
            }
            WarningKind::ArithmeticMean => "compare the measure that the summary is made of".into(),
            WarningKind::TiesDecide => Remedy::from("let the systems give distinct scores").option(
                "; ",
                Named("ties"),
                " chooses the order of equal ones",
            ),
            WarningKind::FewTopics => {
                "judge more topics: with 5 or fewer no test on signs or ranks can reach 0.05".into()
            }
            WarningKind::Ties => Remedy::default()
                .option(
                    "",
                    Setting::Ties(Ties::Average),
                    " gives the expected score over all orders of tied documents",
                )
                .option(", ", Setting::Ties(Ties::Range), " the lowest and the highest"),
            WarningKind::SameScores => {
                "check that the run is not the baseline itself, and that the change reached it".into()
            }
            WarningKind::UnjudgedTop => {
                Remedy::from("unjudged documents count as not relevant, so a comparison could go the other way if they were judged; ")
                    .call("plan")
                    .text(" says which to judge first")
            }
            WarningKind::UnsafeComparison => {
                "look at the joint range of the two, which gives each document one grade in both; or judge more documents"
                    .into()
            }
            WarningKind::NoRange => {
                "nothing is said of what its unjudged documents could do; docs/ranges.md has the measures with a range".into()
            }
            WarningKind::ShortRanking => {
                "the ranks below the end count as not relevant; ranges tell what they could hold".into()
            }
            WarningKind::CappedScore => {
                "no ranking can score 1 there, so the mean tells how many documents are relevant (Moffat 2013, section 3); use RPrec, a smaller cutoff or a normalised measure".into()
            }
            WarningKind::FractionalGrade => {
                "rel=0.5 or the like sets the threshold of relevance, as in AP(rel=0.5)".into()
            }
            WarningKind::SelfNormalised => {
                "the best ranking is known only as far as this run found it: the score says how well the run ordered its own documents (Moffat 2013, sections 3 and 6); judge more documents, or use SDCG@k or RBP".into()
            }
            WarningKind::SampledOrders => {
                Remedy::from("the seed is fixed: the same call gives the same scores").option(
                    "; ",
                    Word("format", "json"),
                    " has the standard error of each",
                )
            }
            WarningKind::UnjudgedDocument => {
                "do not compare runs whose ranges overlap by more than they differ; judged_only=true removes unjudged documents"
                    .into()
            }
        }
    }
}

/// One warning, with how often it arose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// How often.
    pub count: u64,
    /// A sentence for a person, with the first instance.
    pub message: String,
    /// What to do.
    pub remedy: Remedy,
}

/// Warnings as they gather: one per kind and file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Warnings {
    all: Vec<GatheredWarning>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct GatheredWarning {
    kind: WarningKind,
    file: String,
    count: u64,
    /// The first instance: a line, or a text.
    line: Option<u64>,
    example: Option<String>,
}

impl Warnings {
    /// Counts `n` instances in a file; `line` is that of the first.
    pub fn add(&mut self, kind: WarningKind, n: u64, file: &str, line: u64) {
        let entry = self.entry(kind, file);
        entry.count += n;
        entry.line = Some(entry.line.map_or(line, |known| known.min(line)));
    }

    /// Counts instances of which one can be named by a text, such as a topic.
    pub fn add_example(&mut self, kind: WarningKind, n: u64, file: &str, example: &str) {
        let entry = self.entry(kind, file);
        entry.count += n;
        if entry.example.is_none() {
            entry.example = Some(example.to_string());
        }
    }

    /// Counts instances of which none is worth naming.
    pub fn count(&mut self, kind: WarningKind, n: u64, file: &str) {
        self.entry(kind, file).count += n;
    }

    fn entry(&mut self, kind: WarningKind, file: &str) -> &mut GatheredWarning {
        let at =
            self.all.iter().position(|g| g.kind == kind && g.file == file).unwrap_or_else(|| {
                self.all.push(GatheredWarning {
                    kind,
                    file: file.to_string(),
                    count: 0,
                    line: None,
                    example: None,
                });
                self.all.len() - 1
            });
        &mut self.all[at]
    }

    /// Takes over the warnings of another part of the work, by kind, so that the order does not
    /// depend on how the work was done.
    pub fn extend(&mut self, mut other: Warnings) {
        other.all.sort_by_key(|g| g.kind);
        for g in other.all {
            let entry = self.entry(g.kind, &g.file);
            entry.count += g.count;
            entry.line = entry.line.into_iter().chain(g.line).min();
            entry.example = entry.example.take().or(g.example);
        }
    }

    /// The instance that is named, of the first file in which something was met.
    pub fn example_of(&self, kind: WarningKind) -> Option<&str> {
        self.all.iter().find(|g| g.kind == kind).and_then(|g| g.example.as_deref())
    }

    /// Each kind in each file: how often, and an instance.
    pub fn entries(self) -> impl Iterator<Item = (WarningKind, String, u64, String)> {
        self.all.into_iter().map(|g| (g.kind, g.file, g.count, g.example.unwrap_or_default()))
    }

    /// Takes a kind out, and says how often it was met in which file, with the instance.
    pub fn take(&mut self, kind: WarningKind) -> Vec<(String, u64, Option<String>)> {
        let (taken, kept) = std::mem::take(&mut self.all).into_iter().partition(|g| g.kind == kind);
        self.all = kept;
        let told = |g: GatheredWarning| (g.file, g.count, g.example);
        Vec::into_iter(taken).map(told).collect()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The warnings that are not loud, in a phrase for each kind.
    pub fn brief(&self) -> Vec<String> {
        let mut quiet: Vec<&GatheredWarning> =
            self.all.iter().filter(|g| !g.kind.is_loud()).collect();
        quiet.sort_by_key(|g| g.kind);
        quiet.chunk_by(|a, b| a.kind == b.kind).map(phrase).collect()
    }

    /// The warnings, as sentences, by kind: their order does not depend on how the work was done.
    pub fn list(&self) -> Vec<Warning> {
        let mut all: Vec<&GatheredWarning> = self.all.iter().collect();
        all.sort_by_key(|g| g.kind);
        all.into_iter()
            .map(|g| Warning {
                kind: g.kind,
                count: g.count,
                message: g.message(),
                remedy: g.kind.remedy(),
            })
            .collect()
    }
}

/// One kind in a few words, whatever number of files it was met in.
fn phrase(same: &[&GatheredWarning]) -> String {
    let first = same[0];
    let n: u64 = same.iter().map(|g| g.count).sum();
    // As tables name the run.
    let base =
        |file: &str| without_suffix(file.rsplit(['/', '\\']).next().unwrap_or(file)).to_string();
    let of = |noun: &str| match same.len() {
        1 => format!(" in {}", base(&first.file)),
        many => format!(" in {many} {noun}"),
    };
    let s = if n == 1 { "" } else { "s" };
    let example = first.example.as_deref().unwrap_or_default();
    let short = example.split(": ").next().unwrap_or_default();
    match first.kind {
        WarningKind::MissingTopic => match (same.len(), example.strip_prefix("the run ")) {
            (1, Some(covers)) => format!("{} {covers}", base(&first.file)),
            (many, _) => format!("{n} judged topic{s} missing from {many} runs"),
        },
        WarningKind::UndefinedScore | WarningKind::InfiniteScore => {
            format!("{}{} ({short})", first.kind.what(n), of("runs"))
        }
        WarningKind::Ties => format!("the order of ties could change {n} mean{s}{}", of("runs")),
        WarningKind::UnjudgedTopic => format!("{n} topic{s} without judgements{}", of("runs")),
        WarningKind::TopicLeftOut => format!("topics left out of the tests{}", of("measures")),
        WarningKind::SameScores => {
            format!("every score of {} is that of the baseline {example}", base(&first.file))
        }
        WarningKind::UnsafeComparison => {
            format!("{n} pair{s} that unjudged documents make unsafe{}", of("measures"))
        }
        WarningKind::UnboundedMean => {
            let names: Vec<&str> = same.iter().map(|g| g.file.as_str()).collect();
            format!("means of measures without an upper bound mix scales ({})", names.join(", "))
        }
        kind @ (WarningKind::MeasureLeftOut
        | WarningKind::ArithmeticMean
        | WarningKind::TiesDecide
        | WarningKind::NoRange) => {
            format!("{}{}", kind.what(n), of("measures"))
        }
        kind => format!("{}{}", kind.what(n), of("files")),
    }
}

impl WarningKind {
    /// Whether it casts doubt on all scores of a file, or says that a file is not as it should be:
    /// it is then told on its own.
    pub fn is_loud(self) -> bool {
        matches!(
            self,
            WarningKind::MalformedLine
                | WarningKind::NotANumber
                | WarningKind::DuplicateDocument
                | WarningKind::NothingJudged
                | WarningKind::ReversedScores
                | WarningKind::ScoresAsGrades
                | WarningKind::UnknownPart
                | WarningKind::NothingInCommon
                | WarningKind::RunLeftOut
                | WarningKind::MeasureLeftOut
                | WarningKind::UnjudgedTop
        )
    }

    /// What was met so often.
    fn what(self, n: u64) -> String {
        let s = if n == 1 { "" } else { "s" };
        let are = if n == 1 { "is" } else { "are" };
        match self {
            WarningKind::MalformedLine => format!("{n} malformed line{s} left out"),
            WarningKind::NotANumber => format!("{n} score{s} that {are} not a number left out"),
            WarningKind::DuplicateDocument => format!("{n} repeated document{s} counted once"),
            WarningKind::MissingTopic => format!("{n} judged topic{s} {are} missing from the run"),
            WarningKind::UnjudgedTopic => format!("{n} topic{s} of the run without judgements"),
            WarningKind::NothingJudged => "no retrieved document is judged relevant".to_string(),
            WarningKind::ReversedScores => "the scores seem to be distances".to_string(),
            WarningKind::ScoresAsGrades => format!("{n} grades look like the scores of a run"),
            WarningKind::UnknownPart => format!("{n} document{s} that the map does not know"),
            WarningKind::UndefinedScore => format!("{n} undefined score{s}"),
            WarningKind::InfiniteScore => format!("{n} infinite score{s}"),
            WarningKind::NothingInCommon => {
                format!("{n} topic{s} without a document in common with the gold standard")
            }
            WarningKind::ForeignDocument => {
                format!("{n} document{s} that the gold standard holds under other topics alone")
            }
            WarningKind::UnknownDocument => {
                format!("{n} document{s} that the gold standard does not know")
            }
            WarningKind::MissingDocument => {
                format!("{n} document{s} of the gold standard {are} missing")
            }
            WarningKind::RunLeftOut => "the run was left out".to_string(),
            WarningKind::MeasureLeftOut => "the runs cannot be compared by it".to_string(),
            WarningKind::TopicLeftOut => format!("{n} topic{s} left out of the tests"),
            WarningKind::UnboundedMean => {
                "the mean over topics of a measure without an upper bound mixes scales".to_string()
            }
            WarningKind::ArithmeticMean => {
                "compared by arithmetic means over topics, not by its own summary".to_string()
            }
            WarningKind::TiesDecide => {
                format!("{n} pair{s} decided by the order of documents with equal scores")
            }
            WarningKind::FewTopics => format!("only {n} topic{s} to test on"),
            WarningKind::Ties => {
                format!("the order of tied documents could change {n} mean{s} by more than 0.001")
            }
            WarningKind::SampledOrders => {
                format!("{n} expected score{s} from a sample of the orders of tied documents")
            }
            WarningKind::UnjudgedDocument => format!("{n} retrieved document{s} {are} unjudged"),
            WarningKind::SameScores => "every score is that of the baseline".to_string(),
            WarningKind::UnjudgedTop => {
                format!("{n} document{s} in the top 10 {are} unjudged, and could decide")
            }
            WarningKind::UnsafeComparison => {
                format!("{n} pair{s} of systems whose ranges overlap by more than they differ")
            }
            WarningKind::NoRange => "no range".to_string(),
            WarningKind::ShortRanking => format!("{n} ranking{s} shorter than a cutoff"),
            WarningKind::CappedScore => {
                format!(
                    "{n} topic{s} where all relevant documents are found and the score is still below 1"
                )
            }
            WarningKind::FractionalGrade => {
                format!("{n} judgement{s} with a fraction below 1 for a grade")
            }
            WarningKind::SelfNormalised => {
                "nothing was judged beyond the top of this run, so that scores are self-normalised"
                    .to_string()
            }
        }
    }
}

impl GatheredWarning {
    fn message(&self) -> String {
        let what = self.kind.what(self.count);
        let instance = match (self.line, &self.example) {
            (Some(line), _) => format!(" (first at line {line})"),
            (None, Some(example))
                if matches!(
                    self.kind,
                    WarningKind::RunLeftOut
                        | WarningKind::MeasureLeftOut
                        | WarningKind::Ties
                        | WarningKind::UnjudgedDocument
                        | WarningKind::UnjudgedTop
                        | WarningKind::NoRange
                        | WarningKind::NothingJudged
                        | WarningKind::ReversedScores
                        | WarningKind::ShortRanking
                        | WarningKind::CappedScore
                        | WarningKind::SelfNormalised
                        | WarningKind::FractionalGrade
                ) =>
            {
                format!(": {example}")
            }
            (None, Some(example)) if self.kind == WarningKind::MissingTopic => {
                format!(" ({example})")
            }
            (None, Some(example)) => format!(" (for example {example})"),
            (None, None) => String::new(),
        };
        format!("{}: {what}{instance}", self.file)
    }
}

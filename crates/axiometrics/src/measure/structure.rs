//! What a measure may declare of its own formula.
//!
//! A declaration is a claim, not a fact: the laboratory ([`crate::check`]) compares it with the
//! measure on small and on deep rankings before it reasons with it, so a wrong one proves nothing.
//! The facts themselves (which weights decrease, which have a finite sum) belong to closed
//! families, where they are mathematics and need no trust.

mod weights;

pub use weights::Weights;

/// What a measure declares. The default declares nothing, and then verdicts can only be searched
/// for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Structure {
    /// The gains that the measure is written over, where the automatic rule would choose others.
    pub domain: Option<Domain>,
    /// The shape of the formula, if it is a weighted sum or its like.
    pub shape: Option<Shape>,
    /// The formula in other words, if it is not.
    pub form: Option<Form>,
    /// Why the numeric properties make no sense for this measure, where they do not.
    pub exempt: Option<&'static str>,
}

impl From<Shape> for Structure {
    fn from(shape: Shape) -> Structure {
        Structure { shape: Some(shape), ..Structure::default() }
    }
}

impl From<Form> for Structure {
    fn from(form: Form) -> Structure {
        Structure { form: Some(form), ..Structure::default() }
    }
}

/// A formula as expressions, which the laboratory can reason about. R is the number of relevant
/// documents of the collection, or of those with a gain, and N that of the others.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// The sum, over the relevant documents that are seen, of a term of its rank i and the r
    /// relevant and n other documents above it, and of a rest; over a divisor, which if it is zero
    /// leaves the score undefined. All may speak of R and N, and of the h relevant and o other
    /// documents that are seen.
    Seen {
        /// The lowest grade that is relevant.
        rel: f64,
        /// What a document adds.
        term: String,
        /// What is added for the documents that are not seen.
        rest: String,
        /// What the sum is divided by.
        divisor: String,
    },
    /// The sum over the first k documents of gain times weight, over a divisor: what a [`Shape`]
    /// says of weights that are not among its families. They must be above zero.
    Discounted {
        /// The weight, an expression of the rank i.
        weight: String,
        /// What a grade is worth.
        gain: Gain,
        /// What the sum is divided by.
        divisor: Divisor,
    },
    /// What the collection's best ranking down to k has of a weighted sum.
    Best(Shape),
    /// The mean over recall levels of the highest precision at a relevant document by which that
    /// share of R, rounded, was seen; 0 if it never is.
    Interpolated {
        /// The lowest grade that is relevant.
        rel: f64,
        /// The recall levels.
        recalls: Vec<f64>,
    },
    /// A value of the h relevant documents among the k that are seen, R and N.
    Count {
        /// The lowest grade that is relevant.
        rel: f64,
        /// The value.
        value: String,
        /// There is no value if nothing is relevant.
        needs_relevant: bool,
    },
    /// The share of relevant documents among the first so many, whether they were retrieved or not.
    Share {
        /// The lowest grade that is relevant.
        rel: f64,
        /// How many.
        depth: CountingDepth,
    },
    /// What a user finds per document read. C, the probability of reading on, is an expression of
    /// the rank i, the gain g there and the gain G down to there.
    Reader {
        /// C.
        continuation: String,
        /// The user reads no further than rank k.
        ends: bool,
        /// What can still be gained behind rank i with the gain G, at most, if that is known: an
        /// expression of i and G.
        potential: Option<String>,
    },
    /// The sum, over the documents with a gain that are seen, of a term; over a divisor, which if it
    /// is zero leaves the score undefined.
    Gathered {
        /// What a grade is worth.
        gain: Gain,
        /// What a document adds, by its rank i, its gain g, and the number C and the gain G of those
        /// with a gain down to there; and by what the ideal ranking has down to rank i: its gain I,
        /// and J, the same if every rank counts at least 1.
        term: String,
        /// What the sum is divided by, of the number R and the gain T of all such documents.
        divisor: String,
    },
    /// What [`Form::Seen`] is without a divisor, added up over all lines that can be drawn between
    /// relevant and not, each by its distance from the one below; over the sum of all gains.
    Thresholds {
        /// What a grade is worth.
        gain: Gain,
        /// What a document adds, by its rank i and the r relevant and n other ones above it.
        term: String,
    },
    /// The mean over some ranks of a weighted sum down to there, over that of the ideal ranking.
    Averaged {
        /// The weighted sum, without a divisor.
        shape: Shape,
        /// Which ranks.
        points: Points,
    },
    /// The pairs of documents that the ranking and the grades put in the same order less those in
    /// opposite ones, over the root of the product of the pairs that each of them orders. What is not
    /// seen comes last, tied, if it has a grade.
    Concordance,
    /// What the ranking and the ideal one have in common, depth by depth with falling weights, as a
    /// share of the depth.
    Overlap {
        /// How much of the weight of a depth the next one has.
        p: f64,
        /// As a share of what the ideal ranking has in common with itself, not of the weights.
        normalised: bool,
    },
    /// The weight of the relations "d above e" of one side that hold on the other too, the ranking
    /// on the one side and the grades on the other.
    Relations {
        /// Whose relations.
        side: Side,
        /// The constant of the weights by depth.
        c: f64,
    },
    /// A rising function of another form's value.
    Rising {
        /// The form whose value is z.
        of: Box<Form>,
        /// The function.
        rise: Rise,
    },
}

impl Form {
    /// A sum over the relevant documents that are seen, with no rest.
    pub fn seen(rel: f64, term: &str, divisor: &str) -> Form {
        let [term, rest, divisor] = [term, "0", divisor].map(str::to_string);
        Form::Seen { rel, term, rest, divisor }
    }
}

/// How many documents count.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CountingDepth {
    /// The smaller of k and R.
    CutoffOrRelevant,
    /// This many times R, and 0.9 more, without its fraction.
    Multiple(f64),
}

/// The ranks at which an average looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Points {
    /// Those behind which the ideal ranking changes its gain, the last with a gain among them, and
    /// the end of the ranking if that is at least two ranks further down.
    Levels,
    /// Those of the documents with a gain; for one that is not seen the end of the ranking, over all
    /// that the ideal ranking has.
    Relevant,
}

/// Whose relations are looked for on the other side.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Side {
    /// The ranking's.
    Reliability,
    /// The judgements'.
    Sensitivity,
    /// The mean of both in which Sensitivity is `beta` times as important.
    F {
        /// How many times.
        beta: f64,
    },
}

/// A function of z that rises with it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Rise {
    /// The natural logarithm of an expression of z and R.
    Ln(String),
    /// A straight line.
    Line {
        /// How steep, above zero.
        times: f64,
        /// Its value at z = 0.
        plus: f64,
    },
    /// ln(z / (1 - z)), z held this far from 0 and from 1.
    ClippedLogit(f64),
}

/// The gains that a measure is written over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Domain {
    /// Relevant or not.
    Binary,
    /// Any gain between 0 and the maximum grade.
    Graded,
    /// Whole grades, because the formula treats 1 and 2 otherwise than 1/4 and 1/2 (an exponent, a
    /// threshold).
    Integer,
}

/// A formula of the form: terms of the top k, combined, over a divisor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// How the documents' contributions become one number.
    pub combine: Combine,
    /// What a rank weighs.
    pub weights: Weights,
    /// What a grade is worth.
    pub gain: Gain,
    /// What the whole is divided by.
    pub divisor: Divisor,
}

/// How the contributions of the top k become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Combine {
    /// The sum of w(i) g(i).
    Sum,
    /// The largest w(i) g(i).
    Best,
    /// The sum of w(i) g(i) (g(1) + ... + g(i)): with w(i) = 1/i the sum of precisions.
    Cumulated,
    /// The sum of w(i) g(i) (1 - g(1)) ... (1 - g(i-1)): each document may end the search.
    Cascade,
}

/// What a grade is worth. All grow with the grade, and a document of no use is worth nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Gain {
    /// The grade itself.
    Grade,
    /// The grade over the maximum grade.
    Scaled,
    /// 2^grade - 1
    Exponential,
    /// 1 from this grade on.
    Threshold(f64),
    /// (2^grade - 1) / 2^m, m the maximum grade: the probability that a document satisfies.
    Satisfaction,
}

impl Gain {
    /// The worth of a grade.
    pub fn of(self, grade: f64, max_grade: f64) -> f64 {
        match self {
            Gain::Grade => grade,
            Gain::Scaled => grade / max_grade,
            Gain::Exponential => grade.exp2() - 1.0,
            Gain::Threshold(rel) => f64::from(u8::from(grade >= rel)),
            Gain::Satisfaction => (grade.exp2() - 1.0) / max_grade.exp2(),
        }
    }
}

/// What a formula divides by: the largest value that the dividend could have, among a set of
/// rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Divisor {
    /// Nothing.
    None,
    /// That of an endless ranking of top grades: a constant.
    Endless,
    /// That of k top grades: depends on k alone.
    Cutoff,
    /// That of the collection's best ranking, at depth k.
    Ideal,
    /// That of the collection's best ranking, at full depth: R for recall and average precision.
    Whole,
    /// That of the best order of the top k.
    Own,
    /// The sum of the collection's gains, unlike the others: no more than that of ranks that weigh 1.
    Gains,
}

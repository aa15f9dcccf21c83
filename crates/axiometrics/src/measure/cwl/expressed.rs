//! A user whom a person writes down: C(i) as an expression.

mod stretches;

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{Continuation, Cwl, FOREVER, GainlessStretch, Response};
use super::{DEPTH, GAINS, MAX_REL, MIN_REL, VALUE};
use crate::error::{Error, Result};
use crate::expression::Function;
use crate::measure::def::{Alias, Cutoff, Def, Example, Span};
use crate::measure::params::{Args, JUDGED_ONLY, Param, ParamKind};
use crate::measure::{Measure, Number};
use stretches::{EvenStretch, MARK, ReadStretch};

/// What the expression may speak of, in the order of the values.
const NAMES: [&str; 4] = ["i", "g", "G", "k"];

pub(super) struct Expressed {
    function: Function,
    /// The cutoff, infinite if there is none.
    k: f64,
    /// It speaks of the rank alone.
    blind: bool,
    /// What C depends on but for what is found: the expression, and the cutoff if it speaks of it.
    spelling: String,
    /// How many documents are read in all by a user of the rank alone; `None` inside where that has
    /// no end.
    documents: OnceLock<Option<f64>>,
}

/// Values this far outside of 0 to 1 are rounding.
const ROUNDING: f64 = 1e-9;
/// Down to here a stretch is walked in the number at hand, which keeps rationals exact.
const SHORT: u32 = 32;
/// Whether the sum of V has settled is asked for the first time after so many ranks, and then
/// whenever they have doubled.
const FIRST_LOOK: u32 = 64;
/// A sum that has not settled after so many ranks is called endless.
const LAST_LOOK: u32 = 1 << 20;
/// Inverse powers have a finite sum where their line is less steep than 1; so much less must be
/// seen.
const STEEPEST: f64 = 1.0 - 1e-6;
/// How far x may lie from its line, as a share of it.
const STRAIGHT: f64 = 1e-2;
/// A sum has settled where two looks agree to this share of it.
const SETTLED: f64 = 1e-10;

impl Expressed {
    fn new(text: &str, k: Option<u32>) -> Result<Expressed> {
        let function = Function::parse(text, &NAMES)?;
        let blind = !function.mentions("g") && !function.mentions("G");
        let k = k.map_or(f64::INFINITY, f64::from);
        let spelling =
            if function.mentions("k") { format!("{k} {text}") } else { text.to_string() };
        let model = Expressed { function, k, blind, spelling, documents: OnceLock::new() };
        model.try_values()?;
        Ok(model)
    }

    fn value<N: Number>(&self, rank: u32, gain: &N, total: &N) -> Option<N> {
        let k = if self.k.is_finite() { N::decimal(self.k) } else { N::infinity() };
        self.function.at(&[N::count(rank), gain.clone(), total.clone(), k])
    }

    /// Refuses a function that is no probability if it can be asked: at many ranks, and for
    /// gains from nothing to all that the ranks could hold.
    fn try_values(&self) -> Result<()> {
        for rank in (1..=20).chain([50, 100, 1000, 10_000, 1_000_000]) {
            let most = f64::from(rank);
            for (gain, above) in [0.0, 0.5, 1.0]
                .into_iter()
                .flat_map(|gain| [0.0, 0.5, 1.0].map(|share| (gain, share * (most - 1.0))))
            {
                let total = gain + above;
                let found = match self.value(rank, &gain, &total) {
                    Some(c) if (-ROUNDING..=1.0 + ROUNDING).contains(&c) => continue,
                    Some(c) => format!("{c}"),
                    None => "no number".to_string(),
                };
                let message = format!(
                    "found {found} at i = {rank}, g = {gain}, G = {total}, expected a probability from 0 to 1"
                );
                return Err(self
                    .function
                    .refuse(&message)
                    .help("hold it within bounds: c='max(0, min(1, ...))'"));
            }
        }
        Ok(())
    }

    fn probability(&self, rank: u32, gain: f64, total: f64) -> f64 {
        self.value(rank, &gain, &total).map_or(0.0, |c| c.clamp(0.0, 1.0))
    }

    /// A stretch of documents that all have one gain. A long one is known in floating point.
    fn even<N: Number>(&self, from: u32, to: u32, gain: &N, total: &N) -> GainlessStretch<N> {
        if to - from < SHORT {
            return self.walk(from, to, gain, total);
        }
        // A blind user does not know of gains.
        let [of_gain, of_total] =
            if self.blind { [0.0; 2] } else { [gain.to_f64(), total.to_f64()] };
        let stretch = EvenStretch { from, to, gain: of_gain, total: of_total };
        let ReadStretch { read, through } = self.long(stretch);
        let known = |value, which| {
            let of = [N::int(which), gain.clone(), N::count(from), N::count(to), total.clone()];
            N::estimate(value, 1e-9, &of)
        };
        let through = if to == FOREVER { N::zero() } else { known(through, 3) };
        GainlessStretch { read: known(read, 2), through }
    }

    /// A long stretch, as far as it is not known: down to the next mark, and from there on.
    fn long(&self, stretch: EvenStretch) -> ReadStretch {
        let EvenStretch { from, to, gain, total } = stretch;
        stretches::remembered(&self.spelling, stretch, || {
            let mark = from.next_multiple_of(MARK);
            if mark == from || mark >= to {
                return self.walked(stretch);
            }
            let first = self.walked(EvenStretch { to: mark - 1, ..stretch });
            if first.through == 0.0 {
                return first;
            }
            let total = total + gain * f64::from(mark - from);
            let rest = self.long(EvenStretch { from: mark, total, ..stretch });
            ReadStretch {
                read: first.read + first.through * rest.read,
                through: first.through * rest.through,
            }
        })
    }

    fn walked(&self, EvenStretch { from, to, gain, total }: EvenStretch) -> ReadStretch {
        if to == FOREVER {
            let read = self.endless(from, gain, total).unwrap_or(f64::INFINITY);
            return ReadStretch { read, through: 0.0 };
        }
        let GainlessStretch { read, through } = self.walk(from, to, &gain, &total);
        ReadStretch { read, through }
    }

    /// How many documents are read, on average, by a user who reads the first of a list without end
    /// whose documents all have this gain; `None` where the sum does not settle.
    ///
    /// The terms are added one by one. Where x(i) = 1 / (1 - C(i)) grows in a straight line of
    /// slope s below 1, as it does for a constant C (s = 0) and, ever more closely, for inverse
    /// powers, what is left after rank i is V(i) (x(i) - s) / (1 - s). Two such guesses that agree
    /// end the sum, if C keeps to the line at the ranks ahead that are looked at.
    fn endless(&self, from: u32, gain: f64, mut total: f64) -> Option<f64> {
        let (mut read, mut reach) = (0.0, 1.0);
        let mut before: Option<(f64, f64, f64)> = None;
        let mut look = FIRST_LOOK;
        for n in 0..=LAST_LOOK {
            let rank = from.saturating_add(n);
            total += gain;
            let c = self.probability(rank, gain, total);
            if n == look {
                let x = 1.0 / (1.0 - c);
                let slope =
                    before.map_or(0.0, |(x_before, at, _)| (x - x_before) / (f64::from(n) - at));
                let guess = if slope < STEEPEST {
                    read + reach * (x - slope) / (1.0 - slope)
                } else {
                    f64::INFINITY
                };
                let agreed = before.is_some_and(|(_, _, other)| {
                    guess.is_finite() && (guess - other).abs() <= SETTLED * guess
                });
                // C may turn at a rank that lies ahead: `i < 1000`.
                let straight = |far: u32| {
                    let found = 1.0
                        / (1.0
                            - self.probability(
                                from.saturating_add(far),
                                gain,
                                total + gain * f64::from(far - n),
                            ));
                    (found - x - slope * f64::from(far - n)).abs() <= STRAIGHT * found
                };
                if agreed
                    && (0..)
                        .map(|doubled| n << doubled)
                        .take_while(|far| *far <= LAST_LOOK)
                        .all(straight)
                {
                    return Some(guess);
                }
                before = Some((x, f64::from(n), guess));
                look *= 2;
            }
            read += reach;
            reach *= c;
            if reach <= f64::EPSILON * f64::EPSILON * read {
                return Some(read);
            }
        }
        None
    }
}

impl Continuation for Expressed {
    fn formula(&self) -> String {
        self.function.text().to_string()
    }

    fn response(&self) -> Response {
        if self.blind { Response::Blind } else { Response::Unknown }
    }

    fn at<N: Number>(&self, rank: u32, gain: &N, total: &N) -> N {
        self.value(rank, gain, total).map_or(N::zero(), |c| c.max(N::zero()).min(N::one()))
    }

    fn documents<N: Number>(&self) -> Option<N> {
        if !self.blind {
            return None;
        }
        self.documents.get_or_init(|| self.endless(1, 0.0, 0.0)).map(N::decimal)
    }

    fn rich_stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> N {
        self.even(from, to, &N::one(), total).read
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        self.even(from, to, &N::zero(), total)
    }
}

const CONTINUATION: Param = Param {
    name: Cow::Borrowed("c"),
    kind: ParamKind::Text,
    default: None,
    doc: "C(i), the probability of reading on after rank i, in quotes: an expression of i, g (the gain at rank i, from 0 to 1), G (the gain of all documents \
          down to rank i) and k (the cutoff, infinite where there is none), with + - * / ^, comparisons (1 where they hold), and, or, not, if(c, x, y), min, max, abs, log2, ln",
};

pub(super) const CWL: Def = Def {
    name: "CWL",
    title: "A user of your own",
    family: "cwl",
    aliases: &[Alias::printed(
        "SET-k@{k}-b@{b}",
        "c=((i + 2)^{b} - (i + 1)^{b}) / ((i + 1)^{b} - i^{b}),depth={k}",
    )],
    params: &[CONTINUATION, MIN_REL, MAX_REL, GAINS, DEPTH, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "CWL = sum of W(i) r_i, W(i) = V(i) / sum of V, V(i) = C(1) ... C(i-1), for the C that is given; r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "the user reads on for ever after what was found, or min_rel reaches the maximum grade",
    user_model: "reads on after rank i with the probability that is given: c='0.8' is the user of RBP, c='i < k' that of P@k, c='((i+1)/(i+2))^2' that of INSQ(T=1), c='g == 0' that of RR",
    examples: &[
        Example {
            measure: "CWL(c='0.5')",
            ranking: "1 0 1",
            value: 0.625,
            working: "V = 1, 1/2, 1/4, ...: (1 + 1/4) / 2 = 0.625",
        },
        Example {
            measure: "CWL(c='if(g == 0, i / (i + 1), 0)',depth=3)",
            ranking: "0 1 1",
            value: 1.0 / 3.0,
            working: "V = 1, 1/2, and 0 behind the relevant document: (1/2) / (3/2) = 1/3",
        },
    ],
    differs: &[
        "cwl_eval has a class for each user, and ends every list at rank 1000: depth=1000",
        "where no depth is given the list has no end: V is added up until its sum, the rest estimated, settles to ten digits; a sum that has not settled after 2^20 ranks is called endless",
    ],
    references: &[
        "Moffat, Thomas and Scholer 2013",
        "Moffat, Bailey, Scholer and Thomas 2017",
        "Azzopardi, Thomas and Moffat 2019, cwl_eval",
    ],
    build,
};

fn build(args: &Args) -> Result<Box<dyn Measure>> {
    let text = args.text("c");
    if text.is_empty() {
        return Err(Error::usage("CWL needs c, the probability of reading on")
            .help("write CWL(c='0.8') or CWL(c='i < k')@10"));
    }
    let model = Expressed::new(&text, args.cutoff()).map_err(|error| in_parameter(&error))?;
    let settles = || {
        if model.blind {
            model.documents::<f64>().is_some()
        } else {
            model.endless(1, 0.0, 0.0).is_some()
        }
    };
    if args.optional("depth").is_none() && !settles() {
        let error = model.function.refuse(
            "where nothing is found, the user reads on for ever: the sum of V does not settle",
        );
        return Err(in_parameter(
            &error.help("give a last rank, depth=1000, or let C fall, c='(...) * (i < 1000)'"),
        ));
    }
    Cwl::endless(model, args)
}

/// The error, with the parameter that it is about.
fn in_parameter(error: &Error) -> Error {
    let told = Error::usage(format!("CWL, parameter c, {}", error.message()));
    match error.remedy() {
        Some(remedy) => told.help(remedy.clone()),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use crate::data::OwnedTopic;
    use crate::measure::{Metric, Score, parse_list};

    fn metric(text: &str) -> Metric {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    /// Each measure of the family, as an expression.
    const SAME: [(&str, &str); 13] = [
        ("RBP(p=0.8)", "CWL(c='0.8')"),
        ("RBP(p=0.95)@3", "CWL(0.95)@3"),
        ("P@4", "CWL(c=\"i < k\",max_rel=1)@4"),
        ("P@10", "CWL(c='i<10',max_rel=1)"),
        ("INSQ(T=1)", "CWL(c='(1 - 1/(i+2))^2')"),
        ("INSQ(T=2.5)", "CWL(c='((i + 4) / (i + 5))^2')"),
        ("INST(T=2)", "CWL(c='((i - 1 + 4 - G) / (i + 4 - G))^2')"),
        ("SDCG@6", "CWL(c='log2(i+1) / log2(i+2)',depth=6)"),
        ("NERR9@5", "CWL(c='if(i < k, i/(i+1) * (1 - g), 0)')@5"),
        ("NERR10(p=0.7)", "CWL(c='0.7 * (1 - g)')"),
        ("BPM(T=1)@6", "CWL(c='G < 1 and i < k')@6"),
        ("INST(T=1,value=total)", "CWL(c='((i - 1 + 2 - G) / (i + 2 - G))^2',value=total)"),
        ("INSQ(value=depth)", "CWL(c='((i + 1) / (i + 2))^2',value=depth)"),
    ];

    static PAIRS: LazyLock<Vec<[Metric; 2]>> =
        LazyLock::new(|| SAME.iter().map(|(name, own)| [metric(name), metric(own)]).collect());

    /// Measures whose formula of C is an expression, and what that expression spells.
    static SHOWN: LazyLock<Vec<[Metric; 2]>> = LazyLock::new(|| {
        let names = "RBP INSQ INST(T=1.5) TBG(halflife=3) U(L=12.5) NPV NERR8@6 NERR9@7 NERR10 NERR11 BPM(T=1.5)@9 IFT IFT(form=goal) IFT(form=rate) SDCG@7 \
            CWL(c='0.9*(1-g)') INSQ(depth=8)";
        let own = parse_list(names).unwrap().into_iter();
        own.map(|own| {
            let written = metric(&format!("CWL(c='{}')", own.user().unwrap().continuation));
            [own, written]
        })
        .collect()
    });

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn expressions_are_the_measures_that_they_spell(grades in prop::collection::vec(0..3u32, 1..60)) {
            let graded: Vec<Option<f64>> = grades.iter().map(|g| Some(f64::from(*g))).collect();
            let binary: Vec<Option<f64>> = grades.iter().map(|g| Some(f64::from(u8::from(*g > 0)))).collect();
            for [name, expression] in PAIRS.iter() {
                let rankings = if name.def().name == "P" { vec![&binary] } else { vec![&graded, &binary] };
                for ranking in rankings {
                    let topic = OwnedTopic::new(ranking, &[]);
                    let [a, b] = [name, expression].map(|m| m.score(&topic.view()).value().unwrap());
                    prop_assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{name} {a}, {expression} {b}, {ranking:?}");
                    if let (Some(x), Some(y)) = (name.declaration().tail.with(&topic.view(), a), expression.declaration().tail.with(&topic.view(), b)) {
                        prop_assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{name}: with its tail {x}, {expression} {y}");
                    }
                }
            }
        }

        /// The formula that a measure shows of its user is an expression that gives the measure.
        #[test]
        fn shown_formulas_are_the_measures(grades in prop::collection::vec(0..3u32, 1..30)) {
            let ranking: Vec<Option<f64>> = grades.iter().map(|g| Some(f64::from(*g))).collect();
            let topic = OwnedTopic::new(&ranking, &[]).with_max_grade(2.0);
            for [own, written] in SHOWN.iter() {
                let [Score::Value(a), Score::Value(b)] = [own, written].map(|m| m.score(&topic.view())) else { panic!("{own}") };
                prop_assert!((a - b).abs() < 1e-8, "{own} {a}, {written} {b}");
                let walk = own.user().unwrap().walk(&topic.view(), grades.len() as u32).unwrap();
                prop_assert!((walk.utility() - a).abs() < 1e-9, "{own}: {a}, but {walk:?}");
            }
        }
    }

    #[test]
    fn text_reads_back() {
        for text in [
            "CWL(c='(1 - 1/(i+1))^2 * 0.9')",
            "CWL(c='i <= k')@7",
            "CWL(c='if(G >= 1, 0, 0.9)',depth=50)",
            "CWL(c=0.8,max_rel=3)",
        ] {
            assert_eq!(metric(text).to_string(), text);
            assert_eq!(metric(&metric(text).to_string()), metric(text));
        }
        let both = parse_list("CWL(c='(1 - 1/(i+2))^2, 0'),AP").map_err(|e| e.to_string());
        assert!(both.unwrap_err().contains("CWL, parameter c, column 16: found \",\""));
    }

    #[test]
    fn faults_say_what_is_wrong() {
        for (text, expected) in [
            ("CWL", "CWL needs c"),
            (
                "CWL(c='1 - R')",
                "column 5: unknown name \"R\", expected one of i, g, G, k\n  1 - R\n      ^",
            ),
            (
                "CWL(c='2 / i')",
                "found 2 at i = 1, g = 0, G = 0, expected a probability from 0 to 1\n  2 / i\n  ^^^^^",
            ),
            ("CWL(c='1 - G')", "found -0.5 at i = 2, g = 0.5, G = 1.5"),
            ("CWL(c='1 / (i - 1)')", "found no number at i = 1"),
            ("CWL(c='1')", "reads on for ever"),
            ("CWL(c='i / (i + 1)')", "depth=1000"),
            ("CWL(c='log2(i+1) / log2(i+2)')@10", "reads on for ever"),
            ("CWL(c='g == 0')", "reads on for ever"),
        ] {
            let error = text.parse::<Metric>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    /// A user who reads on for ever after what was found has no score.
    #[test]
    fn endless_after_a_find() {
        let metric = metric("CWL(c='if(G < 1, 0.5, 1)')");
        let found = OwnedTopic::new(&[Some(1.0)], &[]);
        assert!(matches!(metric.score(&found.view()), Score::Undefined(_)));
        let nothing = OwnedTopic::new(&[Some(0.0)], &[]);
        assert_eq!(metric.score(&nothing.view()), Score::Value(0.0));
    }
}

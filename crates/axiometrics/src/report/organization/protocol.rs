//! What one must know to get the same numbers again.

use std::fmt;

use serde::Serialize;

use crate::choice::Choice;
use crate::data::organization::Organizations;
use crate::organization::{Mix, OrganizationSettings, Shares, Stated, Variant};
use crate::policy::{Missing, Undefined};

/// How organizations were scored.
#[derive(Debug, Clone, Serialize)]
pub struct OrganizationProtocol {
    top: f64,
    weight: f64,
    finite: bool,
    variant: Variant,
    /// The share of priority in R, S and F; `None` if topics differ in their shares.
    mix: Option<f64>,
    /// The share of links; `None` likewise.
    linked: Option<f64>,
    /// Whether the user gave the shares, or each topic's gold standard decides.
    mix_given: bool,
    utility: [f64; 4],
    description_cost: f64,
    pub(super) beta: f64,
    missing: &'static str,
    undefined: &'static str,
    version: &'static str,
}

impl OrganizationProtocol {
    /// What these settings and policies come to for a gold standard.
    pub fn new(
        settings: &OrganizationSettings,
        gold: &Organizations,
        missing: Missing,
        undefined: Undefined,
    ) -> OrganizationProtocol {
        let mut all = gold.values().map(|topic| settings.shares(Stated::by(topic)));
        let first = all.next();
        let shares: Option<Shares> = first.filter(|first| all.all(|shares| shares == *first));
        OrganizationProtocol {
            top: settings.curve.top(),
            weight: settings.curve.weight(),
            finite: settings.finite,
            variant: settings.variant,
            mix: shares.map(|shares| shares.priority),
            linked: shares.map(|shares| shares.linked),
            mix_given: settings.mix != Mix::Stated,
            utility: settings.utility,
            description_cost: settings.description_cost,
            beta: settings.beta,
            missing: missing.name(),
            undefined: undefined.name(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl fmt::Display for OrganizationProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OrganizationProtocol {
            top,
            weight,
            finite,
            variant,
            mix,
            linked,
            utility,
            description_cost,
            beta,
            missing,
            undefined,
            version,
            ..
        } = self;
        // The paper's formulas and its numbers do not agree, so whoever reads one of the two should
        // know of the other.
        let other = match variant {
            Variant::Table9 => "printed is as the formulas say",
            _ => "table9 gives the paper's numbers",
        };
        match finite {
            true => write!(f, "finite")?,
            false => write!(f, "top {top}, weight {weight}, variant {} ({other})", variant.name())?,
        }
        if *beta != 1.0 {
            write!(f, ", beta {beta}")?;
        }
        match mix {
            Some(mix) => write!(f, ", mix {mix}")?,
            None => write!(f, ", mix by topic")?,
        }
        if let Some(linked) = linked.filter(|linked| *linked > 0.0) {
            write!(f, ", links {linked}")?;
        }
        let usual = OrganizationSettings::default();
        if *utility != usual.utility {
            write!(f, ", utility {}", utility.map(|worth| worth.to_string()).join(","))?;
        }
        if *description_cost != usual.description_cost {
            write!(f, ", description cost {description_cost}")?;
        }
        write!(f, ", missing {missing}, undefined {undefined}, axio {version}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::data::organization::{DocumentCatalogue, notation};
    use crate::organization::{Curve, measures};
    use crate::score::OrganizationEvaluation;
    use crate::warning::Warnings;

    /// Every combination of some settings.
    fn all_settings() -> Vec<OrganizationSettings> {
        let mut all = vec![OrganizationSettings::default()];
        let mut vary = |change: &dyn Fn(OrganizationSettings) -> Vec<OrganizationSettings>| {
            all = all.iter().flat_map(|settings| change(*settings)).collect();
        };
        vary(&|s| [false, true].map(|finite| OrganizationSettings { finite, ..s }).into());
        vary(&|s| {
            let shares = [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 1.0]];
            let given = shares.map(|shares| Mix::Given(Shares::in_proportion(shares).unwrap()));
            let mixes = given.into_iter().chain([Mix::Stated]);
            mixes.map(|mix| OrganizationSettings { mix, ..s }).collect()
        });
        vary(&|s| {
            Variant::ALL.iter().map(|&variant| OrganizationSettings { variant, ..s }).collect()
        });
        vary(&|s| {
            [10.0, 3.0]
                .map(|top| OrganizationSettings { curve: Curve::new(top, 0.8).unwrap(), ..s })
                .into()
        });
        vary(&|s| [1.0, 2.0].map(|beta| OrganizationSettings { beta, ..s }).into());
        vary(&|s| {
            let worths = [s.utility, [2.0, -1.0, -3.0, 0.5]];
            worths.map(|utility| OrganizationSettings { utility, ..s }).into()
        });
        vary(&|s| {
            let costs = [1.0, 4.0];
            costs.map(|description_cost| OrganizationSettings { description_cost, ..s }).into()
        });
        all
    }

    /// Settings that a result states in the same words give the same scores.
    #[test]
    fn equal_settings_in_words_give_equal_scores() {
        let all: Vec<_> = measures().collect();
        for topics in [
            &[("a b c d e f", "a b c d e f")][..],
            &[("{a b} / {c d} | e", "{a b c} / d e")],
            &[("a b / c ~ a>c b>c", "a b c ~ a>b")],
            &[("{a b} c", "{a b c}"), ("a b | c", "a c | b")],
            &[("{a b} c / d", "{a b d} / c"), ("{a b c} | d", "{a b} c d")],
        ] {
            let mut catalogue = DocumentCatalogue::new();
            let (mut gold, mut system) = (Organizations::new(), Organizations::new());
            for (at, (a, b)) in topics.iter().enumerate() {
                let documents = catalogue.entry(at.to_string()).or_default();
                gold.insert(at.to_string(), notation::parse(a, documents).unwrap());
                system.insert(at.to_string(), notation::parse(b, documents).unwrap());
            }
            let mut known: HashMap<String, Vec<Option<f64>>> = HashMap::new();
            for settings in all_settings() {
                let evaluation = OrganizationEvaluation::new(&gold, &catalogue, &all, &settings);
                let (missing, undefined) = (evaluation.missing, evaluation.undefined);
                let scores = evaluation.system("mine", &system, &mut Warnings::default()).unwrap();
                let values: Vec<Option<f64>> = (0..topics.len())
                    .flat_map(|topic| (0..all.len()).map(move |measure| (topic, measure)))
                    .map(|(topic, measure)| scores.value(topic, measure))
                    .collect();
                let words =
                    OrganizationProtocol::new(&settings, &gold, missing, undefined).to_string();
                let first = known.entry(words.clone()).or_insert_with(|| values.clone());
                assert_eq!(*first, values, "{topics:?} {words} {settings:?}");
            }
        }
    }
}

//! The scales of measurement, and between which of them a similarity can be defined.

use crate::choice::choices;

/// The nine scales on which an assessor or a system can measure relevance. On a rank the value 1 is
/// the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scale {
    /// Categories without any relation.
    NominalUnrelated,
    /// Categories related to those of the other scale, such as the same ones.
    NominalAcross,
    /// Categories related to each other.
    NominalWithin,
    /// A ranking without ties.
    Strict,
    /// A ranking with ties.
    Weak,
    /// A partial order.
    Partial,
    /// Ordered categories: grades.
    RankedCategories,
    /// Numbers whose differences mean something.
    Interval,
    /// Numbers with a zero, absolute ones among them.
    Ratio,
}

choices! {
    Scale {
        NominalUnrelated "nominal-unrelated" "categories without any relation",
        NominalAcross "nominal-across" "categories related to those of the other scale",
        NominalWithin "nominal-within" "categories related to each other",
        Strict "strict" "a ranking without ties",
        Weak "weak" "a ranking with ties",
        Partial "partial" "a partial order",
        RankedCategories "ranked-categories" "ordered categories, such as grades",
        Interval "interval" "numbers whose differences mean something",
        Ratio "ratio" "numbers with a true zero",
    }
}

/// Whether a similarity can be defined between two scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definable {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// The pair makes no sense.
    Senseless,
}

impl Definable {
    /// As the matrix marks it.
    pub fn mark(self) -> &'static str {
        match self {
            Definable::Yes => ".",
            Definable::No => "x",
            Definable::Senseless => "-",
        }
    }
}

impl Scale {
    /// Whether similarity to a system's scale can be defined, this being the assessor's.
    pub fn similarity(self, system: Scale) -> Definable {
        use Scale::{NominalAcross, NominalUnrelated, NominalWithin};
        match (self, system) {
            (NominalUnrelated, NominalAcross | NominalWithin)
            | (NominalAcross | NominalWithin, NominalUnrelated) => Definable::Senseless,
            (NominalUnrelated, _) | (_, NominalUnrelated) => Definable::No,
            (NominalWithin, order) | (order, NominalWithin) if order.is_order() => Definable::No,
            _ => Definable::Yes,
        }
    }

    /// Why no similarity can be defined.
    pub fn refusal(self, system: Scale) -> Option<&'static str> {
        match self.similarity(system) {
            Definable::Yes => None,
            Definable::Senseless => {
                Some("categories cannot be both related and unrelated: the pair makes no sense")
            }
            Definable::No
                if self == Scale::NominalUnrelated || system == Scale::NominalUnrelated =>
            {
                Some(
                    "Postulate 1: no similarity can be defined where one of the scales has unrelated categories",
                )
            }
            Definable::No => Some(
                "no common structure: an order says nothing about categories that are related among themselves only, nor they about it",
            ),
        }
    }

    /// A ranking, whose value is a position.
    pub fn is_order(self) -> bool {
        matches!(self, Scale::Strict | Scale::Weak | Scale::Partial)
    }

    /// Named categories.
    pub fn has_levels(self) -> bool {
        matches!(
            self,
            Scale::NominalUnrelated
                | Scale::NominalAcross
                | Scale::NominalWithin
                | Scale::RankedCategories
        )
    }

    /// Numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Scale::Interval | Scale::Ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    #[test]
    fn the_matrix_is_the_published_one() {
        let rows = [
            "x - - x x x x x x",
            "- . . . . . . . .",
            "- . . x x x . . .",
            "x . x . . . . . .",
            "x . x . . . . . .",
            "x . x . . . . . .",
            "x . . . . . . . .",
            "x . . . . . . . .",
            "x . . . . . . . .",
        ];
        for (alpha, row) in Scale::ALL.iter().zip(rows) {
            let marks: Vec<&str> =
                Scale::ALL.iter().map(|sigma| alpha.similarity(*sigma).mark()).collect();
            assert_eq!(marks.join(" "), row, "{}", alpha.name());
        }
    }

    #[test]
    fn every_refusal_has_a_reason_and_nothing_else_has() {
        for &a in Scale::ALL {
            for &s in Scale::ALL {
                assert_eq!(a.refusal(s).is_some(), a.similarity(s) != Definable::Yes);
            }
        }
        assert!(Scale::NominalUnrelated.refusal(Scale::Strict).unwrap().contains("Postulate 1"));
    }
}

//! Labels of grades: what an assessor writes in place of a number.

use std::str::FromStr;

use crate::error::{Error, Result};

/// A scale of labels, each with its grade.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels(Vec<(String, f64)>);

impl FromStr for Labels {
    type Err = Error;

    /// Labels between commas, or between spaces if there is no comma: `None,Low,Very High`. The
    /// first is grade 0 and each of the others one above the label before it, unless a label has
    /// its grade: `A=0,B=0,C=1,D=1`.
    fn from_str(text: &str) -> Result<Labels> {
        let separator = if text.contains(',') { ',' } else { ' ' };
        let mut labels: Vec<(String, f64)> = Vec::new();
        let mut next = 0.0;
        for word in text.split(separator).map(str::trim).filter(|word| !word.is_empty()) {
            let (label, grade) = match word.split_once('=') {
                None => (word, next),
                Some((label, number)) => {
                    let grade = number.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                    let grade = grade.ok_or_else(|| {
                        Error::usage(format!(
                            "found \"{word}\" among the labels, expected a number for the grade"
                        ))
                        .help("write labels such as None,Low,High or A=0,B=0,C=1")
                    })?;
                    (label.trim(), grade)
                }
            };
            if labels.iter().any(|(known, _)| known == label) {
                return Err(Error::usage(format!(
                    "found the label \"{label}\" twice, expected each label once"
                )));
            }
            labels.push((label.to_string(), grade));
            next = grade + 1.0;
        }
        Ok(Labels(labels))
    }
}

impl Labels {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The grade of a label.
    pub fn grade(&self, label: &[u8]) -> Option<f64> {
        let known = self.0.iter().find(|(known, _)| known.as_bytes() == label);
        known.map(|(_, grade)| *grade)
    }

    /// The highest grade of the scale, whether or not a document has it; `None` if no grade is above
    /// 0.
    pub fn max_grade(&self) -> Option<f64> {
        self.0.iter().map(|(_, grade)| *grade).filter(|grade| *grade > 0.0).reduce(f64::max)
    }

    /// A list of measures with grades in place of labels, in their gains and in the lowest relevant
    /// grade: `RBP(gains={Low:0.3,Very High:1}) P(rel=Low)@5`.
    pub fn in_measures(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_string();
        }
        // A label is known by what is before and after it: gains={LABEL: or ,LABEL: in braces, and
        // rel=LABEL before a comma or a bracket.
        let mut written = String::with_capacity(text.len());
        let (mut rest, mut in_gains) = (text, false);
        while let Some(at) = rest.find(['{', '}', ',', '=']) {
            let (before, after) = rest.split_at(at + 1);
            written += before;
            in_gains =
                if rest[at..].starts_with(',') { in_gains } else { rest[at..].starts_with('{') };
            let ends: &[char] = match &rest[at..at + 1] {
                "=" if before.ends_with("rel=") => &[',', ')'],
                "{" | "," if in_gains => &[':'],
                _ => &[],
            };
            let end = after.find(ends).unwrap_or(0);
            rest = match self.grade(after[..end].trim().as_bytes()) {
                Some(grade) => {
                    written += &grade.to_string();
                    &after[end..]
                }
                None => after,
            };
        }
        written + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_grades() {
        let labels: Labels = "N,P,R,H".parse().unwrap();
        assert_eq!(
            (labels.grade(b"N"), labels.grade(b"H"), labels.grade(b"X")),
            (Some(0.0), Some(3.0), None)
        );
        assert_eq!(labels.max_grade(), Some(3.0));
        assert_eq!(
            labels.in_measures("AP RBP(gains={P:0.3, H:1},p=0.8) DCG(gains={1:2})@5 P(rel=R)@5"),
            "AP RBP(gains={1:0.3,3:1},p=0.8) DCG(gains={1:2})@5 P(rel=2)@5"
        );
        assert_eq!(
            labels.in_measures("BPM(T=2,min_rel=P,max_rel=H)@5 CWL(c='i=R')"),
            "BPM(T=2,min_rel=1,max_rel=3)@5 CWL(c='i=R')"
        );
        assert_eq!(Labels::default().in_measures("RBP(gains={1:1})"), "RBP(gains={1:1})");
        assert_eq!(Labels::default().max_grade(), None);
    }

    #[test]
    fn labels_with_spaces_are_between_commas() {
        let labels: Labels = "None, Low, Very High".parse().unwrap();
        assert_eq!(labels.grade(b"Very High"), Some(2.0));
        assert_eq!(
            labels.in_measures("RBP(gains={Low:0.5,Very High:1}) AP(rel=Very High)"),
            "RBP(gains={1:0.5,2:1}) AP(rel=2)"
        );
        let spaced: Labels = "N P H".parse().unwrap();
        assert_eq!(spaced.grade(b"H"), Some(2.0));
    }

    #[test]
    fn labels_may_share_a_grade_or_have_their_own() {
        let labels: Labels = "A=0,B=0,C=1,D=1,E".parse().unwrap();
        let grades = ["A", "B", "C", "D", "E"].map(|label| labels.grade(label.as_bytes()));
        assert_eq!(grades, [0.0, 0.0, 1.0, 1.0, 2.0].map(Some));
        let error = |text: &str| text.parse::<Labels>().unwrap_err().to_string();
        assert!(error("A=x").contains("found \"A=x\" among the labels, expected a number"));
        assert!(error("A,B,A").contains("found the label \"A\" twice"));
    }
}

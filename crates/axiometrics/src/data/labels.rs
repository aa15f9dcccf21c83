//! Labels of grades: what a judge writes in place of a number.

use std::convert::Infallible;
use std::str::FromStr;

/// Labels, the lowest first: the i-th stands for grade i.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels(Vec<String>);

impl FromStr for Labels {
    type Err = Infallible;

    /// Labels between commas or blanks: `N,P,R,H`.
    fn from_str(text: &str) -> Result<Labels, Infallible> {
        let words = text.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
        Ok(Labels(words.map(str::to_string).collect()))
    }
}

impl Labels {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The grade of a label.
    pub fn grade(&self, label: &[u8]) -> Option<usize> {
        self.0.iter().position(|known| known.as_bytes() == label)
    }

    /// A measure's text with grades in place of labels, in what it says of gains:
    /// `RBP(gains={P:0.3,H:1})`.
    pub fn in_gains(&self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, inside)) = rest.split_once('{') {
            let (inside, after) = inside.split_once('}').unwrap_or((inside, ""));
            let pair = |pair: &str| match pair.split_once(':') {
                Some((label, gain)) => match self.grade(label.trim().as_bytes()) {
                    Some(grade) => format!("{grade}:{gain}"),
                    None => pair.to_string(),
                },
                None => pair.to_string(),
            };
            let pairs: Vec<String> = inside.split(',').map(pair).collect();
            written += &format!("{before}{{{}}}", pairs.join(","));
            rest = after;
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
            (Some(0), Some(3), None)
        );
        assert_eq!(
            labels.in_gains("AP RBP(gains={P:0.3,H:1},p=0.8) DCG(gains={1:2})@5"),
            "AP RBP(gains={1:0.3,3:1},p=0.8) DCG(gains={1:2})@5"
        );
        assert_eq!(Labels::default().in_gains("RBP(gains={1:1})"), "RBP(gains={1:1})");
    }
}

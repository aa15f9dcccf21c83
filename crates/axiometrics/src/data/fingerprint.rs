//! Whether the judgements of a topic are the same as before.

use super::qrels::Qrels;

/// The offset basis and the prime of the hash FNV-1a with 64 bits (Fowler, Noll and Vo).
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Qrels {
    /// A short text that changes if the judgements of a topic do: which documents have a grade above
    /// zero and which grade it is, how many others were judged, and the grades by subtopic if there
    /// are any. It does not depend on the order of lines, nor on how much of the judgements a measure
    /// made us keep, and will be the same in later versions.
    ///
    /// ```
    /// use axiometrics::io::{QrelsOptions, Source, read_qrels};
    /// use axiometrics::warning::Warnings;
    /// let read = |text: &str| {
    ///     let source = Source::from_bytes("qrels", text);
    ///     read_qrels(&source, QrelsOptions::default(), &mut Warnings::default())
    /// };
    /// let (one, two) = (read("1 0 a 1\n1 0 b 2\n")?, read("1 0 b 2\n1 0 a 1\n")?);
    /// assert_eq!(one.fingerprint(0), two.fingerprint(0));
    /// assert_ne!(one.fingerprint(0), read("1 0 a 2\n1 0 b 1\n")?.fingerprint(0));
    /// # Ok::<(), axiometrics::Error>(())
    /// ```
    pub fn fingerprint(&self, topic: u32) -> String {
        let grades = self.grades(topic);
        let mut all = hash([&grades.zero.to_le_bytes()[..], &grades.negative.to_le_bytes()]);
        // A sum does not depend on the order of its terms.
        for (doc, grade) in self.judgements(topic).filter(|(_, grade)| *grade > 0.0) {
            all = all.wrapping_add(hash([doc, &grade.to_le_bytes()]));
        }
        for row in self.facets(topic).rows {
            let facet = self.facet_names().get(row.facet as usize).map_or("", String::as_str);
            let (place, grade) = (row.id_rank.to_le_bytes(), row.grade.to_le_bytes());
            all = all.wrapping_add(hash([facet.as_bytes(), &place, &grade]));
        }
        format!("{all:016x}")
    }
}

/// FNV-1a of some texts, each with its length before it.
fn hash<const N: usize>(texts: [&[u8]; N]) -> u64 {
    let mut hash = BASIS;
    for text in texts {
        let length = (text.len() as u64).to_le_bytes();
        for byte in length.iter().chain(text) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Facet;
    use crate::io::{QrelsOptions, Source, read_qrels};
    use crate::warning::Warnings;

    fn read(text: &str, options: QrelsOptions) -> Qrels {
        read_qrels(&Source::from_bytes("qrels", text), options, &mut Warnings::default()).unwrap()
    }

    fn of(text: &str) -> String {
        read(text, QrelsOptions::default()).fingerprint(0)
    }

    #[test]
    fn it_changes_with_the_judgements_alone() {
        let first = of("1 0 a 1\n1 0 b 2\n1 0 c 0\n");
        assert_eq!(first, of("1 Q c 0\n1 0 b 2\n1 0 a 1\n2 0 z 1\n"));
        for other in [
            "1 0 a 2\n1 0 b 1\n1 0 c 0\n",
            "1 0 a 1\n1 0 b 2\n",
            "1 0 a 1\n1 0 b 2\n1 0 c 0\n1 0 d 0\n",
            "1 0 a 1\n1 0 b 2\n1 0 c -1\n",
            "1 0 a 1\n1 0 bb 2\n1 0 c 0\n",
        ] {
            assert_ne!(first, of(other), "{other}");
        }
        // A promise to files that were written earlier.
        assert_eq!(first, "86249e4af530df04");
    }

    /// Most measures let the reader keep nothing but documents with a grade above zero.
    #[test]
    fn it_does_not_depend_on_what_was_kept() {
        let text = "1 0 a 1\n1 0 b 2\n1 0 c 0\n1 0 d -1\n";
        let all = read(text, QrelsOptions::default());
        let some = read(text, QrelsOptions { positive_only: true, ..QrelsOptions::default() });
        assert!(all.is_complete() && !some.is_complete());
        assert_eq!(all.fingerprint(0), some.fingerprint(0));
    }

    #[test]
    fn subtopics_count() {
        let options = QrelsOptions { facet: Facet::Iteration, ..QrelsOptions::default() };
        let of = |text: &str| read(text, options).fingerprint(0);
        assert_ne!(of("1 1 a 1\n1 2 b 1\n"), of("1 1 a 1\n1 1 b 1\n"));
        assert_eq!(of("1 1 a 1\n1 2 b 1\n"), of("1 2 b 1\n1 1 a 1\n"));
    }
}

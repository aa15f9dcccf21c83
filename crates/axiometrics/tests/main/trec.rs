//! Just enough of the TREC formats to reach the shared data.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::PathBuf;

use axiometrics::data::{FacetRow, Facets, Grades, Hit, Hits, Judged};

/// A folder of the real data. The tests that ask for it are ignored unless it is there.
pub(crate) fn data(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder)
}

pub(crate) fn text(path: &std::path::Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|e| e == "gz") {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        return text;
    }
    String::from_utf8(bytes).unwrap()
}

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split_whitespace().collect())
}

/// Documents by topic, best first: score descending, then document id descending.
pub(crate) fn run(text: &str) -> BTreeMap<&str, Vec<&str>> {
    ranked(text, |a, b| b.cmp(a))
}

/// Documents by topic, best first, ties by an order of their ids.
pub(crate) fn ranked(
    text: &str,
    ties: impl Fn(&str, &str) -> Ordering,
) -> BTreeMap<&str, Vec<&str>> {
    let mut topics: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    for f in lines(text) {
        topics.entry(f[0]).or_default().push((f[4].parse().unwrap(), f[2]));
    }
    topics
        .into_iter()
        .map(|(topic, mut docs)| {
            docs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| ties(a.1, b.1)));
            (topic, docs.into_iter().map(|d| d.1).collect())
        })
        .collect()
}

/// The judgements of one topic: (document, facet, grade).
pub(crate) type Rows<'t> = Vec<(&'t str, &'t str, f64)>;

/// Judgements by topic, the second column being the facet.
pub(crate) fn qrels(text: &str) -> BTreeMap<&str, Rows<'_>> {
    let mut topics: BTreeMap<&str, Rows<'_>> = BTreeMap::new();
    for f in lines(text) {
        topics.entry(f[0]).or_default().push((f[2], f[1], f[3].parse().unwrap()));
    }
    topics
}

/// What a measure may know of one topic, in parts that outlive the view.
pub(crate) struct Topic {
    hits: Vec<Hit>,
    retrieved: u32,
    grades: Grades,
    max_grade: f64,
    rows: Vec<FacetRow>,
    facets: u32,
}

impl Topic {
    pub(crate) fn new(judgements: &Rows<'_>, ranking: &[&str]) -> Topic {
        let mut docs: Vec<&str> = judgements.iter().map(|j| j.0).collect();
        let mut names: Vec<&str> = judgements.iter().map(|j| j.1).collect();
        for ids in [&mut docs, &mut names] {
            ids.sort_unstable();
            ids.dedup();
        }
        // Numbers that neither begin at 0 nor go with the ids: a reader may number as it likes.
        let number: HashMap<&str, u32> = docs.iter().copied().rev().zip(0..).collect();
        let facet = |name: &str| 2 * names.binary_search(&name).unwrap() as u32 + 1;
        let last = docs.len() as u32 - 1;
        let row = |(doc, name, grade): &(&str, &str, f64)| FacetRow {
            doc: number[doc],
            id_rank: last - number[doc],
            facet: facet(name),
            grade: *grade,
        };
        let mut rows: Vec<FacetRow> = judgements.iter().map(row).collect();
        rows.sort_by_key(|r| (r.doc, r.facet));
        let own: Vec<f64> = rows
            .chunk_by(|a, b| a.doc == b.doc)
            .map(|r| r.iter().map(|r| r.grade).fold(f64::MIN, f64::max))
            .collect();
        let hits = (1u32..).zip(ranking).filter_map(|(rank, id)| {
            let doc = *number.get(id)?;
            Some(Hit { rank, doc, grade: own[doc as usize] })
        });
        let hits = hits.collect();
        let max_grade = own.iter().copied().fold(1.0, f64::max);
        Topic {
            hits,
            retrieved: ranking.len() as u32,
            grades: Grades::new(own),
            max_grade,
            rows,
            facets: names.len() as u32,
        }
    }

    pub(crate) fn view(&self) -> Judged<'_> {
        Judged {
            hits: Hits::new(&self.hits),
            retrieved: self.retrieved,
            grades: (&self.grades).into(),
            max_grade: &self.max_grade,
            scores: &[],
            facets: Facets { rows: &self.rows, count: self.facets, weights: &[] },
        }
    }
}

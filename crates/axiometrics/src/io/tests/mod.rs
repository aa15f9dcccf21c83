//! What holds for all formats together.

mod bad_input;
mod detection;
mod oddities;
mod round_trip;

use super::run::read_entries;
use super::*;
use crate::data::{Entries, Qrels, Run};
use crate::warning::Warnings;

/// The rows of a run as text, topics in the order of the file, documents as the measures see them.
fn shown(mut entries: Entries) -> Vec<String> {
    let mut rows = Vec::new();
    entries.group();
    for topic in 0..entries.topic_count() as u32 {
        for row in entries.rows(topic) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            rows.push(format!(
                "{} {} {:?} @{}",
                text(entries.topic_name(topic)),
                text(entries.doc(row)),
                row.value,
                entries.line(row)
            ));
        }
    }
    rows
}

fn run(text: &str) -> Result<Vec<String>> {
    run_bytes(text.as_bytes())
}

fn run_bytes(text: &[u8]) -> Result<Vec<String>> {
    let source = Source::from_bytes("a", text);
    let format = detect_run(&source)?;
    read_entries(&source, Content::Run, format, false, &mut Warnings::default())
        .map(|rows| shown(rows.entries))
}

fn qrels(text: &str, options: QrelsOptions) -> Result<(Qrels, Warnings)> {
    let mut warnings = Warnings::default();
    read_qrels(&Source::from_bytes("q", text), options, &mut warnings).map(|q| (q, warnings))
}

/// Judgements as text: topic, document, grade, and the facets in brackets.
fn judgements(q: &Qrels) -> Vec<String> {
    let mut all = Vec::new();
    for topic in q.topics() {
        for (i, (doc, grade)) in q.judgements(*topic).enumerate() {
            let facets: Vec<String> = q
                .facets(*topic)
                .rows
                .iter()
                .filter(|f| f.doc as usize == i)
                .map(|f| format!("{}={}", q.facet_names()[f.facet as usize], f.grade))
                .collect();
            all.push(format!(
                "{} {} {grade} [{}]",
                q.topic_name(*topic),
                String::from_utf8_lossy(doc),
                facets.join(" ")
            ));
        }
    }
    all.sort();
    all
}

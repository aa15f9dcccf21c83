//! What can be odd about a run, by itself and beside its judgements.

use super::{Findings, TopicTable, ValidationCheck};
use crate::data::{Entry, Qrels};
use crate::policy::{Rounding, Ties};

/// How deep the shares of unjudged and tied documents are looked at.
const TOP: usize = 10;

/// Checks a run, which is to be measured down to a cutoff. Returns the share of unjudged documents in the top of the judged topics.
pub(super) fn check(
    table: TopicTable<'_>,
    qrels: Option<&Qrels>,
    cutoff: usize,
    findings: &mut Findings,
) -> Option<f64> {
    let (mut unjudged, mut seen) = (0, 0);
    for (number, name, rows) in table.topics() {
        duplicates(table, &name, rows, findings);
        for row in rows.iter().filter(|r| r.value.is_infinite()) {
            findings.add(ValidationCheck::InfiniteScore, Some(table.fact(row).line), || {
                format!("document {} has the score {}", table.doc(row), row.value)
            });
        }
        let order = table.entries.listing(number).order(Ties::DocidDesc, Rounding::F64);
        let ranking: Vec<&Entry> = order.iter().map(|row| &rows[*row as usize]).collect();
        ranks(table, &name, rows, findings);
        ties(table, &name, &ranking, findings);
        if ranking.len() < cutoff {
            findings.add(ValidationCheck::ShortRanking, table.first_line(rows), || {
                format!("topic {name}: {} documents, and the cutoff is {cutoff}", ranking.len())
            });
        }
        let Some(qrels) = qrels else { continue };
        let Some(topic) = qrels.find(table.entries.topic_name(number)) else {
            findings.add(ValidationCheck::UnjudgedTopic, table.first_line(rows), || {
                format!("topic {name} has no judgements")
            });
            continue;
        };
        let mut judged: Vec<&[u8]> = qrels
            .judgements(topic)
            .filter(|(_, grade)| *grade >= 0.0)
            .map(|(doc, _)| doc)
            .collect();
        judged.sort_unstable();
        let top = &ranking[..ranking.len().min(TOP)];
        let strangers: Vec<&&Entry> =
            top.iter().filter(|r| judged.binary_search(&table.entries.doc(r)).is_err()).collect();
        if 2 * strangers.len() > top.len() {
            let line = strangers.first().map(|r| table.fact(r).line);
            let (n, of) = (strangers.len(), top.len());
            findings.add(ValidationCheck::UnjudgedTop, line, || {
                format!("topic {name}: {n} unjudged among the first {of}")
            });
        }
        unjudged += strangers.len();
        seen += top.len();
    }
    let qrels = qrels?;
    for topic in qrels
        .topics()
        .iter()
        .filter(|t| table.entries.topics.find(qrels.topic_bytes(**t)).is_none())
    {
        findings.add(ValidationCheck::MissingTopic, None, || {
            format!("topic {} is judged, but missing from the run", qrels.topic_name(*topic))
        });
    }
    (seen > 0).then(|| unjudged as f64 / seen as f64)
}

fn duplicates(table: TopicTable<'_>, topic: &str, rows: &[Entry], findings: &mut Findings) {
    let sorted = table.by_doc(rows);
    let mut repeated: Vec<(&Entry, u64)> = Vec::new();
    for same in sorted
        .chunk_by(|a, b| table.entries.doc(a) == table.entries.doc(b))
        .filter(|same| same.len() > 1)
    {
        let first = table.fact(same[0]).line;
        repeated.extend(same[1..].iter().map(|row| (*row, first)));
    }
    repeated.sort_by_key(|(row, _)| row.start);
    for (row, first) in repeated {
        let line = table.fact(row).line;
        findings.add(ValidationCheck::DuplicateDocument, Some(line), || {
            format!("document {} is in topic {topic} twice (first on line {first})", table.doc(row))
        });
    }
}

/// Ranks that put a lower score before a higher one.
fn ranks(table: TopicTable<'_>, topic: &str, rows: &[Entry], findings: &mut Findings) {
    let mut ranked: Vec<(f64, &Entry)> =
        table.facts(rows).filter_map(|(row, fact)| fact.rank.map(|rank| (rank, row))).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let contradictions: Vec<[(f64, &Entry); 2]> = ranked
        .windows(2)
        .filter(|w| w[0].0 < w[1].0 && w[0].1.value < w[1].1.value)
        .map(|w| [w[0], w[1]])
        .collect();
    if let Some([(upper, above), (lower, below)]) = contradictions.first() {
        let more = match contradictions.len() - 1 {
            0 => String::new(),
            1 => ", and one more place".to_string(),
            n => format!(", and {n} more places"),
        };
        findings.add(ValidationCheck::RankContradictsScore, Some(table.fact(below).line), || {
            format!("topic {topic}: rank {upper} has the score {}, rank {lower} the higher score {}{more}", above.value, below.value)
        });
    }
}

/// Ties, one finding per topic.
fn ties(table: TopicTable<'_>, topic: &str, ranking: &[&Entry], findings: &mut Findings) {
    let (mut tied, mut in_top, mut first) = (0, 0, None);
    let mut start = 0;
    for group in ranking.chunk_by(|a, b| a.value == b.value) {
        if group.len() > 1 {
            tied += group.len();
            in_top += TOP.min(start + group.len()).saturating_sub(start);
            first = first.or_else(|| {
                group.iter().min_by_key(|row| row.start).map(|row| table.fact(row).line)
            });
        }
        start += group.len();
    }
    if tied > 0 {
        let top =
            if in_top > 0 { format!(", {in_top} of them in the top {TOP}") } else { String::new() };
        findings.add(ValidationCheck::Ties, first, || {
            format!("topic {topic}: {tied} documents share their score with another{top}")
        });
    }
}

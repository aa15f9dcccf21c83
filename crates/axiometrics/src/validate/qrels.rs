//! What can be odd about judgements.

use super::{Findings, TopicTable, ValidationCheck};
use crate::data::Entry;

/// Checks judgements.
pub(super) fn check(table: TopicTable<'_>, max_grade: f64, findings: &mut Findings) {
    let mut by_facet: Option<(u64, String)> = None;
    let mut facet_count = 0u64;
    for (_, topic, rows) in table.topics() {
        for row in rows {
            grade(table, row, max_grade, findings);
        }
        if !rows.iter().any(|r| r.value > 0.0) {
            findings.add(ValidationCheck::NoRelevantDocument, table.first_line(rows), || {
                format!("topic {topic} has no document with a grade above 0")
            });
        }
        let mut repeated: Vec<(&Entry, &Entry)> = Vec::new();
        for same in table.by_doc(rows).chunk_by(|a, b| table.entries.doc(a) == table.entries.doc(b))
        {
            for (i, row) in same.iter().enumerate().skip(1) {
                match same[..i]
                    .iter()
                    .find(|earlier| table.fact(earlier).facet == table.fact(row).facet)
                {
                    Some(earlier) => repeated.push((earlier, row)),
                    None => {
                        facet_count += 1;
                        by_facet.get_or_insert_with(|| {
                            (
                                table.fact(row).line,
                                format!("document {} of topic {topic}", table.doc(row)),
                            )
                        });
                    }
                }
            }
        }
        repeated.sort_by_key(|(_, row)| row.start);
        for (first, row) in repeated {
            let agree = if first.value == row.value {
                format!("with the same grade {}", row.value)
            } else {
                format!("with the grades {} and {}", first.value, row.value)
            };
            findings.add(ValidationCheck::DuplicateDocument, Some(table.fact(row).line), || {
                format!(
                    "document {} is judged twice in topic {topic}, {agree} (first on line {})",
                    table.doc(row),
                    table.fact(first).line
                )
            });
        }
    }
    // Whole files are judged by subtopic: that is one finding, not one per document.
    if let Some((line, example)) = by_facet {
        findings.add(ValidationCheck::JudgedByFacet, Some(line), || {
            format!("documents are judged again under another second column: {facet_count} in all, the first is {example}")
        });
    }
}

fn grade(table: TopicTable<'_>, row: &Entry, max_grade: f64, findings: &mut Findings) {
    let line = || Some(table.fact(row).line);
    if row.value < 0.0 {
        findings.add(ValidationCheck::GradeOutOfRange, line(), || {
            format!("document {} has the negative grade {}", table.doc(row), row.value)
        });
    } else if row.value > max_grade {
        let message = || {
            format!(
                "document {} has the grade {}, above the maximum {max_grade}",
                table.doc(row),
                row.value
            )
        };
        findings.add(ValidationCheck::GradeOutOfRange, line(), message);
    }
}

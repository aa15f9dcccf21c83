//! Judgements from files of any format.

use hashbrown::HashMap;

use super::row::{Gather, Wanted};
use super::run::read_entries;
use super::trec::{Halt, Layout, Scan, Sink, TopicLines};
use super::{Content, Format, Source, detect, swapped};
use crate::data::qrels::DuplicateJudgement;
use crate::data::{Entries, Entry, Facet, GradesByTopic, Qrels, Repeats, Unkept};
use crate::error::{Error, Place, Result};
use crate::warning::{WarningKind, Warnings};

/// How judgements are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct QrelsOptions {
    /// Lines that are wrong are counted and left out, and of repeated judgements the highest grade
    /// is kept.
    pub lenient: bool,
    /// The format, if it is not to be recognised by the content.
    pub format: Option<Format>,
    /// The second key.
    pub facet: Facet,
    /// The fractions of grades are cut off, as trec_eval does.
    pub whole_grades: bool,
    /// Only judgements above zero are needed, and of the others their number, which is faster; see
    /// [`Qrels::is_complete`].
    pub positive_only: bool,
}

/// The judgements of a file, of whatever format.
pub fn read_qrels(
    source: &Source,
    options: QrelsOptions,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    let QrelsOptions { lenient, facet, .. } = options;
    swapped::refuse(source, Content::Qrels)?;
    let format = options.format.map_or_else(|| detect(source, Content::Qrels), Ok)?;
    if options.positive_only
        && facet == Facet::None
        && format == Format::Trec
        && !lenient
        && let Some(qrels) = read_positive(source, options.whole_grades)?
    {
        return Ok(qrels);
    }
    if facet == Facet::None {
        let mut entries = read_entries(source, Content::Qrels, format, lenient, warnings)?.entries;
        if lenient {
            let dropped = entries.keep_once()?;
            if let Some(line) = dropped.first {
                warnings.add(WarningKind::DuplicateDocument, dropped.count, source.name(), line);
            }
        }
        settle(source, &mut entries, options)?;
        return Qrels::from_file(entries).map_err(|d| judged_twice(source.name(), &d, facet));
    }
    let mut gather = Gather::new(source.name(), true, lenient, warnings);
    super::read_rows(source, Wanted { content: Content::Qrels, facet }, format, &mut gather)?;
    let (mut entries, mut facets) = (gather.entries, gather.facets.unwrap_or_default());
    if lenient {
        (entries, facets) = best(entries, &facets, |line| {
            warnings.add(WarningKind::DuplicateDocument, 1, source.name(), line)
        })?;
    }
    settle(source, &mut entries, options)?;
    let (names, lines): (Vec<String>, Vec<u64>) = facets.into_iter().unzip();
    Qrels::with_facets(entries, &names, &lines).map_err(|d| judged_twice(source.name(), &d, facet))
}

/// The judgements above zero of a file that is grouped by topic; `None` if it is not, or if it
/// judges a document twice, or is empty.
fn read_positive(source: &Source, whole_grades: bool) -> Result<Option<Qrels>> {
    let mut rows = Positive { whole_grades, ..Positive::default() };
    let scan = Scan::new(source, Layout::Qrels, false);
    match scan.read(source.read()?, &mut Warnings::default(), &mut rows) {
        Ok(_) if rows.entries.topic_count() > 0 => {
            Ok(Some(Qrels::positive_only(rows.entries, rows.grades)))
        }
        Ok(_) | Err(Halt::Scattered) => Ok(None),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Gathers the rows above zero and counts the others.
#[derive(Default)]
struct Positive {
    entries: Entries,
    grades: GradesByTopic,
    repeats: Repeats,
    whole_grades: bool,
}

impl Sink for Positive {
    fn group(&mut self, group: &TopicLines<'_>) -> std::result::Result<(), Halt> {
        let topic = self.entries.topic(group.topic);
        // A topic that comes again or a document that does: the reader of everything will say what
        // is wrong, if it is.
        if (topic as usize) < self.grades.len() || self.repeats.check(group.listing()).is_err() {
            return Err(Halt::Scattered);
        }
        let mut unkept = Unkept::default();
        // There are few grades, and mostly the next is that of the line before.
        let (mut read, mut value) = (f64::NAN, f64::NAN);
        let above = group.lines.iter().filter_map(|line| {
            if line.value != read {
                read = line.value;
                value = if self.whole_grades { read.trunc() } else { read };
            }
            if value > 0.0 {
                return Some(Entry { value, ..*line });
            }
            *if value == 0.0 { &mut unkept.zero } else { &mut unkept.negative } += 1;
            None
        });
        self.entries.extend(topic, group.text, above.map(|row| (row, None)))?;
        self.grades.add(self.entries.rows_mut(topic), unkept);
        Ok(())
    }
}

fn settle(source: &Source, entries: &mut Entries, options: QrelsOptions) -> Result<()> {
    if options.whole_grades {
        entries.map_values(f64::trunc);
    }
    if !entries.is_empty() {
        return Ok(());
    }
    Err(Error::input(
        Place::file(source.name()),
        "no judgements in the file, expected lines of: topic iteration document grade",
    ))
}

fn judged_twice(name: &str, d: &DuplicateJudgement, facet: Facet) -> Error {
    let DuplicateJudgement { topic, doc, first, second } = d;
    let message = format!(
        "document \"{doc}\" is judged twice in topic {topic} (first on line {first}), expected one judgement"
    );
    let help = match facet {
        Facet::None => {
            "remove one of the lines; judgements by subtopic or by judgement group need a measure that reads them, such as alpha_nDCG@10"
        }
        _ => "remove one of the lines; both are for the same subtopic, judgement group or stratum",
    };
    Error::duplicate(Place::line(name, *second), message).help(help)
}

/// Of each document and facet the highest grade; `repeated` hears the lines of the others. The line
/// of a row is its number among the facets.
fn best(
    mut entries: Entries,
    facets: &[(String, u64)],
    mut repeated: impl FnMut(u64),
) -> Result<(Entries, Vec<(String, u64)>)> {
    entries.group();
    let mut kept = Entries::new();
    let mut kept_facets = Vec::new();
    for topic in 0..entries.topic_count() as u32 {
        let name = kept.topic(entries.topic_name(topic));
        let rows = entries.rows(topic);
        let facet = |row: usize| &facets[entries.line(&rows[row]) as usize];
        let mut at: HashMap<(&[u8], &str), usize> = HashMap::with_capacity(rows.len());
        let mut best: Vec<(usize, f64)> = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let slot = *at.entry((entries.doc(row), facet(i).0.as_str())).or_insert(best.len());
            match best.get_mut(slot) {
                None => best.push((i, row.value)),
                Some((_, value)) => {
                    *value = value.max(row.value);
                    repeated(facet(i).1);
                }
            }
        }
        for (i, value) in best {
            kept.push(name, entries.doc(&rows[i]), value, kept_facets.len() as u64)?;
            kept_facets.push(facet(i).clone());
        }
    }
    Ok((kept, kept_facets))
}

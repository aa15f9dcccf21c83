//! A run in the place of judgements, or judgements in the place of a run.
//!
//! Both have topics, documents and numbers, so that one would be read as the other and score
//! nonsense. Owns what is certain by the first content of one file; what two files say together is
//! asked when they meet.

use super::columns::Role;
use super::detect::Head;
use super::{Content, Source, table};
use crate::data::bytes::is_blank;
use crate::error::{Error, Place, Result};

/// What to do about files in the wrong places.
pub(crate) const SWAPPED: &str = "the order is QRELS RUN; these look swapped";

/// Refuses a file that certainly holds something else.
pub(super) fn refuse(source: &Source, wanted: Content) -> Result<()> {
    let Ok(head) = Head::of(source) else { return Ok(()) };
    match certain(&head) {
        Some(found) if found != wanted => {
            let line = head.first_line();
            let shown = line.get(..80).unwrap_or(line);
            let shown = String::from_utf8_lossy(shown).replace(['\t', '\r'], " ");
            Err(Error::input(
                Place::file(source.name()),
                format!("found {} ({shown}), expected {}", found.noun(), wanted.noun()),
            )
            .help(SWAPPED))
        }
        _ => Ok(()),
    }
}

/// Whether a file holds judgements and a run, as records do that list the relevant documents beside
/// the retrieved ones.
pub fn holds_both(source: &Source) -> bool {
    let both = |has: &dyn Fn(Role) -> bool| {
        has(Role::Relevant) && has(Role::Retrieved)
            || has(Role::Grade) && (has(Role::Score) || has(Role::Rank))
    };
    if let Some(table) = source.table() {
        let columns = table::by_role(&table.names());
        return both(&|role| columns.get(role).is_some());
    }
    let Ok(head) = Head::of(source) else { return false };
    match (head.json(), head.table()) {
        (Some(json), _) => both(&|role| json.has_key(role)),
        (None, Some(table)) => both(&|role| table.columns.get(role).is_some()),
        (None, None) => false,
    }
}

/// What a file holds, if there is no doubt.
fn certain(head: &Head<'_>) -> Option<Content> {
    if let Some(json) = head.json() {
        return certain_by_roles(|role| json.has_key(role));
    }
    match head.table() {
        Some(table) => certain_by_roles(|role| table.columns.get(role).is_some()),
        None => certain_by_fields(head.first_line()),
    }
}

/// A grade makes judgements, a rank a run. A score may be either's, and a table may hold both.
fn certain_by_roles(has: impl Fn(Role) -> bool) -> Option<Content> {
    if has(Role::Retrieved) || has(Role::Relevant) {
        return None;
    }
    match (has(Role::Grade), has(Role::Score) || has(Role::Rank), has(Role::Rank)) {
        (true, false, _) => Some(Content::Qrels),
        (false, _, true) => Some(Content::Run),
        _ => None,
    }
}

/// `topic Q0 document rank score tag`, or `topic iteration document grade`.
fn certain_by_fields(line: &[u8]) -> Option<Content> {
    let fields: Vec<&[u8]> = line
        .split(|b| is_blank(*b))
        .filter(|field| !field.is_empty())
        .take_while(|field| !field.starts_with(b"#"))
        .take(7)
        .collect();
    let number = |field: &[u8]| {
        std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok()).is_some()
    };
    let whole = |field: &[u8]| {
        !field.is_empty()
            && field.strip_prefix(b"-").unwrap_or(field).iter().all(u8::is_ascii_digit)
    };
    match fields[..] {
        [_, q0, _, rank, score, ..] if q0.eq_ignore_ascii_case(b"q0") => {
            (number(rank) && number(score)).then_some(Content::Run)
        }
        [_, _, _, rank, score, tag] if whole(rank) && number(score) && !number(tag) => {
            Some(Content::Run)
        }
        [_, iteration, _, grade] if whole(iteration) && whole(grade) => Some(Content::Qrels),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{QrelsOptions, RunOptions, read_qrels, read_run};
    use crate::warning::Warnings;

    const RUNS: [&str; 5] = [
        "1 Q0 d 1 9.5 tag\n",
        "1 Q0 d 1 9.5\n",
        "1\t0\td\t3\t9.5\ttag\n",
        "qid,docno,rank,score\n1,d,1,9.5\n",
        "{\"qid\": \"1\", \"docno\": \"d\", \"rank\": 1, \"score\": 9.5}\n",
    ];
    const QRELS: [&str; 4] = [
        "1 0 d 2\n",
        "1\t0\td\t-1\r\n",
        "query_id,doc_id,relevance\n1,d,2\n",
        "[{\"query_id\": \"1\", \"doc_id\": \"d\", \"relevance\": 2}]",
    ];

    #[test]
    fn a_file_in_the_place_of_another_is_refused() {
        for (texts, lenient) in [(&RUNS, false), (&RUNS, true)] {
            for text in texts {
                let source = Source::from_bytes("b.run", *text);
                let options = QrelsOptions { lenient, ..QrelsOptions::default() };
                let error = read_qrels(&source, options, &mut Warnings::default()).unwrap_err();
                assert!(error.to_string().starts_with("b.run: found a run ("), "{error}");
                assert!(error.to_string().contains(SWAPPED), "{error}");
                read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
            }
        }
        for text in QRELS {
            let source = Source::from_bytes("q", text);
            let error = read_run(&source, RunOptions::default(), &mut Warnings::default());
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("q: found judgements ("), "{error}");
            assert!(error.contains(SWAPPED), "{error}");
            read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
        }
    }

    #[test]
    fn what_could_be_either_is_taken_as_it_is_named() {
        for text in ["query-id\tcorpus-id\tscore\n1\td\t1\n", "{\"1\": {\"d\": 1}}"] {
            let source = Source::from_bytes("x", text);
            read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
            read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
        }
        // The second column of judgements is anything.
        let source = Source::from_bytes("x", "1 Q0 d 1\n");
        read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
    }
}

//! Session files: lines of a session and a topic, in the order of the queries.

use super::{Source, csv, lines};
use crate::data::{Sessions, id_text};
use crate::error::{Error, Place, Result};

/// The sessions of a file: on each line a session and a topic, which is its next query.
pub fn read_sessions(source: &Source) -> Result<Sessions> {
    let mut sessions = Sessions::default();
    lines::each_entry(source, |text, line, is_first| {
        let place = Place::line(source.name(), line);
        let fields = csv::plain_fields(text);
        let [session, topic] = fields.as_slice() else {
            return Err(Error::expected(place, text, "a session and a topic"));
        };
        if is_first && session.eq_ignore_ascii_case(b"session") {
            return Ok(());
        }
        if sessions.push(session, topic) {
            return Ok(());
        }
        let (session, topic) = (id_text(session), id_text(topic));
        let message = format!("session {session} has the topic {topic} already");
        Err(Error::input(place, message).help("each query of a session is a topic of its own"))
    })?;
    if sessions.is_empty() {
        let place = Place::file(source.name());
        let message = "nothing in the file, expected a session and a topic on each line";
        return Err(Error::input(place, message));
    }
    Ok(sessions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_keep_their_order() {
        let text = "session,topic\ns2,b\ns1,c\n# a remark\ns2,a\n";
        let sessions = read_sessions(&Source::from_bytes("s", text)).unwrap();
        let told: Vec<(String, Vec<&[u8]>)> = sessions
            .iter()
            .map(|session| (session.text().into_owned(), session.queries().collect()))
            .collect();
        let expected: Vec<(String, Vec<&[u8]>)> =
            vec![("s2".into(), vec![b"b", b"a"]), ("s1".into(), vec![b"c"])];
        assert_eq!(told, expected);
        for (text, message) in [
            ("s1 a b\n", "s:1: found \"s1 a b\", expected a session and a topic"),
            ("s1 a\ns1 a\n", "s:2: session s1 has the topic a already"),
            ("\n", "s: nothing in the file"),
        ] {
            let error = read_sessions(&Source::from_bytes("s", text)).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}

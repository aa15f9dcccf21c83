//! The tag of a TREC run, which stands in the last column and which the scanner passes over.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use super::Source;
use crate::error::{Error, Result};

/// How much of the end of a file is read first.
const TAIL: u64 = 1 << 12;

/// The tag on the last line of a run that is not blank nor a comment; `None` where there is no such
/// line, or no tag on it.
pub fn last_tag(source: &Source) -> Result<Option<String>> {
    let fail = |e| Error::io(source.name(), e);
    let Some((mut file, size)) = source.plain_file() else {
        let mut input = BufReader::new(source.read()?);
        let (mut line, mut last) = (Vec::new(), None);
        while input.read_until(b'\n', &mut line).map_err(fail)? > 0 {
            last = content(&line).or(last);
            line.clear();
        }
        return Ok(last.flatten());
    };
    // Only the end of the file matters: more of it is read until it holds a whole line of content.
    let mut length = TAIL;
    loop {
        let start = size.saturating_sub(length);
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(start)).map_err(fail)?;
        file.by_ref().take(length).read_to_end(&mut tail).map_err(fail)?;
        let mut lines: Vec<&[u8]> = tail.split(|b| *b == b'\n').collect();
        if start > 0 {
            lines.remove(0);
        }
        match lines.iter().rev().find_map(|line| content(line)) {
            Some(tag) => return Ok(tag),
            None if start == 0 => return Ok(None),
            None => length *= 16,
        }
    }
}

/// The tag of a line that has content, or that it has none.
fn content(line: &[u8]) -> Option<Option<String>> {
    let mut fields =
        line.split(|b| b.is_ascii_whitespace() || *b == 0x0b).filter(|f| !f.is_empty());
    let topic = fields.next()?;
    (!topic.starts_with(b"#"))
        .then(|| fields.nth(4).map(|tag| String::from_utf8_lossy(tag).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_content_names_the_run() {
        let comments = "# x\n".repeat(20_000);
        for (text, tag) in [
            ("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 y more\n\n# 1 Q0 c 3 1 z\n".to_string(), Some("y")),
            (format!("1\tQ0\ta\t1\t2.5\tx\r\n{comments}"), Some("x")),
            ("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5\n".into(), None),
            (comments.clone(), None),
            (String::new(), None),
        ] {
            let spooled = Source::spool("run", &mut text.as_bytes()).unwrap();
            let in_memory = Source::from_bytes("run", text);
            assert_eq!(last_tag(&spooled).unwrap().as_deref(), tag);
            assert_eq!(last_tag(&in_memory).unwrap().as_deref(), tag);
        }
    }
}

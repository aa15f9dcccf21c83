//! trec_eval's z-score files (`-Z`): topic, measure, mean and standard deviation of reference runs,
//! between white space, one reference a line.
//!
//! Empty lines and lines that begin with `#` are skipped, and so is what follows a field that
//! begins with `#` after the fourth.

use std::io::{BufRead, Write};

use super::fields::{Line, lines};
use crate::data::{Reference, References};
use crate::error::{Error, Result};

/// Reads a z-score file; `file` is its name in errors.
pub fn read(input: impl BufRead, file: &str) -> Result<References> {
    let mut all = References::default();
    lines(input, file, |mut line: Line<'_>| {
        let topic = line.next("a topic")?;
        let measure = line.next("the name of a measure")?;
        let measure = std::str::from_utf8(measure)
            .map_err(|_| line.found("the name of a measure in UTF-8"))?;
        if all.get(topic, measure).is_some() {
            return Err(line.found("each measure once a topic"));
        }
        let mean = line.number("a mean", f64::NEG_INFINITY)?;
        let sd = line.number("a standard deviation", 0.0)?;
        line.end()?;
        all.insert(topic, measure, Reference { mean, sd });
        Ok(())
    })?;
    Ok(all)
}

/// Writes a z-score file; the numbers read back as they are.
pub fn write(references: &References, mut output: impl Write, file: &str) -> Result<()> {
    for (topic, measure, Reference { mean, sd }) in references.iter() {
        let line =
            output.write_all(topic).and_then(|()| writeln!(output, " {measure} {mean} {sd}"));
        line.map_err(|e| Error::io(file, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_wrote() {
        let text =
            b"# references\n301 map 0.1212 0.1545\n301 P_5 0.5 0\n302 map 0.25 0.1 # again\n";
        let all = read(&text[..], "z").unwrap();
        assert_eq!(all.get(b"301", "map"), Some(Reference { mean: 0.1212, sd: 0.1545 }));
        assert_eq!(all.get(b"303", "map"), None);
        let mut written = Vec::new();
        write(&all, &mut written, "z").unwrap();
        assert_eq!(read(&written[..], "z").unwrap(), all);
    }

    #[test]
    fn says_where_a_line_is_wrong() {
        for (text, expected) in [
            ("301 map 0.1", "z:1:12: found nothing, expected a standard deviation"),
            ("301 map x 1", "z:1:9: found \"x\", expected a mean"),
            (
                "301 map 0 -1",
                "z:1:11: found \"-1\", expected a standard deviation: a number of at least 0",
            ),
            (
                "301 map 0 1\n301 map 0 2",
                "z:2:5: found \"map\", expected each measure once a topic",
            ),
        ] {
            let e = read(text.as_bytes(), "z").unwrap_err().to_string();
            assert!(e.starts_with(expected), "{e}");
        }
    }
}

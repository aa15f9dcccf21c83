//! Organizations in one line, for examples, tests and witnesses.
//!
//! Levels are separated by `/`, clusters stand in braces, a bare id is a cluster of its own,
//! discarded documents follow after `|`, a score after `=`: `d1 {d2 d3} / {d4 d5} | d6`,
//! `a=0.9 b=0.4 | c=0.1`. Ids hold no space and none of `{}/|=`.

use super::{Builder, Documents, Organization};

/// Reads the notation. The message says what is wrong.
pub fn parse(text: &str, documents: &mut Documents) -> Result<Organization, String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| if "{}/|".contains(c) { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    let mut builder = Organization::builder();
    let mut open: Option<Vec<u32>> = None;
    let mut tail = false;
    for token in spaced.split_whitespace() {
        match (token, &mut open) {
            ("{", None) if !tail => open = Some(Vec::new()),
            ("}", Some(cluster)) => {
                let cluster = std::mem::take(cluster);
                open = None;
                builder.cluster(cluster).map_err(|defect| defect.describe(documents))?;
            }
            ("/", None) if !tail => {
                builder.level();
            }
            ("|", None) if !tail => tail = true,
            ("{" | "}" | "/" | "|", _) => {
                return Err(format!("a {token} where none can stand, in {text}"));
            }
            (id, Some(cluster)) => cluster.push(document(id, documents, &mut builder)?),
            (id, None) => {
                let id = document(id, documents, &mut builder)?;
                let added = if tail {
                    builder.discard(id).map(|_| ())
                } else {
                    builder.cluster([id]).map(|_| ())
                };
                added.map_err(|defect| defect.describe(documents))?;
            }
        }
    }
    if open.is_some() {
        return Err(format!("a {{ without its }}, in {text}"));
    }
    Ok(builder.build())
}

fn document(token: &str, documents: &mut Documents, builder: &mut Builder) -> Result<u32, String> {
    let Some((id, score)) = token.split_once('=') else { return Ok(documents.intern(token)) };
    let score = score.parse().map_err(|_| format!("{score} is no score, in {token}"))?;
    let id = documents.intern(id);
    builder.score(id, score);
    Ok(id)
}

/// Writes the notation. Scores are left out.
pub fn format(organization: &Organization, documents: &Documents) -> String {
    let mut parts = Vec::new();
    for level in 0..organization.levels() {
        if level > 0 {
            parts.push("/".to_string());
        }
        for cluster in organization.level(level) {
            let names: Vec<&str> = organization
                .cluster(cluster)
                .iter()
                .map(|&document| documents.name(document))
                .collect();
            parts.push(if names.len() == 1 {
                names[0].to_string()
            } else {
                format!("{{{}}}", names.join(" "))
            });
        }
    }
    if !organization.discarded().is_empty() {
        parts.push("|".to_string());
        parts.extend(
            organization.discarded().iter().map(|&document| documents.name(document).to_string()),
        );
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_wrong() {
        for (text, problem) in [
            ("{a b", "without its }"),
            ("a }", "a } where none can stand"),
            ("a | b / c", "a / where none can stand"),
            ("{a a}", "document a stands twice in one cluster"),
            ("a | a", "document a is discarded"),
            ("a=x", "x is no score"),
        ] {
            let message = parse(text, &mut Documents::default()).unwrap_err();
            assert!(message.contains(problem), "{text}: {message}");
        }
    }
}

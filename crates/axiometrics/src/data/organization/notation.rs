//! Organizations in one line, for examples, tests, witnesses and the command line.
//!
//! Levels are separated by `/`, clusters are in braces, a bare id is a cluster of its own, discarded
//! documents follow after `|`: `d1 {d2 d3} / {d4 d5} | d6`. An id can have a weight after `*` and a
//! score after `=`: `a*2 b=0.4`, `a*2=0.9`. Links follow at the end, after `~`: `a b c ~ a>b a>c`.
//! Ids hold no space and none of `{}/|*=~>`.

use super::{Builder, Documents, Organization};

/// The parts of an organization, in their order.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum NotationPart {
    Levels,
    Tail,
    Links,
}

/// Reads the notation. The message says what is wrong.
pub fn parse(text: &str, documents: &mut Documents) -> Result<Organization, String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| if "{}/|~".contains(c) { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    let mut builder = Organization::builder();
    let mut open: Option<Vec<u32>> = None;
    let mut part = NotationPart::Levels;
    for token in spaced.split_whitespace() {
        match (token, &mut open) {
            ("{", None) if part == NotationPart::Levels => open = Some(Vec::new()),
            ("}", Some(cluster)) => {
                let cluster = std::mem::take(cluster);
                open = None;
                builder.cluster(cluster).map_err(|defect| defect.describe(documents))?;
            }
            ("/", None) if part == NotationPart::Levels => {
                builder.level();
            }
            ("|", None) if part < NotationPart::Tail => part = NotationPart::Tail,
            ("~", None) if part < NotationPart::Links => part = NotationPart::Links,
            ("{" | "}" | "/" | "|" | "~", _) => {
                return Err(format!("a {token} out of place, in {text}"));
            }
            (id, Some(cluster)) => cluster.push(document(id, documents, &mut builder)?),
            (link, None) if part == NotationPart::Links => {
                let Some((from, to)) = link.split_once('>') else {
                    return Err(format!("found {link}, expected a link such as a>b, in {text}"));
                };
                let (from, to) = (documents.intern(from), documents.intern(to));
                builder.link(from, to).map_err(|defect| defect.describe(documents))?;
            }
            (id, None) => {
                let id = document(id, documents, &mut builder)?;
                let added = if part == NotationPart::Tail {
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
    let (rest, score) = token.split_once('=').map_or((token, None), |(id, s)| (id, Some(s)));
    let (name, weight) = rest.split_once('*').map_or((rest, None), |(id, w)| (id, Some(w)));
    if name.is_empty() || name.contains('>') {
        return Err(format!("found {token}, expected a document"));
    }
    let id = documents.intern(name);
    if let Some(weight) = weight {
        let number = weight.parse::<f64>().ok().filter(|w| *w > 0.0 && w.is_finite());
        builder.weigh(id, number.ok_or_else(|| format!("{weight} is no weight, in {token}"))?);
    }
    if let Some(score) = score {
        let number = score.parse::<f64>().ok().filter(|s| !s.is_nan());
        builder.score(id, number.ok_or_else(|| format!("{score} is no score, in {token}"))?);
    }
    Ok(id)
}

/// Writes the notation. Scores are left out.
pub fn format(organization: &Organization, documents: &Documents) -> String {
    let mut parts = Vec::new();
    let id = |&document: &u32| {
        let name = documents.name(document);
        let weights = organization.weights();
        match weights.binary_search_by_key(&document, |(weighted, _)| *weighted) {
            Ok(at) => format!("{name}*{}", weights[at].1),
            Err(_) => name.to_string(),
        }
    };
    for level in 0..organization.levels() {
        if level > 0 {
            parts.push("/".to_string());
        }
        for cluster in organization.level(level) {
            let names: Vec<String> = organization.cluster(cluster).iter().map(id).collect();
            let names = names.join(" ");
            let single = organization.cluster(cluster).len() == 1;
            parts.push(if single { names } else { format!("{{{names}}}") });
        }
    }
    if !organization.discarded().is_empty() {
        parts.push("|".to_string());
        parts.extend(organization.discarded().iter().map(id));
    }
    if !organization.links().is_empty() {
        parts.push("~".to_string());
        let links = organization.links().iter();
        parts.extend(links.map(|(a, b)| format!("{}>{}", documents.name(*a), documents.name(*b))));
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
            ("a }", "a } out of place"),
            ("a | b / c", "a / out of place"),
            ("a ~ a>a | c", "a | out of place"),
            ("{a a}", "document a is in one cluster twice"),
            ("a | a", "document a is discarded"),
            ("a=x", "x is no score"),
            ("a=NaN", "NaN is no score"),
            ("a*0", "0 is no weight"),
            ("a*=1", " is no weight"),
            ("=1", "expected a document"),
            ("a>b", "expected a document"),
            ("a b ~ a", "expected a link such as a>b"),
            ("a | b ~ a>b", "document b is linked, and is on no level"),
        ] {
            let message = parse(text, &mut Documents::default()).unwrap_err();
            assert!(message.contains(problem), "{text}: {message}");
        }
    }

    #[test]
    fn is_written_as_it_was_read() {
        for text in ["", "a {b*2 c} / {a d} | e*0.5 f ~ a>b b>a", "a / b", "| x"] {
            let mut documents = Documents::default();
            let organization = parse(text, &mut documents).unwrap();
            assert_eq!(format(&organization, &documents), text);
        }
    }
}

//! The expression language of measures.
//!
//! ```
//! use axiometrics::measure::parse_list;
//! let text = |s: &str| parse_list(s).map(|ms| ms.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" "));
//! assert_eq!(text("nDCG@10 AP RBP(p=0.8)").unwrap(), "nDCG@10 AP RBP(p=0.8)"); // ir_measures
//! assert_eq!(text("P.5,10 ndcg_cut_10").unwrap(), "P@5 P@10 nDCG@10");         // trec_eval
//! assert_eq!(text("ndcg@10, map@100-l2 rbp.95").unwrap(), "nDCG@10 AP(rel=2)@100 RBP(p=0.95)"); // ranx
//! assert_eq!(text("IPrec@0.1 iprec_at_recall_0.10").unwrap(), "IPrec@0.1 IPrec@0.1"); // at a recall, not at a rank
//! assert_eq!(text("nDCG(dcg='exp-log2')@10 RBP(0.9)").unwrap(), "nDCG(dcg=exp-log2)@10 RBP(p=0.9)");
//! ```
//!
//! A token is `Name`, `Name(param=value, ...)`, either with `@k`; one positional value is the first
//! parameter. Foreign spellings come from each definition's aliases. Tokens are separated by white
//! space or commas.

use std::sync::Arc;

use super::def::{Cutoff, Def, Suffix};
use super::metric::{Metric, Own};
use super::params::{Args, Declared};
use super::spelling::{self, resolve};
use super::{definitions, params};
use crate::error::{Error, Result};
use crate::remedy::Remedy;

/// Reads a list of measures, separated by white space or commas.
pub fn parse_list(text: &str) -> Result<Vec<Metric>> {
    parse_list_with(text, &mut no_files)
}

/// The same, where a name that ends in `.toml` is a file: `my.toml`, `my.toml@10`,
/// `my.toml(p=0.9)`; and so is a name of no measure, if it is opened. Only `io` opens files, so the
/// caller says how.
pub fn parse_list_with(text: &str, open: &mut Open<'_>) -> Result<Vec<Metric>> {
    let mut all = Vec::new();
    for token in tokens(text) {
        all.extend(parse_with(token, open)?);
    }
    Ok(all)
}

/// Opens a metric's file.
pub type Open<'o> = dyn FnMut(&str) -> Result<Arc<dyn Own>> + 'o;

fn no_files(path: &str) -> Result<Arc<dyn Own>> {
    Err(Error::usage(format!("\"{path}\" is a file, expected the name of a measure")))
}

/// Reads one token, which may stand for several measures (`P.5,10`).
pub fn parse(token: &str) -> Result<Vec<Metric>> {
    parse_with(token, &mut no_files)
}

/// Reads one token. What another tool prints is tried last: cwl_eval's RBP@0.9 looks like a cutoff.
fn parse_with(token: &str, open: &mut Open<'_>) -> Result<Vec<Metric>> {
    let token = token.trim();
    parse_written(token, open).or_else(|error| match spelling::printed(token) {
        Some(printed) => parse_printed(token, printed?).map_err(|wrong| {
            // A number that is no parameter was meant as what it looks like.
            if token.split('@').next().and_then(resolve).is_some() { error } else { wrong }
        }),
        None => Err(error),
    })
}

/// A measure as another tool prints it.
fn parse_printed(token: &str, printed: spelling::Printed) -> Result<Vec<Metric>> {
    let bad = |message: String| Error::usage(format!("measure \"{token}\": {message}"));
    let mut args = Args::new(printed.def.params);
    for pair in pieces(&printed.implies) {
        match pair.split_once('=').unwrap_or((pair, "")) {
            ("@", k) => args.set_cutoff(Some(cutoff(k.trim_end_matches(".0")).map_err(bad)?)),
            (name, value) => args.set(name, value).map_err(|e| bad(e.to_string()))?,
        }
    }
    Ok(vec![Metric::new(printed.def, args)?.asked_as(Some(token), None)])
}

fn parse_written(token: &str, open: &mut Open<'_>) -> Result<Vec<Metric>> {
    let bad = |message: String| Error::usage(format!("measure \"{token}\": {message}"));
    let (head, arguments, tail) = split(token).map_err(bad)?;
    let (tail_cutoff, tail_rel) = split_tail(tail).map_err(bad)?;
    let named = if head.ends_with(".toml") { None } else { resolve(head) };
    // What is no measure can be a file that comes with the program.
    let file = match &named {
        Some(_) => None,
        None if head.ends_with(".toml") => Some(open(head)?),
        None => Some(open(head).map_err(|_| unknown(token, head))?),
    };
    let (declared, takes): (Declared, Cutoff) = match (&file, &named) {
        (Some(file), _) => (file.params().into(), file.def().cutoff),
        (None, Some(named)) => (named.def.params.into(), named.def.cutoff),
        (None, None) => return Err(unknown(token, head)),
    };
    let alias = named.as_ref().and_then(|named| named.alias);
    let mut base = Args::new(declared.clone());
    let set = |args: &mut Args, name: &str, value: &str| {
        args.set(name, value).map_err(|e| bad(e.to_string()))
    };
    for pair in pieces(alias.map_or("", |a| a.implies)) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        set(&mut base, name, value)?;
    }
    for (i, piece) in pieces(arguments).into_iter().enumerate() {
        match piece.split_once('=') {
            Some((name, value)) if !piece.starts_with(['\'', '"', '{']) => {
                set(&mut base, name.trim(), unquote(value.trim()))?
            }
            _ => {
                let first =
                    declared.first().filter(|p| i == 0 && p.name != params::JUDGED_ONLY.name);
                let first =
                    first.ok_or_else(|| bad(format!("found \"{piece}\", expected name=value")))?;
                set(&mut base, &first.name, unquote(piece))?;
            }
        }
    }
    if let Some(rel) = tail_rel {
        set(&mut base, "rel", rel)?;
    }
    match (tail_cutoff, takes) {
        (Some(value), Cutoff::Param(name)) => set(&mut base, name, value)?,
        (Some(k), _) => base.set_cutoff(Some(cutoff(k).map_err(bad)?)),
        (None, _) => {}
    }
    if let Some(file) = file {
        return Ok(vec![Metric::own_with(file, base)?]);
    }
    let Some(named) = named else { return Err(unknown(token, head)) };
    let note = spelling::note(head, |name| arguments.contains(name), base.cutoff().is_some());
    // A foreign spelling stays the name of its column.
    let asked = (named.alias.is_some() || named.def.name != head).then_some(token);
    if named.glued.is_empty() {
        return Ok(vec![Metric::new(named.def, base)?.asked_as(asked, note)]);
    }
    let asked = asked.filter(|_| named.glued.len() == 1);
    named
        .glued
        .iter()
        .map(|value| {
            let mut args = base.clone();
            match named.alias.map_or(Suffix::Cutoff, |a| a.suffix) {
                Suffix::Param(name) => {
                    // ranx writes `rbp.95` where trec_eval writes `rbp.0.95`: the first dot may
                    // belong to the number.
                    if args.set(name, value).is_err() {
                        set(&mut args, name, &format!(".{value}")).map_err(|_| {
                            match args.set(name, value) {
                                Err(e) => bad(e.to_string()),
                                Ok(()) => bad(String::new()),
                            }
                        })?;
                    }
                }
                _ => args.set_cutoff(Some(cutoff(value).map_err(bad)?)),
            }
            Ok(Metric::new(named.def, args)?.asked_as(asked, None))
        })
        .collect()
}

/// Head, arguments between the outer parentheses, and what follows the `@` or `-l`.
fn split(token: &str) -> std::result::Result<(&str, &str, &str), String> {
    if let Some(open) = token.find('(') {
        let close =
            token.rfind(')').filter(|c| *c > open).ok_or("the parenthesis is not closed")?;
        return Ok((&token[..open], &token[open + 1..close], &token[close + 1..]));
    }
    let end = token.find('@').unwrap_or(token.len());
    let end = token[..end].find("-l").map_or(end, |l| l.min(end));
    Ok((&token[..end], "", &token[end..]))
}

/// `@10`, `-l2`, `@10-l2` or nothing.
#[allow(
    clippy::type_complexity,
    reason = "two optional pieces of one token; a struct would be read once"
)]
fn split_tail(tail: &str) -> std::result::Result<(Option<&str>, Option<&str>), String> {
    let (cut, rel) = match tail.split_once("-l") {
        Some((cut, rel)) => (cut, Some(rel)),
        None => (tail, None),
    };
    match cut.strip_prefix('@') {
        Some(k) => Ok((Some(k), rel)),
        None if cut.is_empty() => Ok((None, rel)),
        None => Err(format!("found \"{cut}\" at the end, expected @ and a cutoff")),
    }
}

fn cutoff(text: &str) -> std::result::Result<u32, String> {
    text.parse::<u32>().ok().filter(|k| *k > 0).ok_or_else(|| {
        format!(
            "found the cutoff \"{text}\", expected a whole number of at least 1 and at most {}",
            u32::MAX
        )
    })
}

fn unquote(text: &str) -> &str {
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

/// Splits at commas outside of brackets and quotes.
fn pieces(text: &str) -> Vec<&str> {
    split_outside(text, |c, _| c == ',')
}

/// Splits a list of measures: white space and commas separate, but a comma before a number goes on
/// with `P.5,10`.
fn tokens(text: &str) -> Vec<&str> {
    split_outside(text, |c, next| {
        c.is_whitespace() || c == ',' && !next.is_some_and(|n| n.is_ascii_digit() || n == '.')
    })
}

fn split_outside(text: &str, separator: impl Fn(char, Option<char>) -> bool) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')' | '}' | ']') => depth -= 1,
            (None, c) if depth <= 0 && separator(c, text[i + c.len_utf8()..].chars().next()) => {
                parts.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|p| !p.is_empty()).collect()
}

/// An unknown name gets the nearest known ones, or none if nothing is near. They keep what
/// follows the name.
fn unknown(token: &str, head: &str) -> Error {
    let error = Error::usage(format!("unknown measure \"{token}\""));
    let bare = head.trim_end_matches(|c: char| c.is_ascii_digit() || "._,-".contains(c));
    let behind = token.strip_prefix(head).unwrap_or_default();
    let glued = head[bare.len()..].trim_matches(['_', '.', '-']);
    // As it was asked for, if the measure can be asked for so; or else as its example has it.
    let like_asked = |name: &str| {
        let example =
            definitions().find(|def| def.name == name).and_then(|def| def.examples.first());
        let [cut, whole] = [format!("{name}@{glued}"), format!("{name}{behind}")];
        let ways = [whole, cut, name.to_string()];
        let example = example.map(|example| example.measure.to_string());
        ways.into_iter().chain(example).find(|way| way != token && parse(way).is_ok())
    };
    let cases = spelling::in_other_cases(head);
    if !cases.is_empty() {
        let names: Vec<String> = cases.iter().filter_map(|name| like_asked(name)).collect();
        return error.help(format!(
            "capitals matter here, as other tools disagree: {}",
            names.join(" or ")
        ));
    }
    let distance = |name: &str| {
        let distance = strsim::damerau_levenshtein(&name.to_lowercase(), &bare.to_lowercase());
        (distance <= 1 + name.len().min(bare.len()) / 4).then_some(distance)
    };
    let spellings = |d: &'static Def<'static>| {
        let written = d.aliases.iter().filter(|a| a.suffix != Suffix::Printed);
        std::iter::once(d.name).chain(written.map(|a| a.spelling))
    };
    let mut near: Vec<(usize, &str)> = definitions()
        .filter_map(|d| spellings(d).filter_map(distance).min().map(|nearest| (nearest, d.name)))
        .collect();
    near.sort();
    match near.as_slice() {
        [] => error.help(
            Remedy::default().call("measures").text(" lists all measures, and searches them"),
        ),
        near => error.help(format!(
            "did you mean {}?",
            near.iter().filter_map(|n| like_asked(n.1)).take(3).collect::<Vec<_>>().join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        parse_list(text).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equality_is_by_value() {
        let m = |t: &str| t.parse::<Metric>().unwrap();
        assert_eq!(m("RBP"), m("RBP(p=0.8)"));
        assert_ne!(m("RBP"), m("RBP(p=0.9)"));
        assert_ne!(m("P@5"), m("P@10"));
    }

    #[test]
    fn lists_split_at_commas_that_separate_measures() {
        assert_eq!(canonical("AP,P@10,P.5,7"), "AP P@10 P@5 P@7");
    }

    #[test]
    fn a_foreign_spelling_stays_the_title() {
        for (text, canonical, title) in [
            ("MRR@10", "RR@10", "MRR@10"),
            ("Ndcg@10", "nDCG@10", "Ndcg@10"),
            ("ndcg_cut_5", "nDCG@5", "ndcg_cut_5"),
            ("nDCG(dcg='exp-log2')@10", "nDCG(dcg=exp-log2)@10", "nDCG(dcg=exp-log2)@10"),
        ] {
            let metric: Metric = text.parse().unwrap();
            assert_eq!((metric.to_string().as_str(), metric.title().as_str()), (canonical, title));
            assert_eq!(metric.clone().canonical().title(), canonical);
        }
        assert_eq!(parse("P.5,10").unwrap()[1].title(), "P@10");
    }

    #[test]
    fn disputed_spellings_have_a_note() {
        let note = |text: &str| text.parse::<Metric>().unwrap().note();
        for text in ["rbp", "RBP", "HIT@10", "Hit@10", "hits", "MAP@10"] {
            assert!(note(text).is_some(), "{text}");
        }
        for text in ["RBP(p=0.8)", "rbp(p=0.8)", "MAP", "AP@10", "Success@10", "nDCG@10"] {
            assert_eq!(note(text), None, "{text}");
        }
    }

    #[test]
    fn unknown_names_get_near_ones() {
        let e = parse("nDGC@10").unwrap_err().to_string();
        assert!(e.contains("did you mean nDCG@10"), "{e}");
        let e = parse("Rbp@10").unwrap_err().to_string();
        assert!(e.contains("rbp@10") && e.contains("RBP@10"), "{e}");
        assert!(parse("xyzzy").unwrap_err().to_string().contains("measures lists all measures"));
    }

    /// Every name and spelling, misspelled, and with the tails that people write.
    #[test]
    fn what_is_suggested_is_read() {
        for def in definitions() {
            let spellings = def.aliases.iter().filter(|alias| alias.suffix != Suffix::Printed);
            for name in spellings.map(|alias| alias.spelling).chain([def.name]) {
                let swapped: String =
                    name.chars().map(|c| if c.is_lowercase() { 'ž' } else { c }).collect();
                for wrong in [format!("{name}x"), swapped, name.to_lowercase(), name.to_uppercase()]
                {
                    for tail in ["", "@10", "_10", "@0.5", "(p=0.5)", "@2.0-b1@0.9", "-l2", "@x"] {
                        let Err(error) = parse(&format!("{wrong}{tail}")) else { continue };
                        let Some(remedy) = error.remedy() else { continue };
                        let text = remedy.to_string();
                        let named =
                            text.strip_prefix("did you mean ").map(|t| t.trim_end_matches('?'));
                        let cases =
                            text.strip_prefix("capitals matter here, as other tools disagree: ");
                        let all = named.map(|t| t.split(", ").collect::<Vec<_>>());
                        let all = all.or_else(|| cases.map(|t| t.split(" or ").collect()));
                        for suggested in all.into_iter().flatten() {
                            assert!(parse(suggested).is_ok(), "{wrong}{tail}: {text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bad_parameters_say_what_was_expected() {
        for (text, expected) in [
            ("RBP(p=2)", "above 0 and below 1"),
            ("RBP(q=2)", "it has p"),
            ("P@0", "at least 1"),
            ("P@x", "at least 1"),
            ("P", "needs a cutoff"),
            ("AP(rel=1", "not closed"),
            ("AP)x", "unknown measure"),
            ("nDCG(dcg=abc)", "one of"),
        ] {
            let e = parse(text).unwrap_err().to_string();
            assert!(e.contains(expected), "{text}: {e}");
        }
    }
}

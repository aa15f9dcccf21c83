//! The file of a metric: which tables and keys it has, and what they mean.

use std::borrow::Cow;
use std::sync::Arc;

use toml_edit::{Document, TableLike, Value};

use super::average::{Average, Averaging};
use super::bounds::{NameMeanings, ValueBounds};
use super::documents::{chosen, divisor, of_formula, term_over, whole_score};
use super::toml::{File, PlacedText, span};
use super::{Agg, AverageSource, Component, Empty, PerDocument, ScoreSource};
use crate::choice::Choice;
use crate::error::Result;
use crate::expression::compile::{Compiler, Language};
use crate::expression::measurement::Measurement;
use crate::expression::scale::Scale;
use crate::expression::syntax::{self, Fault, Node};
use crate::measure::params::{Param, ParamKind};
use crate::remedy::Remedy;

/// Reads and compiles a file.
pub(super) fn read(path: &str, text: &str) -> Result<Component> {
    let file = File { path, text };
    let document = Document::parse(text)
        .map_err(|e| file.error(e.span().map_or(0, |s| s.start), e.message().to_string()))?;
    let root = document.as_table();
    file.keys(
        root,
        "the file",
        &[
            "name", "about", "gains", "range", "score", "params", "cutoff", "alpha", "sigma",
            "sets", "sim", "avgD", "avgQ",
        ],
    )?;
    let title = file.optional_text(root, "name")?.map_or_else(|| short_name(path), |t| t.value);
    let about = file.optional_text(root, "about")?.map(|t| t.value);
    let gains = file.gains(root)?;
    let range = file.range(root)?;
    let formula = file.optional_text(root, "score")?;
    let sections = file.sections(root)?;
    let get = |name: &str| sections.iter().find(|(key, _)| *key == name).map(|(_, table)| *table);

    let (mut params, mut defaults) = file.params(get("params"))?;
    let mut cutoff = file.optional_text(root, "cutoff")?;
    let mut implied = false;
    match &cutoff {
        Some(named) if !params.contains(&named.value) => {
            return Err(file.error(
                named.start,
                format!("no parameter \"{}\", expected one of params", named.value),
            ));
        }
        Some(_) => {}
        // A formula speaks of k without declaring it: the cutoff, or no end.
        None if formula.is_some() && !params.iter().any(|p| p == "k") => {
            params.push("k".to_string());
            defaults.push(f64::INFINITY);
            cutoff = Some(PlacedText { value: "k".to_string(), start: 0, body: None });
            implied = true;
        }
        None => {}
    }

    let (alpha, _) = file.measurement(get("alpha"), Measurement::default())?;
    let (sigma, sigma_at) = file.measurement(get("sigma"), Measurement::ranking())?;
    if let Some(why) = alpha.scale.refusal(sigma.scale) {
        let message = format!(
            "no similarity between {} (alpha) and {} (sigma): {why}",
            alpha.scale.name(),
            sigma.scale.name()
        );
        return Err(file.error(sigma_at, message).help(
            Remedy::default().call("explain scales").text(" shows which pairs can be compared"),
        ));
    }
    let mut language = Language { alpha, sigma, params, ..Language::default() };
    let mut set_texts: Vec<PlacedText> = Vec::new();
    for (name, item) in get("sets").map(|t| t.iter().collect::<Vec<_>>()).unwrap_or_default() {
        let text = file.text(name, item)?;
        language.sets.push((name.to_string(), file.expression(&text)?));
        set_texts.push(text);
    }
    let mut average_source = AverageSource::default();
    let sim_text = match get("sim") {
        Some(table) => file.sim(table, &mut average_source)?,
        None => None,
    };
    if let Some(text) = &sim_text {
        language.sim = Some(file.expression(text)?);
    }

    let (source, texts) = match (formula, get("avgD")) {
        (Some(text), None) => {
            let score = file.expression(&text)?;
            (
                ScoreSource::Whole { formula: true, score },
                Texts { whole: Some(text), ..Texts::default() },
            )
        }
        (None, Some(table)) => file.document_average(table)?,
        (Some(text), Some(_)) => {
            return Err(file.error(text.start, "a file has score or avgD, not both".to_string()));
        }
        (None, None) => {
            return Err(
                file.error(0, "found neither score nor avgD, expected one of them".to_string())
            );
        }
    };
    let average = file.query_average(get("avgQ"), &mut average_source)?;

    let mut compiler = Compiler::new(&language).map_err(|(name, fault)| {
        let at = language.sets.iter().position(|(set, _)| *set == name);
        at.map_or_else(
            || file.error(0, fault.message.clone()),
            |i| file.fault(&set_texts[i], &fault),
        )
    })?;
    let sim = match (&language.sim, &sim_text) {
        (Some(node), Some(text)) => {
            Some(compiler.number_of_document(node).map_err(|fault| file.fault(text, &fault))?)
        }
        _ => None,
    };
    let per_document = file.per_document(&mut compiler, &source, &texts, &language)?;
    let score_node = whole_score(&language, &source);
    let score = compiler.number(&score_node).map_err(|fault| match &texts.whole {
        Some(text) => file.fault(text, &fault),
        None => file.error(0, fault.message),
    })?;
    let weight = match &average_source.weight {
        Some(node) => Some(compiler.number(node).map_err(|fault| {
            let text = get("avgQ").and_then(|t| file.optional_text(t, "weight").ok().flatten());
            text.map_or_else(|| file.error(0, fault.message.clone()), |t| file.fault(&t, &fault))
        })?),
        None => None,
    };
    let program = compiler.program;
    let ideal = program.reads_ideal;
    let cutoff = cutoff.map(|t| t.value);
    // Without a cutoff nothing lies below k; what is computed from k has no value then.
    let computes = |node: &Node| cutoff.as_deref().is_some_and(|k| syntax::computes_with(node, k));
    let needs_cutoff =
        implied && (computes(&score_node) || language.sets.iter().any(|(_, node)| computes(node)));
    let mut component = Component {
        name: path.to_string(),
        title,
        about,
        printed: String::new(),
        params: declared(&language.params, &defaults, cutoff.as_deref()),
        language,
        defaults,
        cutoff,
        source,
        average: Arc::new(average),
        average_source,
        program,
        score,
        weight,
        sim,
        per_document,
        ideal,
        gains,
        range,
        needs_cutoff,
    };
    component.printed = component.to_string();
    Ok(component)
}

/// The expressions of avgD.
#[derive(Debug, Default)]
struct Texts {
    whole: Option<PlacedText>,
    over: Option<PlacedText>,
    filter: Option<PlacedText>,
    term: Option<PlacedText>,
    norm: Option<PlacedText>,
}

impl File<'_> {
    fn sections<'d>(&self, root: &'d dyn TableLike) -> Result<Vec<(&'d str, &'d dyn TableLike)>> {
        let mut all = Vec::new();
        for (key, item) in root.iter().filter(|(key, _)| {
            !["name", "about", "gains", "range", "score", "cutoff"].contains(key)
        }) {
            let table = item.as_table_like().ok_or_else(|| {
                self.error(
                    span(item).start,
                    format!("{key} is a table, found {}", item.type_name()),
                )
            })?;
            all.push((key, table));
        }
        Ok(all)
    }

    /// The gains above 0 that the file declares, ascending.
    fn gains(&self, root: &dyn TableLike) -> Result<Vec<f64>> {
        let Some(item) = root.get("gains") else { return Ok(Vec::new()) };
        let wrong = |at: usize| {
            self.error(at, "gains: expected numbers of at least 0, such as [0, 1, 3]".to_string())
        };
        let array = item.as_array().ok_or_else(|| wrong(span(item).start))?;
        let mut gains = Vec::new();
        for value in array {
            let number = value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
            let at = value.span().map_or_else(|| span(item).start, |s| s.start);
            let number = number.filter(|x| x.is_finite() && *x >= 0.0).ok_or_else(|| wrong(at))?;
            gains.push(number);
        }
        gains.sort_by(f64::total_cmp);
        gains.dedup();
        gains.retain(|g| *g > 0.0);
        if gains.is_empty() { Err(wrong(span(item).start)) } else { Ok(gains) }
    }

    /// The lowest and the highest score that the file declares.
    fn range(&self, root: &dyn TableLike) -> Result<Option<(f64, f64)>> {
        let Some(item) = root.get("range") else { return Ok(None) };
        let number =
            |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
        let ends: Option<Vec<f64>> =
            item.as_array().and_then(|array| array.iter().map(number).collect());
        match ends.as_deref() {
            Some([low, high]) if low < high => Ok(Some((*low, *high))),
            _ => Err(self.error(
                span(item).start,
                "range: expected the lowest and the highest score, such as [0, 1]".to_string(),
            )),
        }
    }

    fn params(&self, table: Option<&dyn TableLike>) -> Result<(Vec<String>, Vec<f64>)> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, item) in table.map(|t| t.iter().collect::<Vec<_>>()).unwrap_or_default() {
            if ["d", "a", "s", "sim", "R", "max_grade", "where", "in", "and", "or", "not"]
                .contains(&name)
            {
                return Err(self.error(
                    span(item).start,
                    format!("the name {name} has a meaning of its own, expected another"),
                ));
            }
            // A cutoff can be beyond every rank.
            let endless = item.as_float() == Some(f64::INFINITY);
            values.push(if endless { f64::INFINITY } else { self.number(name, item)? });
            names.push(name.to_string());
        }
        Ok((names, values))
    }

    fn measurement(
        &self,
        table: Option<&dyn TableLike>,
        default: Measurement,
    ) -> Result<(Measurement, usize)> {
        let Some(table) = table else { return Ok((default, 0)) };
        self.keys(table, "a scale", &["scale", "levels", "gain", "range", "read"])?;
        let scale = self
            .choice::<Scale>(table, "scale")?
            .ok_or_else(|| self.error(0, "a scale needs the key scale".to_string()))?;
        let at = table.get("scale").map_or(0, |item| span(item).start);
        let list = |key: &str| -> Result<Vec<&Value>> {
            let Some(item) = table.get(key) else { return Ok(Vec::new()) };
            let array = item.as_array().ok_or_else(|| {
                self.error(
                    span(item).start,
                    format!("{key}: found {}, expected a list", item.type_name()),
                )
            })?;
            Ok(array.iter().collect())
        };
        let start = |key: &str| table.get(key).map_or(at, |item| span(item).start);
        let levels: Vec<String> =
            list("levels")?.into_iter().filter_map(|v| v.as_str().map(str::to_string)).collect();
        if levels.len() != list("levels")?.len()
            || levels.iter().enumerate().any(|(i, l)| levels[..i].contains(l))
        {
            return Err(self.error(
                start("levels"),
                "levels: expected different texts, the lowest first".to_string(),
            ));
        }
        if scale.has_levels() != (levels.len() >= 2) {
            let wanted = if scale.has_levels() { "at least two levels" } else { "no levels" };
            return Err(self.error(
                start("levels"),
                format!("a {} scale has {wanted}, found {}", scale.name(), levels.len()),
            ));
        }
        let numbers = |key: &str| -> Result<Vec<f64>> {
            let number = |v: &Value| {
                v.as_float().or_else(|| v.as_integer().map(|i| i as f64)).filter(|x| x.is_finite())
            };
            let all = list(key)?;
            let found: Vec<f64> = all.iter().filter_map(|v| number(v)).collect();
            if found.len() == all.len() {
                Ok(found)
            } else {
                Err(self.error(start(key), format!("{key}: expected numbers")))
            }
        };
        let gain = numbers("gain")?;
        if !gain.is_empty() && gain.len() != levels.len() {
            return Err(self.error(
                start("gain"),
                format!(
                    "found {} gains, expected one for each of {} levels",
                    gain.len(),
                    levels.len()
                ),
            ));
        }
        let range = match numbers("range")?.as_slice() {
            [] => None,
            [low, high] if low < high && scale.is_numeric() => Some((*low, *high)),
            _ => {
                return Err(self.error(
                    start("range"),
                    "range: expected [low, high] on an interval or ratio scale".to_string(),
                ));
            }
        };
        let read = self.word(table, "read", &[("rank", false), ("score", true)])?;
        if read.is_some() && !scale.has_levels() {
            let message = "read belongs to categories: retrieved or not, or the score of the run";
            return Err(self.error(start("read"), message.to_string()));
        }
        let by_score = read.unwrap_or(false);
        Ok((Measurement { scale, levels, gain, range, by_score }, at))
    }

    /// The similarity: an expression, or one that has a name.
    fn sim(&self, table: &dyn TableLike, source: &mut AverageSource) -> Result<Option<PlacedText>> {
        self.keys(table, "sim", &["expr", "builtin"])?;
        if let Some(text) = self.optional_text(table, "builtin")? {
            if text.value != "block" {
                return Err(self.error(
                    text.start,
                    format!("builtin: found \"{}\", expected block", text.value),
                ));
            }
            source.sim_builtin = Some(text.value);
            return Ok(Some(PlacedText {
                value: BLOCK.to_string(),
                start: text.start,
                body: None,
            }));
        }
        match self.optional_text(table, "expr")? {
            Some(text) => Ok(Some(text)),
            None => Err(self.error(0, "sim needs expr or builtin".to_string())),
        }
    }

    fn document_average(&self, table: &dyn TableLike) -> Result<(ScoreSource, Texts)> {
        self.keys(table, "avgD", &["expr", "over", "where", "agg", "term", "norm", "empty"])?;
        if let Some(text) = self.optional_text(table, "expr")? {
            if table.len() > 1 {
                return Err(self.error(
                    text.start,
                    "avgD has expr alone, or over, where, agg, term, norm and empty".to_string(),
                ));
            }
            let score = self.expression(&text)?;
            return Ok((
                ScoreSource::Whole { formula: false, score },
                Texts { whole: Some(text), ..Texts::default() },
            ));
        }
        let texts = Texts {
            whole: None,
            over: self.optional_text(table, "over")?,
            filter: self.optional_text(table, "where")?,
            term: self.optional_text(table, "term")?,
            norm: self.optional_text(table, "norm")?,
        };
        let tree =
            |text: &Option<PlacedText>| text.as_ref().map(|t| self.expression(t)).transpose();
        let agg = self.choice(table, "agg")?;
        let agg = agg.unwrap_or(Agg::Mean);
        if let (Some(norm), false) = (&texts.norm, agg == Agg::Sum) {
            return Err(
                self.error(norm.start, "norm divides a sum: expected agg = \"sum\"".to_string())
            );
        }
        let empty = self.choice(table, "empty")?;
        let source = ScoreSource::Average {
            over: texts.over.as_ref().map_or("D", |t| &t.value).to_string(),
            filter: tree(&texts.filter)?,
            agg,
            term: tree(&texts.term)?,
            norm: tree(&texts.norm)?,
            empty: empty.unwrap_or(Empty::Undefined),
        };
        Ok((source, texts))
    }

    /// Compiles what each document adds, each piece of which then knows its own place in the file.
    fn per_document(
        &self,
        compiler: &mut Compiler<'_>,
        source: &ScoreSource,
        texts: &Texts,
        language: &Language,
    ) -> Result<Option<PerDocument>> {
        let nowhere = PlacedText { value: String::new(), start: 0, body: None };
        let fault = |text: &Option<PlacedText>, fault: &Fault| {
            self.fault(text.as_ref().unwrap_or(&nowhere), fault)
        };
        let ScoreSource::Average { over, filter, agg, term, norm, empty } = source else {
            let ScoreSource::Whole { score, .. } = source else { return Ok(None) };
            return of_formula(compiler, score).map_err(|f| fault(&texts.whole, &f));
        };
        let set = compiler.set(over, 0).map_err(|f| fault(&texts.over, &f))?;
        if term.is_none() && language.sim.is_none() {
            return Err(self.error(
                0,
                "avgD has no term and there is no sim to take in its place".to_string(),
            ));
        }
        let term_node = term_over(language, over, term.as_ref());
        compiler.number_of_document(&term_node).map_err(|f| fault(&texts.term, &f))?;
        let chosen = chosen(filter.as_ref(), term_node);
        let summand = compiler.number_of_document(&chosen).map_err(|f| fault(&texts.filter, &f))?;
        let norm = match divisor(*agg, over, norm.as_ref()) {
            Some(node) => Some(compiler.number(&node).map_err(|f| fault(&texts.norm, &f))?),
            None => None,
        };
        Ok(Some(PerDocument { over: set, summand, norm, agg: *agg, empty: Some(*empty) }))
    }

    fn query_average(
        &self,
        table: Option<&dyn TableLike>,
        source: &mut AverageSource,
    ) -> Result<Average> {
        let Some(table) = table else {
            return Ok(Average { kind: Averaging::Mean, undefined: None, weighted: false });
        };
        self.keys(table, "avgQ", &["agg", "undefined", "floor", "f", "back", "weight"])?;
        let undefined = self.choice(table, "undefined")?;
        let names = ["mean", "sum", "gmean", "hmean", "median", "min", "max", "quasi"];
        let agg = self.word(table, "agg", &names.map(|n| (n, n)))?.unwrap_or("mean");
        source.agg = Some(agg.to_string());
        source.floor = table.get("floor").map(|item| self.number("floor", item)).transpose()?;
        let at = |key: &str| table.get(key).map_or(0, |item| span(item).start);
        for (key, only) in [("floor", "gmean"), ("f", "quasi"), ("back", "quasi")] {
            if table.get(key).is_some() && agg != only {
                return Err(self.error(at(key), format!("{key} belongs to agg = \"{only}\"")));
            }
        }
        let kind = match agg {
            "gmean" => Averaging::GeometricMean(source.floor),
            "hmean" => Averaging::HarmonicMean,
            "median" => Averaging::Median,
            "sum" => Averaging::Sum,
            "min" => Averaging::Min,
            "max" => Averaging::Max,
            "quasi" => {
                let language = Language { params: vec!["x".to_string()], ..Language::default() };
                let mut compiler = Compiler::new(&language)
                    .map_err(|(_, fault)| self.error(at("agg"), fault.message))?;
                let mut part =
                    |key: &str| -> Result<Option<(Node, crate::expression::program::Code)>> {
                        let Some(text) = self.optional_text(table, key)? else { return Ok(None) };
                        let node = self.expression(&text)?;
                        let code =
                            compiler.number(&node).map_err(|fault| self.fault(&text, &fault))?;
                        Ok(Some((node, code)))
                    };
                let (f, back) = (part("f")?, part("back")?);
                let (node, f) = f.ok_or_else(|| {
                    self.error(at("agg"), "quasi needs f, a function of x".to_string())
                })?;
                let names = NameMeanings {
                    file: None,
                    params: vec![("x", ValueBounds::finite())],
                    endless: false,
                };
                let finite = names.of(&node).is_finite();
                source.f = Some(node);
                source.back = back.as_ref().map(|(node, _)| node.clone());
                let back = back.map(|(_, code)| code);
                Averaging::Quasi { program: compiler.program, f, back, finite }
            }
            _ => Averaging::Mean,
        };
        let weight = self.optional_text(table, "weight")?;
        if weight.is_some() && matches!(kind, Averaging::Median | Averaging::Min | Averaging::Max) {
            return Err(
                self.error(at("weight"), format!("no topic weighs more in agg = \"{agg}\""))
            );
        }
        source.weight = weight.as_ref().map(|text| self.expression(text)).transpose()?;
        Ok(Average { kind, undefined, weighted: weight.is_some() })
    }
}

/// How far a rank is outside of the block that an ideal ranking would give to the documents of the
/// same alpha.
const BLOCK: &str = "-max(0, 1 + count(x in D where alpha(x) > alpha(d)) - pos(d), pos(d) - count(x in D where alpha(x) >= alpha(d)))";

fn short_name(path: &str) -> String {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.strip_suffix(".toml").unwrap_or(base).to_string()
}

/// The parameters that a user may give; the cutoff comes after an `@` instead.
fn declared(names: &[String], defaults: &[f64], cutoff: Option<&str>) -> Arc<[Param]> {
    let own = names.iter().zip(defaults).filter(|(name, _)| Some(name.as_str()) != cutoff);
    own.map(|(name, default)| Param {
        name: Cow::Owned(name.clone()),
        kind: ParamKind::Number { min: f64::NEG_INFINITY, max: f64::INFINITY },
        default: Some(Cow::Owned(default.to_string())),
        doc: "a parameter of the file",
    })
    .collect()
}

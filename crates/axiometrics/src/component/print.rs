//! A component printed back as the file that says it.

use std::fmt::{self, Write as _};

use super::{Component, Measurement, Scale, ScoreSource};
use crate::choice::Choice;

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", quoted(&self.title))?;
        if let Some(about) = &self.about {
            writeln!(f, "about = {}", quoted(about))?;
        }
        if !self.gains.is_empty() {
            let gains: Vec<String> = self.gains.iter().map(f64::to_string).collect();
            writeln!(f, "gains = [0, {}]", gains.join(", "))?;
        }
        if let Some((low, high)) = self.range {
            writeln!(f, "range = [{low}, {high}]")?;
        }
        if let ScoreSource::Whole { formula: true, score } = &self.source {
            writeln!(f, "score = {}", quoted(&score.to_string()))?;
        }
        // A formula has an endless cutoff k without declaring it.
        let implied = matches!(self.source, ScoreSource::Whole { formula: true, .. });
        let params: Vec<String> = self
            .language
            .params
            .iter()
            .zip(&self.defaults)
            .filter(|(_, x)| x.is_finite() || !implied)
            .map(|(name, x)| format!("{name} = {x}"))
            .collect();
        if !params.is_empty() {
            writeln!(f, "params = {{ {} }}", params.join(", "))?;
        }
        let finite = |cutoff: &&String| {
            self.language
                .params
                .iter()
                .zip(&self.defaults)
                .any(|(name, x)| name == *cutoff && (x.is_finite() || !implied))
        };
        if let Some(cutoff) = self.cutoff.as_ref().filter(finite) {
            writeln!(f, "cutoff = {}", quoted(cutoff))?;
        }
        measurement(f, "alpha", &self.language.alpha, &Measurement::default())?;
        measurement(f, "sigma", &self.language.sigma, &Measurement::ranking())?;
        if !self.language.sets.is_empty() {
            writeln!(f, "\n[sets]")?;
            for (name, condition) in &self.language.sets {
                writeln!(f, "{name} = {}", quoted(&condition.to_string()))?;
            }
        }
        match (&self.average_source.sim_builtin, &self.language.sim) {
            (Some(builtin), _) => writeln!(f, "\n[sim]\nbuiltin = {}", quoted(builtin))?,
            (None, Some(sim)) => writeln!(f, "\n[sim]\nexpr = {}", quoted(&sim.to_string()))?,
            (None, None) => {}
        }
        documents(f, &self.source)?;
        let average = &self.average_source;
        if average.agg.is_some() || self.average.undefined.is_some() {
            writeln!(f, "\n[avgQ]\nagg = {}", quoted(average.agg.as_deref().unwrap_or("mean")))?;
            if let Some(floor) = average.floor {
                writeln!(f, "floor = {floor}")?;
            }
            for (key, node) in
                [("f", &average.f), ("back", &average.back), ("weight", &average.weight)]
            {
                if let Some(node) = node {
                    writeln!(f, "{key} = {}", quoted(&node.to_string()))?;
                }
            }
            if let Some(undefined) = self.average.undefined {
                writeln!(f, "undefined = {}", quoted(undefined.name()))?;
            }
        }
        Ok(())
    }
}

impl Component {
    /// How documents and queries are averaged, in one line.
    pub fn in_short(&self) -> String {
        let [_, _, _, (_, documents), (_, queries)] = self.components();
        format!("{documents}; over topics: {queries}")
    }

    /// The five components in words: the scale of alpha, that of sigma, the similarity, the average
    /// over documents and that over queries.
    pub fn components(&self) -> [(&'static str, String); 5] {
        let sim = match (&self.average_source.sim_builtin, &self.language.sim) {
            (Some(builtin), _) => format!(
                "{builtin}: how far a rank is outside of the ideal block of the documents of its alpha"
            ),
            (None, Some(sim)) => sim.to_string(),
            (None, None) => "none of its own".to_string(),
        };
        let documents = match &self.source {
            ScoreSource::Whole { score, .. } => score.to_string(),
            ScoreSource::Average { over, filter, agg, term, norm, empty } => {
                let mut text = format!("{} over {over}", agg.name());
                if let Some(filter) = filter {
                    let _ = write!(text, " where {filter}");
                }
                let _ = write!(
                    text,
                    " of {}",
                    term.as_ref().map_or("sim".to_string(), ToString::to_string)
                );
                if let Some(norm) = norm {
                    let _ = write!(text, ", divided by {norm}");
                }
                let _ = write!(text, "; {} where {over} is empty", empty.name());
                text
            }
        };
        let average = &self.average_source;
        let mut queries = average.agg.clone().unwrap_or_else(|| "mean".to_string());
        if let Some(floor) = average.floor {
            let _ = write!(queries, " of scores raised to {floor} at least");
        }
        for (key, node) in [("f(x)", &average.f), ("back(x)", &average.back)] {
            if let Some(node) = node {
                let _ = write!(queries, ", {key} = {node}");
            }
        }
        if let Some(weight) = &average.weight {
            let _ = write!(queries, ", each topic weighing {weight}");
        }
        let undefined = match self.average.undefined {
            Some(undefined) => undefined.name(),
            None => "as the evaluation has them",
        };
        let _ = write!(queries, "; undefined scores: {undefined}");
        [
            ("scale(alpha)", self.language.alpha.to_string()),
            ("scale(sigma)", self.language.sigma.to_string()),
            ("sim", sim),
            ("avgD", documents),
            ("avgQ", queries),
        ]
    }
}

/// The scale, what it is, and what belongs to it.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.scale.name(), self.scale.meaning())?;
        let list = |texts: Vec<String>| texts.join(", ");
        if !self.levels.is_empty() {
            write!(
                f,
                ": {}",
                self.levels.join(if self.scale == Scale::RankedCategories { " < " } else { ", " })
            )?;
        }
        if !self.gain.is_empty() {
            write!(f, ", worth {}", list(self.gain.iter().map(f64::to_string).collect()))?;
        }
        if let Some((low, high)) = self.range {
            write!(f, " from {low} to {high}")?;
        }
        if self.by_score {
            write!(f, ", by the scores of the run")?;
        }
        Ok(())
    }
}

fn documents(f: &mut fmt::Formatter<'_>, source: &ScoreSource) -> fmt::Result {
    match source {
        ScoreSource::Whole { formula: true, .. } => Ok(()),
        ScoreSource::Whole { score, .. } => {
            writeln!(f, "\n[avgD]\nexpr = {}", quoted(&score.to_string()))
        }
        ScoreSource::Average { over, filter, agg, term, norm, empty } => {
            writeln!(f, "\n[avgD]\nover = {}", quoted(over))?;
            if let Some(filter) = filter {
                writeln!(f, "where = {}", quoted(&filter.to_string()))?;
            }
            writeln!(f, "agg = {}", quoted(agg.name()))?;
            for (key, node) in [("term", term), ("norm", norm)] {
                if let Some(node) = node {
                    writeln!(f, "{key} = {}", quoted(&node.to_string()))?;
                }
            }
            writeln!(f, "empty = {}", quoted(empty.name()))
        }
    }
}

fn measurement(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    measurement: &Measurement,
    default: &Measurement,
) -> fmt::Result {
    if measurement == default {
        return Ok(());
    }
    writeln!(f, "\n[{name}]\nscale = {}", quoted(measurement.scale.name()))?;
    if !measurement.levels.is_empty() {
        let levels: Vec<String> = measurement.levels.iter().map(|l| quoted(l)).collect();
        writeln!(f, "levels = [{}]", levels.join(", "))?;
    }
    if !measurement.gain.is_empty() {
        let gains: Vec<String> = measurement.gain.iter().map(f64::to_string).collect();
        writeln!(f, "gain = [{}]", gains.join(", "))?;
    }
    if let Some((low, high)) = measurement.range {
        writeln!(f, "range = [{low}, {high}]")?;
    }
    if measurement.by_score {
        writeln!(f, "read = \"score\"")?;
    }
    Ok(())
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

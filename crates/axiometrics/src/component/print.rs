//! A component printed back as the file that says it.

use std::fmt::{self, Write as _};

use super::{Agg, Component, Empty, Measurement, Source};
use crate::choice::Choice;

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", quoted(self.def.title))?;
        if let Some(about) = &self.about {
            writeln!(f, "about = {}", quoted(about))?;
        }
        if let Source::Whole { formula: true, score } = &self.source {
            writeln!(f, "score = {}", quoted(&score.to_string()))?;
        }
        let params: Vec<String> = self
            .language
            .params
            .iter()
            .zip(&self.defaults)
            .filter(|(_, x)| x.is_finite())
            .map(|(name, x)| format!("{name} = {x}"))
            .collect();
        if !params.is_empty() {
            writeln!(f, "params = {{ {} }}", params.join(", "))?;
        }
        let finite = |cutoff: &&String| self.language.params.iter().zip(&self.defaults).any(|(name, x)| name == *cutoff && x.is_finite());
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
            for (key, node) in [("f", &average.f), ("back", &average.back)] {
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

fn documents(f: &mut fmt::Formatter<'_>, source: &Source) -> fmt::Result {
    match source {
        Source::Whole { formula: true, .. } => Ok(()),
        Source::Whole { score, .. } => writeln!(f, "\n[avgD]\nexpr = {}", quoted(&score.to_string())),
        Source::Average { over, filter, agg, term, norm, empty } => {
            writeln!(f, "\n[avgD]\nover = {}", quoted(over))?;
            if let Some(filter) = filter {
                writeln!(f, "where = {}", quoted(&filter.to_string()))?;
            }
            let agg = match agg {
                Agg::Sum => "sum",
                Agg::Mean => "mean",
                Agg::Min => "min",
                Agg::Max => "max",
            };
            writeln!(f, "agg = {}", quoted(agg))?;
            for (key, node) in [("term", term), ("norm", norm)] {
                if let Some(node) = node {
                    writeln!(f, "{key} = {}", quoted(&node.to_string()))?;
                }
            }
            let empty = match empty {
                Empty::Undefined => "undefined",
                Empty::Zero => "zero",
                Empty::One => "one",
            };
            writeln!(f, "empty = {}", quoted(empty))
        }
    }
}

fn measurement(f: &mut fmt::Formatter<'_>, name: &str, measurement: &Measurement, default: &Measurement) -> fmt::Result {
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
    match measurement.range {
        Some((low, high)) => writeln!(f, "range = [{low}, {high}]"),
        None => Ok(()),
    }
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

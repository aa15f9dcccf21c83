//! The lattice, drawn: sets of properties above their parts, and a table of dots and crosses.

use std::fmt::Write as _;

use super::example::EXAMPLES;
use super::property::{Property, PropertySet};
use super::search::Lattice;
use crate::choice::Choice;

const FEASIBLE: &str = "#1b7837";
const LARGEST: &str = "#d9f0d3";
const IMPOSSIBLE: &str = "#b2182b";
const LINE: &str = "#b8b8b8";

/// The feasible sets of the seven properties, each above its parts. Properties that are in no
/// contradiction can be added to each set and are left out.
pub fn seven() -> String {
    let lattice = Lattice::get().among(PropertySet::SEVEN);
    let free = lattice.free();
    let asked = PropertySet::SEVEN.without(free);
    let impossible: Vec<PropertySet> =
        lattice.contradictions.iter().map(|c| c.properties).collect();
    let feasible: Vec<PropertySet> = lattice.feasible.iter().map(|set| set.common(asked)).collect();
    let mut layers: Vec<Vec<PropertySet>> = vec![Vec::new(); asked.len() + 1];
    for set in asked.parts() {
        if feasible.iter().any(|f| set.is_part_of(*f)) || impossible.contains(&set) {
            layers[set.len()].push(set);
        }
    }
    layers.retain(|layer| !layer.is_empty());
    untangle(&mut layers);
    let (wide, high, margin) = (96.0, 100.0, 36.0);
    let width = wide * layers.iter().map(Vec::len).max().unwrap_or(1) as f64 + 2.0 * margin;
    let height = high * layers.len() as f64 + 60.0;
    let place = |set: PropertySet| {
        let layer = set.len();
        let among = layers.get(layer)?;
        let at = among.iter().position(|s| *s == set)?;
        let x = width / 2.0 + (at as f64 - (among.len() as f64 - 1.0) / 2.0) * wide;
        Some((x, height - 70.0 - high * layer as f64))
    };
    let mut svg = open(width, height);
    for set in layers.iter().flatten() {
        for property in set.iter() {
            let part = set.without([property].into_iter().collect());
            if let (Some((x, y)), Some((u, v))) = (place(*set), place(part)) {
                let style = if impossible.contains(set) {
                    format!(
                        "stroke=\"{IMPOSSIBLE}\" stroke-dasharray=\"4 3\" stroke-opacity=\"0.5\""
                    )
                } else {
                    format!("stroke=\"{LINE}\"")
                };
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x}\" y1=\"{}\" x2=\"{u}\" y2=\"{}\" {style}/>",
                    y + 20.0,
                    v - 20.0
                );
            }
        }
    }
    for set in layers.iter().flatten() {
        let Some((x, y)) = place(*set) else { continue };
        let names: Vec<&str> = set.iter().map(short).collect();
        let lines = if names.is_empty() { vec!["none".to_string()] } else { halves(&names) };
        let (fill, stroke, bold) = if impossible.contains(set) {
            ("#fde0dd", IMPOSSIBLE, "normal")
        } else if feasible.contains(set) {
            (LARGEST, FEASIBLE, "bold")
        } else {
            ("white", "#666666", "normal")
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"88\" height=\"40\" rx=\"6\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
            x - 44.0,
            y - 20.0
        );
        for (i, line) in lines.iter().enumerate() {
            let down = if lines.len() == 1 { 4.0 } else { 15.0 * i as f64 - 4.0 };
            text(&mut svg, (x, y + down), "middle", &format!("font-weight=\"{bold}\""), line);
        }
        let full: PropertySet = set.iter().chain(free.iter()).collect();
        let example = EXAMPLES.iter().find(|e| e.set().common(PropertySet::SEVEN) == full);
        if let Some(example) = example.filter(|_| feasible.contains(set)) {
            let style = format!("fill=\"{FEASIBLE}\"");
            text(&mut svg, (x, y - 26.0), "middle", &style, example.measure);
        }
    }
    let legend = format!(
        "Each set can be had together with {}. Green: the largest, with a measure that has it. Red: no measure has it.",
        free.iter().map(Choice::name).collect::<Vec<_>>().join(" and ")
    );
    text(&mut svg, (width / 2.0, height - 14.0), "middle", "", &legend);
    svg + "</svg>\n"
}

/// All largest feasible sets and all minimal contradictions of the twelve, row by row.
pub fn twelve() -> String {
    let lattice = Lattice::get();
    let (left, top, cell, line) = (20.0, 140.0, 44.0, 26.0);
    let names = left + cell * Property::ALL.len() as f64 + 10.0;
    let width = names + 180.0;
    let rows = lattice.feasible.len() + lattice.contradictions.len();
    let height = top + line * (rows as f64 + 3.5);
    let column = |p: Property| left + cell * (p as usize as f64 + 0.5);
    let mut svg = open(width, height);
    for p in Property::ALL {
        let x = column(*p);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" transform=\"rotate(-45 {x} {})\">{}</text>",
            top - 12.0,
            top - 12.0,
            p.name()
        );
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{}\" stroke=\"#eeeeee\"/>",
            height - line
        );
    }
    let mut y = top + line * 0.75;
    let bold = "font-weight=\"bold\"";
    text(&mut svg, (names, y), "start", bold, "can be had together");
    y += line;
    for set in &lattice.feasible {
        for p in set.iter() {
            let _ = writeln!(
                svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{FEASIBLE}\"/>",
                column(p),
                y - 5.0
            );
        }
        let example = EXAMPLES.iter().find(|e| e.set() == *set).map_or("", |e| e.measure);
        text(&mut svg, (names, y), "start", "", example);
        y += line;
    }
    y += line * 0.5;
    text(&mut svg, (names, y), "start", bold, "cannot");
    y += line;
    for contradiction in &lattice.contradictions {
        for p in contradiction.properties.iter() {
            let (x, y) = (column(p), y - 5.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}L{} {}M{} {}L{} {}\" stroke=\"{IMPOSSIBLE}\" stroke-width=\"2.5\"/>",
                x - 5.0,
                y - 5.0,
                x + 5.0,
                y + 5.0,
                x - 5.0,
                y + 5.0,
                x + 5.0,
                y - 5.0
            );
        }
        y += line;
    }
    svg + "</svg>\n"
}

fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, style: &str, words: &str) {
    let _ =
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" {style}>{words}</text>");
}

/// A name that fits into a box with another.
fn short(property: Property) -> &'static str {
    match property {
        Property::Monotonic => "mono",
        Property::Convergent => "conv",
        Property::TopWeighted => "top",
        Property::Localized => "local",
        Property::Realizable => "real",
        other => other.name(),
    }
}

/// Words on one line, or on two if there are more than two.
fn halves(words: &[&str]) -> Vec<String> {
    words.chunks(2).map(|part| part.join(" ")).collect()
}

/// Orders the sets of each layer by where their parts are, so that few lines cross.
fn untangle(layers: &mut [Vec<PropertySet>]) {
    for layer in 1..layers.len() {
        let below = layers[layer - 1].clone();
        let centre = |set: &PropertySet| {
            let parts = below.iter().enumerate().filter(|(_, part)| part.is_part_of(*set));
            let (sum, count) = parts.fold((0, 0), |(sum, count), (at, _)| (sum + at, count + 1));
            // In thousandths, so that the order is one of whole numbers.
            1000 * sum / count.max(1)
        };
        layers[layer].sort_by_key(|set| (centre(set), *set));
    }
}

//! The differences of two runs, topic by topic, from the greatest gain to the greatest loss.

use kuva::plot::bar::BarPlot;
use kuva::render::annotations::ReferenceLine;
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;

use super::{BLUE, Figure, INK, ORANGE, axis, label, layout};

/// More topics than this have no names below their bars.
const NAMED: usize = 40;
/// Lines upright and shorter than this are the ticks below the bars.
const LONGEST_TICK: f64 = 6.0;

/// Topics with their differences, in any order; `axis_title` says what was subtracted from what.
pub fn differences(
    name: &str,
    caption: String,
    axis_title: &str,
    topics: &[(String, f64)],
) -> Figure {
    let mut sorted: Vec<&(String, f64)> = topics.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let named = sorted.len() <= NAMED;
    let bars = sorted.iter().map(|(topic, d)| {
        (if named { label(topic) } else { String::new() }, *d, if *d < 0.0 { ORANGE } else { BLUE })
    });
    let tips: Vec<String> = sorted
        .iter()
        .map(|(topic, d)| format!("{}: {d:+.4}", label(topic).replace("\\$", "$")))
        .collect();
    let plot = BarPlot::new()
        .with_colored_bars(bars)
        .with_width(0.8)
        .with_tooltips()
        .with_tooltip_labels(tips);
    let (from, to, step) = axis(sorted.iter().map(|(_, d)| *d).chain([0.0]));
    let plots = vec![Plot::Bar(plot)];
    let title = if named {
        "topic, by difference".to_string()
    } else {
        format!("{} topics, by difference", sorted.len())
    };
    let layout = layout(&plots)
        .with_height(260.0)
        .with_y_axis_min(from)
        .with_y_axis_max(to)
        .with_y_tick_step(step)
        .with_x_tick_rotate(-90.0)
        .with_reference_line(ReferenceLine::horizontal(0.0).with_color(INK).with_dasharray("none"))
        .with_x_label(title)
        .with_y_label(axis_title);
    let mut figure = Figure::new(name, caption, plots, layout);
    if !named {
        // Ticks without names say nothing, and a hundred of them blacken the axis.
        let is_tick = |e: &Primitive| matches!(e, Primitive::Line { x1, x2, y1, y2, .. } if x1 == x2 && (y2 - y1).abs() < LONGEST_TICK);
        figure.scene.elements.retain(|element| !is_tick(element));
    }
    figure
}

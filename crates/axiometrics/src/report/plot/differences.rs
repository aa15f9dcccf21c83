//! The differences of two runs, topic by topic, from the greatest gain to the greatest loss.

use kuva::plot::bar::BarPlot;
use kuva::render::annotations::ReferenceLine;
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;

use super::{BLUE, Figure, INK, ORANGE, axis, label, layout, spread, tick_format};

/// More topics than this have no names below their bars.
const NAMED: usize = 40;
/// More topics than this are drawn as an area of so many steps.
const STEPS: usize = 320;
/// Lines upright and shorter than this are the ticks below the bars.
const LONGEST_TICK: f64 = 6.0;

/// Topics with their differences, from the greatest to the least; `axis_title` says what was
/// subtracted from what, `span` holds the lowest and the highest difference of all plots that are
/// to share an axis.
pub fn differences(
    name: &str,
    caption: String,
    axis_title: &str,
    sorted: &[(u32, f64)],
    span: (f64, f64),
    topic_name: impl Fn(u32) -> String,
) -> Figure {
    let named = sorted.len() <= NAMED;
    let shown = spread(sorted, STEPS);
    let area = shown.len() < sorted.len();
    let bars = shown.iter().map(|(topic, d)| {
        let name = if named { label(&topic_name(*topic)) } else { String::new() };
        (name, *d, if *d < 0.0 { ORANGE } else { BLUE })
    });
    let mut plot = BarPlot::new().with_colored_bars(bars).with_width(if area { 1.0 } else { 0.8 });
    if !area {
        let tip = |(topic, d): &(u32, f64)| {
            format!("{}: {d:+.4}", label(&topic_name(*topic)).replace("\\$", "$"))
        };
        plot = plot.with_tooltips().with_tooltip_labels(shown.iter().map(tip).collect::<Vec<_>>());
    }
    let (from, to, step) = axis([span.0, span.1, 0.0].into_iter());
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
        .with_y_tick_format(tick_format(step))
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

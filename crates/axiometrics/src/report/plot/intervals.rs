//! Numbers with intervals, one row each: means, differences, joint ranges.

use kuva::plot::forest::{ForestPlot, ForestRow};
use kuva::render::plots::Plot;

use super::{BLUE, Figure, MUTED, axis, label, layout, tick_format};

/// One row: a number between two ends.
#[derive(Debug, Clone)]
pub struct IntervalRow {
    /// What it is a number of.
    pub label: String,
    /// The number.
    pub value: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// True for the row that the others are compared with.
    pub muted: bool,
}

/// Rows from top to bottom, over an axis with this title; `null` is the number that means no
/// difference.
pub fn intervals(
    name: &str,
    caption: String,
    axis_title: &str,
    rows: &[IntervalRow],
    null: Option<f64>,
) -> Figure {
    let many = rows.len() > 40;
    let mut plot = ForestPlot::new()
        .with_marker_size(if many { 2.5 } else { 4.0 })
        .with_whisker_width(1.4)
        .with_cap_size(if many { 0.0 } else { 4.0 });
    plot.null_value = null;
    plot.show_null_line = null.is_some();
    plot.rows = rows
        .iter()
        .map(|row| {
            let mut shown = ForestRow::new(label(&row.label), row.value, row.lower, row.upper);
            shown.color = Some(if row.muted { MUTED } else { BLUE }.to_string());
            shown
        })
        .collect();
    let (from, to, step) = axis(rows.iter().flat_map(|r| [r.lower, r.upper, r.value]).chain(null));
    let plots = vec![Plot::Forest(plot)];
    let row_height = if many { 14.0 } else { 22.0 };
    let layout = layout(&plots)
        .with_height(90.0 + row_height * rows.len() as f64)
        .with_tick_size(if many { 10 } else { 12 })
        .with_x_axis_min(from)
        .with_x_axis_max(to)
        .with_x_tick_step(step)
        .with_x_tick_format(tick_format(step))
        .with_x_label(axis_title);
    Figure::new(name, caption, plots, layout)
}

//! Interpolated precision over recall, the mean of the topics.

use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::line::LinePlot;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::plots::Plot;

use super::{Figure, SERIES, axis, label, layout};

/// The levels of recall of the customary curve.
pub const RECALLS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Points on the ends of an axis are to be whole.
const ROOM: f64 = 0.015;

/// The shape that tells a curve where its colour does not.
const MARKERS: [MarkerShape; SERIES.len()] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::Cross,
    MarkerShape::TriangleDown,
    MarkerShape::Plus,
];

/// Runs with their precision at [`RECALLS`]: at most as many as there are colours, the others are
/// left out.
pub fn recall_precision(name: &str, caption: String, runs: &[(String, Vec<f64>)]) -> Figure {
    let (mut plots, mut entries) = (Vec::new(), Vec::new());
    for ((run, precision), (colour, marker)) in runs.iter().zip(SERIES.iter().zip(MARKERS)) {
        let points: Vec<(f64, f64)> = RECALLS.into_iter().zip(precision.iter().copied()).collect();
        plots.push(Plot::Line(
            LinePlot::new().with_data(points.clone()).with_color(*colour).with_stroke_width(1.8),
        ));
        plots.push(Plot::Scatter(
            ScatterPlot::new()
                .with_data(points)
                .with_color(*colour)
                .with_size(4.0)
                .with_marker(marker),
        ));
        entries.push(LegendEntry {
            label: label(run),
            color: colour.to_string(),
            shape: LegendShape::Marker(marker),
            dasharray: None,
        });
    }
    let (_, to, step) =
        axis(runs.iter().flat_map(|(_, precision)| precision.iter().copied()).chain([0.0]));
    let layout = layout(&plots)
        .with_height(360.0)
        .with_x_axis_min(-ROOM)
        .with_x_axis_max(1.0 + ROOM)
        .with_x_tick_step(0.2)
        .with_y_axis_min(-ROOM * to)
        .with_y_axis_max(to * (1.0 + ROOM))
        .with_y_tick_step(step)
        .with_legend_entries(entries)
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_x_label("recall")
        .with_y_label("interpolated precision");
    Figure::new(name, caption, plots, layout)
}

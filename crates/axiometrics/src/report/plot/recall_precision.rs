//! Interpolated precision over recall, the mean of the topics.

use kuva::plot::legend::LegendPosition;
use kuva::plot::line::{LinePlot, LineStyle};
use kuva::render::plots::Plot;

use super::{Figure, SERIES, axis, label, layout};

/// The levels of recall of the customary curve.
pub const RECALLS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Runs with their precision at [`RECALLS`]: at most as many as there are colours, the others are left out.
pub fn recall_precision(name: &str, caption: String, runs: &[(String, Vec<f64>)]) -> Figure {
    let styles = ["none", "7 3", "2 2.5", "8 3 2 3", "12 4", "4 2", "1 3"];
    let mut plots = Vec::new();
    for ((run, precision), (colour, dash)) in runs.iter().zip(SERIES.iter().zip(styles)) {
        let style = if dash == "none" { LineStyle::Solid } else { LineStyle::Custom(dash.into()) };
        let points = RECALLS.into_iter().zip(precision.iter().copied());
        plots.push(Plot::Line(
            LinePlot::new().with_data(points).with_color(*colour).with_stroke_width(2.0).with_line_style(style).with_legend(label(run)),
        ));
    }
    let (_, to, step) = axis(runs.iter().flat_map(|(_, precision)| precision.iter().copied()).chain([0.0]));
    let layout = layout(&plots)
        .with_height(360.0)
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_x_tick_step(0.2)
        .with_y_axis_min(0.0)
        .with_y_axis_max(to)
        .with_y_tick_step(step)
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_x_label("recall")
        .with_y_label("interpolated precision");
    Figure::new(name, caption, plots, layout)
}

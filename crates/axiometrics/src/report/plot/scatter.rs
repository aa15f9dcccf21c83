//! One measure against another: a point for each output or each system.

use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::plots::Plot;

use super::{BLUE, Figure, axis, label, layout, tick_format};

/// More points than this are small and let others through.
const FEW: usize = 100;

/// Points with the names of both axes.
pub fn scatter(name: &str, caption: String, axes: [&str; 2], points: &[(f64, f64)]) -> Figure {
    let many = points.len() > FEW;
    let plot = ScatterPlot::new()
        .with_data(points.to_vec())
        .with_color(BLUE)
        .with_size(if many { 2.5 } else { 4.0 })
        .with_marker_opacity(if many { 0.35 } else { 0.8 })
        .with_marker(MarkerShape::Circle);
    let (left, right, across) = axis(points.iter().map(|point| point.0));
    let (bottom, top, up) = axis(points.iter().map(|point| point.1));
    let plots = vec![Plot::Scatter(plot)];
    let layout = layout(&plots)
        .with_height(480.0)
        .with_x_axis_min(left)
        .with_x_axis_max(right)
        .with_x_tick_step(across)
        .with_x_tick_format(tick_format(across))
        .with_y_axis_min(bottom)
        .with_y_axis_max(top)
        .with_y_tick_step(up)
        .with_y_tick_format(tick_format(up))
        .with_x_label(label(axes[0]))
        .with_y_label(label(axes[1]));
    Figure::new(name, caption, plots, layout)
}

//! How the scores of topics are spread, run by run: density, quartiles and the topics themselves.

use kuva::plot::raincloud::RaincloudPlot;
use kuva::render::plots::Plot;

use super::{BLUE, Figure, axis, label, layout, spread, tick_format};

/// A run with more topics is drawn by so many of its quantiles.
pub const DOTS: usize = 300;

/// Runs from top to bottom, each with the scores of its topics.
pub fn distribution(
    name: &str,
    caption: String,
    measure: &str,
    runs: &[(String, Vec<f64>)],
) -> Figure {
    let row_height = 64.0;
    let mut plot = RaincloudPlot::new()
        .with_horizontal(true)
        .with_group_colors(runs.iter().map(|_| BLUE))
        .with_cloud_width(row_height * 0.33)
        .with_cloud_alpha(0.35)
        .with_kde_samples(80)
        .with_cloud_offset(0.12)
        .with_box_width(0.1)
        .with_rain_offset(0.24)
        .with_rain_jitter(0.14)
        .with_rain_size(2.0)
        .with_rain_alpha(0.55)
        .with_seed(1);
    // The library counts rows from below.
    for (run, scores) in runs.iter().rev() {
        let mut sorted = scores.clone();
        if sorted.len() > DOTS {
            sorted.sort_unstable_by(f64::total_cmp);
        }
        plot = plot.with_group(label(run), spread(&sorted, DOTS));
    }
    let (from, to, step) = axis(runs.iter().flat_map(|(_, scores)| scores.iter().copied()));
    // Dots on the ends of the axis are to be whole.
    let room = (to - from) * 0.01;
    let plots = vec![Plot::Raincloud(plot)];
    let layout = layout(&plots)
        .with_height(80.0 + row_height * runs.len() as f64)
        .with_x_axis_min(from - room)
        .with_x_axis_max(to + room)
        .with_x_tick_step(step)
        .with_x_tick_format(tick_format(step))
        .with_x_label(measure);
    Figure::new(name, caption, plots, layout)
}

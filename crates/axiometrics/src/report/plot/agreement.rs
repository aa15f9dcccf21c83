//! How far measures agree: a correlation for each pair, as a heat map.

use std::sync::Arc;

use kuva::plot::heatmap::{ColorMap, Heatmap};
use kuva::render::color::Color;
use kuva::render::plots::Plot;
use kuva::render::render::Primitive;

use super::{Figure, label, layout};

/// A symmetric table of correlations from -1 to 1.
pub fn agreement(name: &str, caption: String, measures: &[String], correlations: &[Vec<f64>]) -> Figure {
    let names: Vec<String> = measures.iter().map(|m| label(m)).collect();
    let bottom_up: Vec<Vec<f64>> = correlations.iter().rev().cloned().collect();
    let (low, high) = bottom_up.iter().flatten().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    // The library stretches the colours over the numbers at hand; a correlation has a scale of its own.
    let colours = ColorMap::Custom(Arc::new(move |share: f64| shade(low + share * (high - low))));
    let values: Vec<String> = bottom_up.iter().flatten().map(|x| format!("{x:.2}")).collect();
    let plot = Heatmap::new().with_data(bottom_up.clone()).with_color_map(colours).with_values().with_cell_size(0.97);
    let plots = vec![Plot::Heatmap(plot)];
    let side = (44.0 * names.len() as f64).clamp(160.0, 460.0);
    let layout = layout(&plots)
        .with_height(side + 150.0)
        .with_show_grid(false)
        .with_x_categories(names.clone())
        .with_y_categories(names.into_iter().rev().collect())
        .with_x_tick_rotate(-45.0);
    let mut figure = Figure::new(name, caption, plots, layout);
    set_on_cells(&mut figure, &values, &bottom_up.concat());
    figure
}

/// From orange over white to blue, as far as the number is from 0.
fn shade(correlation: f64) -> String {
    let end = if correlation < 0.0 { [0xd5, 0x5e, 0x00] } else { [0x00, 0x72, 0xb2] };
    let share = correlation.abs().clamp(0.0, 1.0);
    let [r, g, b] = end.map(|to: u8| (255.0 + (f64::from(to) - 255.0) * share).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Gives the numbers in the cells the colour that can be read there, whatever that of the other text.
fn set_on_cells(figure: &mut Figure, values: &[String], numbers: &[f64]) {
    let mut cells = values.iter().zip(numbers).peekable();
    for element in &mut figure.scene.elements {
        if let (Primitive::Text { content, color, .. }, Some((value, number))) = (element, cells.peek())
            && content == *value
        {
            *color = Some(Color::from(if number.abs() > 0.72 { "#ffffff" } else { "#111111" }));
            cells.next();
        }
    }
}

//! How far measures agree: a correlation for each pair, as a heat map.

use std::sync::Arc;

use kuva::plot::heatmap::{ColorMap, Heatmap};
use kuva::render::color::Color;
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, TextAnchor};

use super::{Figure, label, layout};
use crate::report::shade;

/// A symmetric table of correlations from -1 to 1 by a coefficient of this name; an absent one is
/// drawn as 0.
pub fn agreement(
    name: &str,
    caption: String,
    coefficient: &str,
    measures: &[String],
    correlations: &[Vec<Option<f64>>],
) -> Figure {
    let names: Vec<String> = measures.iter().map(|m| label(m)).collect();
    let bottom_up: Vec<Vec<f64>> = correlations
        .iter()
        .rev()
        .map(|row| row.iter().map(|x| x.unwrap_or(0.0)).collect())
        .collect();
    let (low, high) = bottom_up
        .iter()
        .flatten()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    // The library stretches the colours over the numbers at hand; a correlation has a scale of its
    // own.
    let colours = ColorMap::Custom(Arc::new(move |share: f64| {
        let [r, g, b] = shade::rgb(low + share * (high - low));
        format!("#{r:02x}{g:02x}{b:02x}")
    }));
    let values: Vec<String> = bottom_up.iter().flatten().map(|x| format!("{x:.2}")).collect();
    let plot = Heatmap::new()
        .with_data(bottom_up.clone())
        .with_color_map(colours)
        .with_values()
        .with_cell_size(0.97);
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
    name_colours(&mut figure, coefficient);
    figure
}

/// Writes the name of the coefficient beside the bar of colours, which the library leaves without:
/// the bar is the last rectangle with a border.
fn name_colours(figure: &mut Figure, coefficient: &str) {
    /// From the bar to the middle of the text.
    const GAP: f64 = 9.0;
    let bar = figure.scene.elements.iter().rev().find_map(|element| match element {
        Primitive::Rect { x, y, height, stroke: Some(_), .. } => Some((x - GAP, y + height / 2.0)),
        _ => None,
    });
    let Some((x, y)) = bar else { return };
    figure.scene.elements.push(Primitive::Text {
        x,
        y,
        content: label(coefficient),
        size: 12,
        anchor: TextAnchor::Middle,
        rotate: Some(-90.0),
        bold: false,
        color: None,
    });
}

/// Gives the numbers in the cells the colour that can be read there, whatever that of the other
/// text.
fn set_on_cells(figure: &mut Figure, values: &[String], numbers: &[f64]) {
    let mut cells = values.iter().zip(numbers).peekable();
    for element in &mut figure.scene.elements {
        if let (Primitive::Text { content, color, .. }, Some((value, number))) =
            (element, cells.peek())
            && content == *value
        {
            *color =
                Some(Color::from(if shade::is_dark(**number) { "#ffffff" } else { "#000000" }));
            cells.next();
        }
    }
}

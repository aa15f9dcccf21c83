//! Plots fit for a paper: one file per kind.
//!
//! Owns: how plots look, as SVG and PNG. Does not own: any number that they show. The colours are
//! those of Okabe and Ito, which people with any kind of colour vision tell apart; where it matters
//! which curve is which, shape or dash tells it a second time.
//!
//! A plot has no title, because its caption belongs to the page or the paper around it.

mod agreement;
mod differences;
mod distribution;
mod intervals;
mod recall_precision;
mod scatter;

pub use agreement::agreement;
pub use differences::differences;
pub use distribution::{DOTS, distribution};
pub use intervals::{IntervalRow, intervals};
pub use recall_precision::{RECALLS, recall_precision};
pub use scatter::scatter;

#[cfg(feature = "png")]
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use kuva::render::theme::Theme;

#[cfg(feature = "png")]
use crate::{Error, Result};

/// A plot, ready to be written.
pub struct Figure {
    /// A name for its file, without extension: letters, digits and hyphens.
    pub name: String,
    /// What it shows, in one sentence.
    pub caption: String,
    scene: Scene,
}

/// Text and axes. The page replaces this colour and the next by those of its own scheme.
const INK: &str = "#1f2328";
/// Grid lines.
const GRID: &str = "#d8dee4";
/// The reference run, and whatever is not to catch the eye.
const MUTED: &str = "#6e7781";
/// Better than the reference, and the only colour if one is enough.
const BLUE: &str = "#0072b2";
/// Worse than the reference.
const ORANGE: &str = "#d55e00";
/// Series, in the order they are used.
const SERIES: [&str; 7] = [BLUE, ORANGE, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", MUTED];

/// The width of every plot, in the pixels of a screen: with the text sizes below it can be set
/// across a column and a half.
const WIDTH: f64 = 640.0;
/// The pixels of a PNG for each of those: 300 dots per inch at a width of 6.4 inches.
#[cfg(feature = "png")]
const PNG_SCALE: f32 = 3.0;
/// The longest label, in characters.
const LABEL: usize = 28;

const FONTS: &str = "Helvetica, Arial, DejaVu Sans, sans-serif";

impl Figure {
    fn new(name: &str, caption: String, plots: Vec<Plot>, layout: Layout) -> Figure {
        Figure { name: slug(name), caption, scene: render_multiple(plots, layout) }
    }

    /// A document of its own.
    pub fn svg(&self) -> String {
        let body = self.body();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"{FONTS}\" fill=\"{INK}\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{body}",
            w = self.scene.width,
            h = self.scene.height
        )
    }

    /// An element of a page, which inherits the page's text and scales with it. The page has the
    /// caption in an element called `{name}-caption`.
    pub fn element(&self) -> String {
        let (w, h) = (self.scene.width, self.scene.height);
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-labelledby=\"{}-caption\">{}",
            self.name,
            self.body()
        )
    }

    /// An image with a white background.
    #[cfg(feature = "png")]
    pub fn png(&self) -> Result<Vec<u8>> {
        let image = PngBackend::new().with_scale(PNG_SCALE).render_scene(&self.scene);
        image.map_err(|why| {
            Error::usage(format!("the plot {} cannot be drawn as PNG: {why}", self.name))
        })
    }

    /// What stands behind the opening tag. Clip paths are named after the plot: the library counts
    /// them through the life of the process, which would give other bytes for the same plot, and
    /// several plots stand on one page.
    fn body(&self) -> String {
        let drawn = SvgBackend::new().render_scene(&self.scene);
        let (_, mut body) = drawn
            .split_once('>')
            .map_or(("", String::new()), |(tag, body)| (tag, body.to_string()));
        const CLIP: &str = "<clipPath id=\"";
        let ids: Vec<String> = self
            .scene
            .defs
            .iter()
            .filter_map(|def| Some(def.split_once(CLIP)?.1.split_once('"')?.0.to_string()))
            .collect();
        for (i, id) in ids.iter().enumerate() {
            let own = format!("{}-clip{i}", self.name);
            body = body
                .replace(&format!("\"{id}\""), &format!("\"{own}\""))
                .replace(&format!("url(#{id})"), &format!("url(#{own})"));
        }
        // The background of the scene is for images; a document has its own and a page wants none.
        let background = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\" />";
        body.replacen(background, "", 1)
    }
}

/// How every plot looks.
fn layout(plots: &[Plot]) -> Layout {
    let theme = Theme {
        background: "#ffffff".into(),
        axis_color: INK.into(),
        grid_color: GRID.into(),
        tick_color: INK.into(),
        text_color: INK.into(),
        legend_bg: "none".into(),
        legend_border: "none".into(),
        colorbar_border: INK.into(),
        violin_border: INK.into(),
        box_median: "#ffffff".into(),
        ..Theme::light()
    };
    Layout::auto_from_plots(plots)
        .with_theme(theme)
        .with_width(WIDTH)
        .with_label_size(14)
        .with_tick_size(12)
        .with_body_size(12)
        .with_axis_line_width(1.0)
        .with_tick_width(1.0)
        .with_grid_line_width(0.6)
        .with_legend_box(false)
}

/// A name as a plot can show it: not too long, without what XML does not allow, and nothing that
/// the library takes for a formula.
fn label(name: &str) -> String {
    let clean: Vec<char> = name
        .chars()
        .map(
            |c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c },
        )
        .collect();
    let short: String = match clean.len() > LABEL {
        // Names of runs differ at their ends more often than in the middle.
        true => clean[..LABEL / 2]
            .iter()
            .chain(&['…'])
            .chain(&clean[clean.len() - (LABEL / 2 - 1)..])
            .collect(),
        false => clean.iter().collect(),
    };
    short.replace('$', "\\$")
}

/// So many of these values, evenly spread from the first to the last; all of them if they are not
/// more.
fn spread<T: Copy>(values: &[T], most: usize) -> Vec<T> {
    let last = values.len().saturating_sub(1);
    match values.len() > most && most > 1 {
        true => (0..most).map(|i| values[i * last / (most - 1)]).collect(),
        false => values.to_vec(),
    }
}

/// Letters, digits and hyphens.
fn slug(name: &str) -> String {
    let mapped: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    mapped.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Labels that tell neighbouring ticks apart. What the plots choose by themselves shows three
/// decimals at most.
fn tick_format(step: f64) -> TickFormat {
    if step >= 0.01 {
        return TickFormat::Auto;
    }
    let magnitude = (step * 1.000_001).log10().floor();
    let quarter = (step / 10f64.powf(magnitude) - 2.5).abs() < 0.1;
    TickFormat::Fixed((f64::from(u8::from(quarter)) - magnitude) as usize)
}

/// An axis that holds these values with a little room, and so many steps as a reader can take in.
fn axis(values: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let span =
        if high - low > 1e-9 * high.abs().max(1e-3) { high - low } else { high.abs().max(0.1) };
    let raw = span / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .iter()
        .map(|m| m * power)
        .find(|step| *step >= raw * 0.999)
        .unwrap_or(raw);
    let room = span * 0.02;
    let from = ((low - room) / step).floor() * step;
    let to = ((high + room) / step).ceil() * step;
    // No room is needed below a score of 0 or above one of 1.
    let from = if low >= 0.0 && from < 0.0 { 0.0 } else { from };
    let to = if high <= 1.0 && to > 1.0 { 1.0 } else { to };
    (from, to, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_safe() {
        assert_eq!(label("bm25"), "bm25");
        assert_eq!(label("a\u{1}b$c$"), "a\u{fffd}b\\$c\\$");
        let long = label("0123456789012345678901234567890123456789");
        assert_eq!((long.as_str(), long.chars().count()), ("01234567890123…7890123456789", LABEL));
        assert_eq!(slug("means nDCG(dcg='exp')@10"), "means-nDCG-dcg-exp-10");
    }

    #[test]
    fn many_values_are_spread_over_their_range() {
        let values: Vec<u32> = (0..1_000_000).collect();
        let few = spread(&values, 320);
        assert_eq!((few.len(), few[0], few[319]), (320, 0, 999_999));
        assert!(few.windows(2).all(|pair| (3134..=3136).contains(&(pair[1] - pair[0]))));
        assert_eq!(spread(&values[..5], 320), [0, 1, 2, 3, 4]);
        assert!(spread::<u32>(&[], 3).is_empty());
    }

    #[test]
    fn ticks_are_told_apart() {
        let digits = |step: f64| match tick_format(step) {
            TickFormat::Fixed(digits) => digits,
            _ => 0,
        };
        assert_eq!([0.1, 0.01, 0.005, 0.0025, 0.001, 2e-4].map(digits), [0, 0, 3, 4, 3, 4]);
    }

    #[test]
    fn axes_hold_their_values() {
        for values in [
            vec![0.0, 1.0],
            vec![0.31, 0.62],
            vec![5.0],
            vec![0.0],
            vec![-0.3, 0.2],
            vec![1e-9, 2e-9],
            vec![120.0, 900.0],
            vec![],
        ] {
            let (from, to, step) = axis(values.iter().copied());
            assert!(
                step > 0.0 && from < to && (to - from) / step < 9.0,
                "{values:?}: {from} to {to} by {step}"
            );
            assert!(values.iter().all(|x| from <= *x && *x <= to), "{values:?}: {from} to {to}");
        }
        assert_eq!(axis([0.0, 1.0].into_iter()), (0.0, 1.0, 0.2));
    }
}

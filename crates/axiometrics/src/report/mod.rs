//! What a person or another program reads: one model, one small renderer per dialect.
//!
//! Owns: layout, escaping, the text of numbers. Does not own: which numbers there are, nor where
//! they are written to.

pub mod choice;
pub mod comparison;
mod delimited;
pub mod evaluation;
pub mod explanation;
pub mod fit;
mod format;
pub mod gate;
mod guarded;
#[cfg(feature = "html")]
pub mod html;
mod jsonl;
mod latex;
mod layout;
mod lines;
mod listing;
mod markdown;
pub mod meta;
mod model;
mod number;
pub mod organization;
mod page;
pub mod plan;
#[cfg(feature = "html")]
pub mod plot;
pub mod risk;
mod safe;
mod shade;
mod standardized;
mod table;
mod text;
mod trec_eval;
pub mod validation;
mod vectors;
pub mod verdicts;
mod webpage;

pub use format::OutputFormat;
pub use listing::MeasureList;
pub use model::Report;
use number::push_fixed;
pub use number::{push_number, rounded};
pub use page::{Block, Page, Section};
pub use safe::safe;
pub use table::{Align, Cell, CellContent, Column, Row, Style, Table};
pub use text::wrapped;
pub use trec_eval::{TrecLines, write_trec_eval};
pub use vectors::VectorsReport;

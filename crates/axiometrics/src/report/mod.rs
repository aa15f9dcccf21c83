//! What a person or another program reads: one model, one small renderer per dialect.
//!
//! Owns: layout, escaping, the text of numbers. Does not own: which numbers there are, nor where
//! they are written to.

pub mod comparison;
mod delimited;
pub mod gate;
#[cfg(feature = "html")]
pub mod html;
mod latex;
mod layout;
mod markdown;
mod measure;
pub mod meta;
mod number;
mod page;
#[cfg(feature = "html")]
pub mod plot;
mod reading;
mod shade;
mod table;
mod text;
pub mod verdicts;

pub use delimited::Separator;
pub use measure::{component_page, measure_page, organization_page};
pub use number::{push_fixed, push_number};
pub use page::{Block, Page, Section};
pub use reading::{ReadingExample, reading_section};
pub use table::{Align, Cell, Column, Content, Dialect, Row, Style, Table};

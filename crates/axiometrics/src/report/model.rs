//! The model of every result: tables for people, rows for programs, one document.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use super::format::{OutputFormat, Rendering};
use super::guarded::JsonWriter;
use super::lines;
use super::table::{Style, Table};

/// A result that can be written in every [`OutputFormat`].
pub trait Report {
    /// The tables that people read, in their order. Only advice depends on the style.
    fn tables(&self, style: &Style) -> Vec<Table>;

    /// One table for programs: a value per row, or whatever else a line is to hold. Titles and keys
    /// are a promise.
    fn rows(&self) -> Table;

    /// The document for programs. Its schema is a promise: fields are added, never changed.
    fn document(&self, style: &Style) -> impl Serialize;

    /// The result in a form of its own, in a format in which tables are not the best that people
    /// can be given. `None` for all others.
    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        let _ = (format, style);
        None
    }

    /// Writes the rows. A result with very many may have a faster way than a table of them.
    fn write_rows(
        &self,
        format: OutputFormat,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format.form() {
            Rendering::Lines(form) => lines::write(form, &self.rows(), style, out),
            Rendering::Tables(render) => out.write_all(render(&self.rows(), style).as_bytes()),
            Rendering::Page(render) => out.write_all(render(&[self.rows()], style).as_bytes()),
            Rendering::Document => write_json(&self.rows(), out),
        }
    }

    /// Writes the result.
    fn write(&self, format: OutputFormat, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        if let Some(text) = self.own_form(format, style) {
            return out.write_all(text.as_bytes());
        }
        match format.form() {
            Rendering::Tables(render) => {
                let tables: Vec<String> =
                    self.tables(style).iter().map(|table| render(table, style)).collect();
                out.write_all(tables.join("\n").as_bytes())
            }
            Rendering::Page(render) => out.write_all(render(&self.tables(style), style).as_bytes()),
            Rendering::Lines(_) if format == OutputFormat::Jsonl => {
                self.write_rows(format, style, &mut JsonWriter(out))
            }
            Rendering::Lines(_) => self.write_rows(format, style, out),
            Rendering::Document => write_json(&self.document(style), out),
        }
    }

    /// The result as text.
    fn render(&self, format: OutputFormat, style: &Style) -> String {
        let mut out = Vec::new();
        // Writing to memory does not fail, and no document has keys that JSON cannot hold.
        let _ = self.write(format, style, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

fn write_json(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer_pretty(&mut JsonWriter(&mut out), document)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// A table alone is a result, too.
impl Report for Table {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![self.clone()]
    }

    fn rows(&self) -> Table {
        self.clone()
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}

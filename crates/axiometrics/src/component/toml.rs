//! TOML whose texts are expressions: reading its values, and errors that point at a column.

use std::ops::Range;

use toml_edit::{Item, TableLike};

use crate::choice::Choice;
use crate::error::{Error, Place, Result, pointed};
use crate::expression::syntax::{self, Fault, Node};

/// A text of the file, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct PlacedText {
    pub value: String,
    /// Where the value starts, quotes included.
    pub start: usize,
    /// Where the first character of the text itself stands, if the file holds it as it is,
    /// without escapes.
    pub body: Option<usize>,
}

/// A file, and what any of its places may hold.
pub(super) struct File<'t> {
    pub path: &'t str,
    pub text: &'t str,
}

impl File<'_> {
    /// An error with the line and a caret under the column.
    pub(super) fn error(&self, at: usize, message: String) -> Error {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let start = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let number = self.text[..at].matches('\n').count() + 1;
        let line = self.text[start..].lines().next().unwrap_or("");
        let (line, blanks) = pointed(line, at - start);
        let margin = number.to_string();
        let beside = " ".repeat(margin.len());
        let shown = format!("{message}\n  {margin} | {line}\n  {beside} | {blanks}^");
        Error::input(Place::column(self.path, number as u64, (at - start) as u64 + 1), shown)
    }

    pub(super) fn fault(&self, text: &PlacedText, fault: &Fault) -> Error {
        self.error(text.body.map_or(text.start, |body| body + fault.at), fault.message.clone())
    }

    pub(super) fn expression(&self, text: &PlacedText) -> Result<Node> {
        syntax::parse(&text.value).map_err(|fault| self.fault(text, &fault))
    }

    pub(super) fn keys(&self, table: &dyn TableLike, what: &str, known: &[&str]) -> Result<()> {
        for (key, item) in table.iter() {
            if !known.contains(&key) {
                let at = table
                    .key(key)
                    .and_then(toml_edit::Key::span)
                    .or_else(|| item.span())
                    .map_or(0, |s| s.start);
                return Err(self.error(
                    at,
                    format!(
                        "unknown key \"{key}\" in {what}, expected one of {}",
                        known.join(", ")
                    ),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn text(&self, key: &str, item: &Item) -> Result<PlacedText> {
        let at = span(item);
        let value = item.as_str().ok_or_else(|| {
            self.error(at.start, format!("{key}: found {}, expected a text", item.type_name()))
        })?;
        let raw = self.text.get(at.clone()).unwrap_or("");
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let inner = raw.get(quotes..).unwrap_or("");
        let newline = if quotes == 3 { usize::from(inner.starts_with('\n')) } else { 0 };
        let body = inner
            .get(newline..)
            .is_some_and(|text| text.starts_with(value))
            .then_some(at.start + quotes + newline);
        Ok(PlacedText { value: value.to_string(), start: at.start, body })
    }

    pub(super) fn optional_text(
        &self,
        table: &dyn TableLike,
        key: &str,
    ) -> Result<Option<PlacedText>> {
        table.get(key).map(|item| self.text(key, item)).transpose()
    }

    /// A member of a closed set under a key, if the key is there.
    pub(super) fn choice<T: Choice>(&self, table: &dyn TableLike, key: &str) -> Result<Option<T>> {
        let words: Vec<(&str, T)> = T::ALL.iter().map(|member| (member.name(), *member)).collect();
        self.word(table, key, &words)
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(
        &self,
        table: &dyn TableLike,
        key: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>> {
        let Some(text) = self.optional_text(table, key)? else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == text.value) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(self.error(
                    text.start,
                    format!(
                        "{key}: found \"{}\", expected one of {}",
                        text.value,
                        known.join(", ")
                    ),
                ))
            }
        }
    }

    pub(super) fn number(&self, key: &str, item: &Item) -> Result<f64> {
        let number = item
            .as_float()
            .or_else(|| item.as_integer().map(|i| i as f64))
            .filter(|x| x.is_finite());
        number.ok_or_else(|| {
            self.error(
                span(item).start,
                format!("{key}: found {}, expected a number", item.type_name()),
            )
        })
    }
}

pub(super) fn span(item: &Item) -> Range<usize> {
    item.span().unwrap_or(0..0)
}

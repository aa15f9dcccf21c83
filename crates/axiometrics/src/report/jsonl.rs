//! A JSON object on each line, with the keys of the columns.

use crate::data::id_text;
use serde_json::json;

use super::lines::Lines;
use super::table::Column;

/// The format.
pub(super) const JSON_LINES: JsonLines = JsonLines;

/// An object per row.
pub(super) struct JsonLines;

impl Lines for JsonLines {
    fn head(&self, _columns: &[Column], _out: &mut Vec<u8>) {}

    fn before(&self, place: usize, key: &str, out: &mut Vec<u8>) {
        out.push(if place == 0 { b'{' } else { b',' });
        out.extend_from_slice(json!(key).to_string().as_bytes());
        out.push(b':');
    }

    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(json!(id_text(text)).to_string().as_bytes());
    }

    fn list(&self, texts: &[String], out: &mut Vec<u8>) {
        out.extend_from_slice(json!(texts).to_string().as_bytes());
    }

    fn flag(&self, flag: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if flag { b"true" } else { b"false" });
    }

    fn holds_infinity(&self) -> bool {
        false
    }

    fn missing(&self) -> &'static [u8] {
        b"null"
    }

    fn end(&self) -> &'static [u8] {
        b"}\n"
    }

    fn raw(&self) -> &'static dyn Lines {
        &JSON_LINES
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::super::{Cell, OutputFormat, Style};

    #[test]
    fn objects() {
        let mut table = awkward();
        table.rows.truncate(3);
        table.push(vec![Cell::list(["a", "b\"c"]), Cell::number(f64::INFINITY), Cell::flag(true)]);
        table.columns[2] = table.columns[2].clone().keyed("retrieved");
        insta::assert_snapshot!(table.render(OutputFormat::Jsonl, &Style::default()), @r#"
        {"run":"bm25_rm3.run","nDCG@10":0.51234,"retrieved":1000}
        {"run":"検索|a,\"b\"","nDCG@10":0.6,"retrieved":20}
        {"run":"50%_of_$x\\y","nDCG@10":null,"retrieved":-1.5}
        {"run":["a","b\"c"],"nDCG@10":null,"retrieved":true}
        "#);
        let style = Style { places: Some(2), ..Style::default() };
        let rounded = table.render(OutputFormat::Jsonl, &style);
        assert!(rounded.starts_with("{\"run\":\"bm25_rm3.run\",\"nDCG@10\":0.51,"), "{rounded}");
        for line in rounded.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}

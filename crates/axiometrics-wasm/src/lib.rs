//! The library for the browser: a request in JSON, an answer in JSON.
//!
//! Owns: the requests of the laboratory's page, and the files and measures that it has handed over.
//! Does not own: any number, nor the shape of the documents, which are those of
//! [`axiometrics::report`] and so the command's.
//!
//! ```
//! let mut laboratory = axiometrics_wasm::Laboratory::default();
//! let request = r#"{"op": "score", "rankings": ["110"], "measures": ["P@3"]}"#;
//! let answer: serde_json::Value = serde_json::from_str(&laboratory.answer(request)).unwrap();
//! assert_eq!(answer["ok"]["document"]["rankings"][0]["measures"][0]["value"], 2.0 / 3.0);
//! ```

mod abi;
#[cfg(feature = "files")]
mod files;
mod measures;
mod organizations;
mod playground;
mod properties;
mod request;
#[cfg(test)]
#[cfg(feature = "files")]
mod tests;
mod voice;

use axiometrics::{Error, Result};
use serde_json::{Value, json};

use measures::Measures;
use request::Request;
use voice::advice;

/// All that lasts from one request to the next.
#[derive(Default)]
pub struct Laboratory {
    measures: Measures,
    #[cfg(feature = "files")]
    desk: files::Desk,
}

impl Laboratory {
    /// Answers a request: `{"ok": ...}`, or `{"error": {"message", "help", "line", "column"}}`.
    pub fn answer(&mut self, request: &str) -> String {
        let asked = serde_json::from_str(request).map_err(|e| {
            Error::usage(format!("the page asked what the library does not know: {e}"))
                .help("page and library are of different versions; load the page again")
        });
        match asked.and_then(|request| self.act(request)) {
            Ok(document) => json!({ "ok": document }).to_string(),
            Err(error) => json!({ "error": told(&error) }).to_string(),
        }
    }

    fn act(&mut self, request: Request) -> Result<Value> {
        match request {
            Request::Own { files } => self.measures.own(files),
            Request::Measures { texts } => Ok(self.measures.describe(&texts)),
            Request::Score(asked) => playground::score(&mut self.measures, &asked),
            Request::Explain(asked) => playground::explain(&mut self.measures, &asked),
            Request::Define { measure } => self.measures.define(&measure),
            Request::Catalogue => Ok(properties::catalogue()),
            Request::Check(asked) => properties::check(&mut self.measures, &asked),
            Request::Lattice => Ok(properties::lattice()),
            Request::Organize(asked) => organizations::organize(&asked),
            #[cfg(feature = "files")]
            Request::Files(request) => self.desk.act(&mut self.measures, request),
        }
    }

    /// Makes a file longer, and gives the part that is to be filled; `None` if no such file is open.
    #[cfg(feature = "files")]
    pub fn room(&mut self, file: u32, length: usize) -> Option<&mut [u8]> {
        self.desk.room(file, length)
    }
}

/// An error as the page shows it.
fn told(error: &Error) -> Value {
    let place = error.place();
    json!({
        "message": error.message(),
        "help": error.remedy().and_then(advice),
        "file": place.map(|place| &place.file),
        "line": place.and_then(|place| place.line),
        "column": place.and_then(|place| place.column),
    })
}

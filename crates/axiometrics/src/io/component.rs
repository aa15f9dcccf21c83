//! Reads the files of metrics.

use std::io::Read;

use super::Source;
use crate::component::Component;
use crate::error::{Error, Place, Result};

/// A metric's file is a page, not a data set.
const LARGEST: u64 = 1 << 20;

/// The metric that a file describes: a formula, or components.
pub fn read_component(path: &str) -> Result<&'static Component> {
    let source = Source::open(path)?;
    let mut bytes = Vec::new();
    source.read()?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::input(
            Place::file(path),
            "the file is larger than 1 MiB, expected the description of a metric",
        ));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::input(Place::file(path), "the file is not text in UTF-8"))?;
    Component::parse(path, &text)
}

//! Record batches as text, for readers that take text alone.

use arrow_array::RecordBatch;
use axiometrics::Result;
use axiometrics::io::table::WholeNumber;

use crate::cells::{Ids, Numbers};

/// A table as CSV with a header; null is an empty field. Ids are as they are, numbers as
/// short as can be; an error if a column holds something else.
pub fn to_csv(name: &str, batches: &[RecordBatch]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    if let Some(first) = batches.first() {
        let names = crate::batches::names(first);
        row(&mut text, names.iter().map(|name| name.as_bytes()));
    }
    for batch in batches {
        let names = crate::batches::names(batch);
        let columns: Vec<Cells<'_>> = batch
            .columns()
            .iter()
            .zip(&names)
            .map(|(array, column)| match Ids::of(array.as_ref(), name, column) {
                Ok(ids) => Ok(Cells::Ids(ids)),
                Err(wrong) => match Numbers::of(array.as_ref(), name, column) {
                    Ok(numbers) => Ok(Cells::Numbers(numbers)),
                    Err(_) => Err(wrong),
                },
            })
            .collect::<Result<_>>()?;
        let mut buffer = Vec::new();
        for at in 0..batch.num_rows() {
            let cells = columns.iter().map(|cells| {
                buffer.clear();
                match cells {
                    Cells::Ids(ids) => ids.get(at, &mut buffer).unwrap_or_default().to_vec(),
                    Cells::Numbers(numbers) => {
                        let text =
                            |x: WholeNumber| x.map_or_else(|(digits, _)| digits, |x| x.to_string());
                        numbers.get(at).map(|x| text(x).into_bytes()).unwrap_or_default()
                    }
                }
            });
            let cells: Vec<Vec<u8>> = cells.collect();
            row(&mut text, cells.iter().map(Vec::as_slice));
        }
    }
    Ok(text)
}

enum Cells<'b> {
    Ids(Ids<'b>),
    Numbers(Numbers<'b>),
}

/// Writes a row; fields are quoted if they must be, so that a single empty one is no blank line.
fn row<'f>(text: &mut Vec<u8>, fields: impl Iterator<Item = &'f [u8]>) {
    for (at, field) in fields.enumerate() {
        if at > 0 {
            text.push(b',');
        }
        if field.is_empty() || field.iter().any(|byte| b",\"\r\n\t ".contains(byte)) {
            text.push(b'"');
            for byte in field {
                text.push(*byte);
                if *byte == b'"' {
                    text.push(b'"');
                }
            }
            text.push(b'"');
        } else {
            text.extend_from_slice(field);
        }
    }
    text.push(b'\n');
}

//! Columns of a batch, read cell by cell where they lie.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, PrimitiveArray,
    StringArray, StringViewArray,
};
use arrow_schema::DataType;
use axiometrics::io::table::{WholeNumber, whole};
use axiometrics::{Error, Place, Result};

/// A column of ids.
#[derive(Debug)]
pub(crate) enum Ids<'b> {
    Text(&'b StringArray),
    LargeText(&'b LargeStringArray),
    TextView(&'b StringViewArray),
    Bytes(&'b BinaryArray),
    LargeBytes(&'b LargeBinaryArray),
    BytesView(&'b BinaryViewArray),
    Whole(Numbers<'b>),
    /// The keys of a dictionary, and its values.
    Dictionary(&'b dyn Array, Vec<usize>, Box<Ids<'b>>),
}

/// A column of numbers.
#[derive(Debug)]
pub(crate) enum Numbers<'b> {
    F64(&'b PrimitiveArray<Float64Type>),
    F32(&'b PrimitiveArray<Float32Type>),
    F16(&'b PrimitiveArray<Float16Type>),
    I64(&'b PrimitiveArray<Int64Type>),
    I32(&'b PrimitiveArray<Int32Type>),
    I16(&'b PrimitiveArray<Int16Type>),
    I8(&'b PrimitiveArray<Int8Type>),
    U64(&'b PrimitiveArray<UInt64Type>),
    U32(&'b PrimitiveArray<UInt32Type>),
    U16(&'b PrimitiveArray<UInt16Type>),
    U8(&'b PrimitiveArray<UInt8Type>),
}

/// The error that a column has a type that it cannot have.
fn wrong_type(table: &str, column: &str, found: &DataType, expected: &str) -> Error {
    let message = format!("column \"{column}\" is of type {found}, expected {expected}");
    Error::input(Place::file(table), message)
}

impl<'b> Ids<'b> {
    /// The ids in a column.
    pub(crate) fn of(array: &'b dyn Array, table: &str, column: &str) -> Result<Ids<'b>> {
        Ids::known(array).ok_or_else(|| {
            wrong_type(table, column, array.data_type(), "ids: strings or whole numbers")
        })
    }

    fn known(array: &'b dyn Array) -> Option<Ids<'b>> {
        Some(match array.data_type() {
            DataType::Utf8 => Ids::Text(array.as_string()),
            DataType::LargeUtf8 => Ids::LargeText(array.as_string()),
            DataType::Utf8View => Ids::TextView(array.as_string_view()),
            DataType::Binary => Ids::Bytes(array.as_binary()),
            DataType::LargeBinary => Ids::LargeBytes(array.as_binary()),
            DataType::BinaryView => Ids::BytesView(array.as_binary_view()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary_opt()?;
                let values = Ids::known(dictionary.values().as_ref())?;
                // An empty dictionary has no keys to bring into its range.
                let keys = if dictionary.values().is_empty() {
                    vec![0; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                Ids::Dictionary(array, keys, Box::new(values))
            }
            _ => Ids::Whole(Numbers::known(array).filter(Numbers::are_whole)?),
        })
    }

    /// The id in a row; `None` for null. A whole number is written into `buffer`.
    pub(crate) fn get<'r>(&'r self, row: usize, buffer: &'r mut Vec<u8>) -> Option<&'r [u8]> {
        Some(match self {
            Ids::Text(array) => (!array.is_null(row)).then(|| array.value(row).as_bytes())?,
            Ids::LargeText(array) => (!array.is_null(row)).then(|| array.value(row).as_bytes())?,
            Ids::TextView(array) => (!array.is_null(row)).then(|| array.value(row).as_bytes())?,
            Ids::Bytes(array) => (!array.is_null(row)).then(|| array.value(row))?,
            Ids::LargeBytes(array) => (!array.is_null(row)).then(|| array.value(row))?,
            Ids::BytesView(array) => (!array.is_null(row)).then(|| array.value(row))?,
            Ids::Whole(numbers) => {
                buffer.clear();
                numbers.write(row, buffer)?;
                buffer
            }
            Ids::Dictionary(array, keys, values) => {
                (!array.is_null(row)).then(|| values.get(keys[row], buffer)).flatten()?
            }
        })
    }
}

/// The same for each type of numbers.
macro_rules! each {
    ($numbers:expr, $array:ident => $value:expr) => {
        match $numbers {
            Numbers::F64($array) => $value,
            Numbers::F32($array) => $value,
            Numbers::F16($array) => $value,
            Numbers::I64($array) => $value,
            Numbers::I32($array) => $value,
            Numbers::I16($array) => $value,
            Numbers::I8($array) => $value,
            Numbers::U64($array) => $value,
            Numbers::U32($array) => $value,
            Numbers::U16($array) => $value,
            Numbers::U8($array) => $value,
        }
    };
}

impl<'b> Numbers<'b> {
    /// The numbers in a column.
    pub(crate) fn of(array: &'b dyn Array, table: &str, column: &str) -> Result<Numbers<'b>> {
        Numbers::known(array).ok_or_else(|| wrong_type(table, column, array.data_type(), "numbers"))
    }

    fn known(array: &'b dyn Array) -> Option<Numbers<'b>> {
        Some(match array.data_type() {
            DataType::Float64 => Numbers::F64(array.as_primitive()),
            DataType::Float32 => Numbers::F32(array.as_primitive()),
            DataType::Float16 => Numbers::F16(array.as_primitive()),
            DataType::Int64 => Numbers::I64(array.as_primitive()),
            DataType::Int32 => Numbers::I32(array.as_primitive()),
            DataType::Int16 => Numbers::I16(array.as_primitive()),
            DataType::Int8 => Numbers::I8(array.as_primitive()),
            DataType::UInt64 => Numbers::U64(array.as_primitive()),
            DataType::UInt32 => Numbers::U32(array.as_primitive()),
            DataType::UInt16 => Numbers::U16(array.as_primitive()),
            DataType::UInt8 => Numbers::U8(array.as_primitive()),
            _ => return None,
        })
    }

    fn are_whole(&self) -> bool {
        !matches!(self, Numbers::F64(_) | Numbers::F32(_) | Numbers::F16(_))
    }

    /// The number in a row; `None` for null. An error if it would be rounded.
    pub(crate) fn get(&self, row: usize) -> Option<WholeNumber> {
        if each!(self, array => array.is_null(row)) {
            return None;
        }
        Some(Ok(match self {
            Numbers::F64(array) => array.value(row),
            Numbers::F32(array) => f64::from(array.value(row)),
            Numbers::F16(array) => array.value(row).to_f64(),
            Numbers::I64(array) => return Some(whole(array.value(row).into())),
            Numbers::I32(array) => f64::from(array.value(row)),
            Numbers::I16(array) => f64::from(array.value(row)),
            Numbers::I8(array) => f64::from(array.value(row)),
            Numbers::U64(array) => return Some(whole(array.value(row).into())),
            Numbers::U32(array) => f64::from(array.value(row)),
            Numbers::U16(array) => f64::from(array.value(row)),
            Numbers::U8(array) => f64::from(array.value(row)),
        }))
    }

    /// Writes the number in a row as text; `None` for null.
    fn write(&self, row: usize, buffer: &mut Vec<u8>) -> Option<()> {
        each!(self, array => {
            if array.is_null(row) {
                return None;
            }
            // Writing to memory does not fail.
            let _ = write!(buffer, "{}", array.value(row));
        });
        Some(())
    }
}

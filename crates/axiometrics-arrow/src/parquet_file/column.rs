//! One column of a row group, row by row.

use std::io::Write;
use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use axiometrics::io::table::{WholeNumber, whole};
use axiometrics::{Error, Place, Result};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    AsBytes, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescriptor;

use super::broken;
use super::guard::{Expansion, Expansions};
use super::pages::{Input, pages};

/// How many rows are decoded before their bytes are counted.
const STEP: usize = 32;

/// What a column is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Ids,
    Numbers,
    /// Lists of ids.
    Lists,
}

/// A column, and the row that it stands at.
pub(super) struct Column {
    file: String,
    name: String,
    want: Want,
    values: Values,
    /// How many levels say that there is a value; 0 if there always is one.
    full: i16,
    /// Whether a value of a list can be null.
    nullable: bool,
    levels: Vec<i16>,
    /// Of lists, 0 where one begins.
    repeats: Vec<i16>,
    row: usize,
    /// The value after the last one.
    value: usize,
    /// The place of the row's value; none if it is null.
    here: Option<usize>,
    /// A whole number as an id.
    text: Vec<u8>,
    expansion: Arc<Expansion>,
}

/// The values of some rows, without the nulls, and where more come from.
enum Values {
    Bytes(Typed<ByteArrayType>),
    Half(Typed<FixedLenByteArrayType>),
    I32(Typed<Int32Type>),
    U32(Typed<Int32Type>),
    I64(Typed<Int64Type>),
    U64(Typed<Int64Type>),
    F32(Typed<FloatType>),
    F64(Typed<DoubleType>),
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

impl<T: DataType> Typed<T> {
    /// Decodes the next rows, and counts the bytes of their values as they come.
    fn fill(
        &mut self,
        most: usize,
        [mut levels, mut repeats]: [Option<&mut Vec<i16>>; 2],
        expansion: &Expansion,
    ) -> std::result::Result<usize, ParquetError> {
        self.values.clear();
        [&mut levels, &mut repeats].into_iter().flatten().for_each(|levels| levels.clear());
        // Fewer may come than are asked for; none come at the end alone.
        let mut rows = 0;
        while rows < most {
            let (levels, repeats) = (levels.as_deref_mut(), repeats.as_deref_mut());
            let (step, known) = (STEP.min(most - rows), self.values.len());
            let more = self.reader.read_records(step, levels, repeats, &mut self.values)?;
            if more.0 == 0 {
                break;
            }
            rows += more.0;
            let bytes: usize = self.values[known..].iter().map(|v| v.as_bytes().len()).sum();
            expansion.take(bytes as u64)?;
        }
        Ok(rows)
    }
}

/// What the values of a column are, of those that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bytes,
    Half,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Kind {
    fn of(descriptor: &ColumnDescriptor) -> Option<Kind> {
        use ConvertedType as Old;
        let (logical, old) = (descriptor.logical_type_ref(), descriptor.converted_type());
        let signed = || match (logical, old) {
            (Some(LogicalType::Integer(kind)), _) => Some(kind.is_signed),
            (Some(_), _) => None,
            (None, Old::NONE | Old::INT_8 | Old::INT_16 | Old::INT_32 | Old::INT_64) => Some(true),
            (None, Old::UINT_8 | Old::UINT_16 | Old::UINT_32 | Old::UINT_64) => Some(false),
            (None, _) => None,
        };
        match descriptor.physical_type() {
            Physical::BYTE_ARRAY => match (logical, old) {
                (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
                | (None, Old::NONE | Old::UTF8 | Old::ENUM | Old::JSON) => Some(Kind::Bytes),
                _ => None,
            },
            Physical::FIXED_LEN_BYTE_ARRAY => {
                (logical == Some(&LogicalType::Float16)).then_some(Kind::Half)
            }
            Physical::INT32 => signed().map(|signed| if signed { Kind::I32 } else { Kind::U32 }),
            Physical::INT64 => signed().map(|signed| if signed { Kind::I64 } else { Kind::U64 }),
            Physical::FLOAT => Some(Kind::F32),
            Physical::DOUBLE => Some(Kind::F64),
            Physical::BOOLEAN | Physical::INT96 => None,
        }
    }

    fn serves(self, want: Want) -> bool {
        let number = matches!(self, Kind::Half | Kind::F32 | Kind::F64);
        match want {
            Want::Ids | Want::Lists => !number,
            Want::Numbers => self != Kind::Bytes,
        }
    }
}

/// The type of a column, for a message.
fn shown(descriptor: &ColumnDescriptor) -> String {
    let physical = descriptor.physical_type();
    match (descriptor.logical_type_ref(), descriptor.converted_type()) {
        (Some(logical), _) => format!("{logical:?} ({physical})"),
        (None, ConvertedType::NONE) => physical.to_string(),
        (None, old) => format!("{old} ({physical})"),
    }
}

/// A number of sixteen bits.
fn half(bytes: &[u8]) -> f64 {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    bytes.try_into().map_or(f64::NAN, |bytes| Half::from_le_bytes(bytes).to_f64())
}

/// The same for each type of values.
macro_rules! each {
    ($values:expr, $typed:ident => $value:expr) => {
        match $values {
            Values::Bytes($typed) => $value,
            Values::Half($typed) => $value,
            Values::I32($typed) | Values::U32($typed) => $value,
            Values::I64($typed) | Values::U64($typed) => $value,
            Values::F32($typed) => $value,
            Values::F64($typed) => $value,
        }
    };
}

impl Column {
    /// The column at a place among those of the schema. An error if it has a type that it cannot have.
    pub(super) fn open(
        file: &str,
        input: &Arc<Input>,
        group: &RowGroupMetaData,
        at: usize,
        want: Want,
        expansions: &Expansions,
    ) -> Result<Column> {
        let schema = group.schema_descr();
        let root = &schema.root_schema().get_fields()[at];
        let wrong = |found: String| {
            let expected = match want {
                Want::Ids => "ids: strings or whole numbers",
                Want::Numbers => "numbers",
                Want::Lists => "lists of ids",
            };
            let name = root.name();
            let message = format!("column \"{name}\" is of type {found}, expected {expected}");
            Error::input(Place::file(file), message)
        };
        let mut leaves =
            (0..schema.num_columns()).filter(|leaf| schema.get_column_root_idx(*leaf) == at);
        // Lists of lists, and of records with several fields, hold no ids.
        let depth = i16::from(want == Want::Lists);
        let leaf = leaves.next().filter(|leaf| schema.column(*leaf).max_rep_level() == depth);
        let leaf = leaf.filter(|_| leaves.next().is_none());
        let leaf = leaf.filter(|_| want == Want::Lists || root.is_primitive());
        let Some(leaf) = leaf else {
            let one = depth == 1 && root.is_primitive();
            return Err(wrong(if one { "single values" } else { "list or group" }.to_string()));
        };
        let descriptor = schema.column(leaf);
        let full = descriptor.max_def_level();
        let known = Kind::of(&descriptor).filter(|kind| kind.serves(want));
        let Some(kind) = known else { return Err(wrong(shown(&descriptor))) };
        let pages = pages(input, group, leaf, &expansions.pages).map_err(|e| broken(file, &e))?;
        macro_rules! typed {
            () => {
                Typed { reader: ColumnReaderImpl::new(descriptor, pages), values: Vec::new() }
            };
        }
        let values = match kind {
            Kind::Bytes => Values::Bytes(typed!()),
            Kind::Half => Values::Half(typed!()),
            Kind::I32 => Values::I32(typed!()),
            Kind::U32 => Values::U32(typed!()),
            Kind::I64 => Values::I64(typed!()),
            Kind::U64 => Values::U64(typed!()),
            Kind::F32 => Values::F32(typed!()),
            Kind::F64 => Values::F64(typed!()),
        };
        Ok(Column {
            file: file.to_string(),
            name: root.name().to_string(),
            want,
            values,
            full,
            nullable: schema.column(leaf).self_type().is_optional(),
            levels: Vec::new(),
            repeats: Vec::new(),
            row: 0,
            value: 0,
            here: None,
            text: Vec::new(),
            expansion: expansions.rows.clone(),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Decodes the next rows, at most so many, and says how many they are.
    pub(super) fn fill(&mut self, most: usize) -> Result<usize> {
        (self.row, self.value, self.here) = (0, 0, None);
        let repeats = (self.want == Want::Lists).then_some(&mut self.repeats);
        let levels = [(self.full > 0).then_some(&mut self.levels), repeats];
        let expansion = &self.expansion;
        each!(&mut self.values, typed => typed.fill(most, levels, expansion))
            .map_err(|e| broken(&self.file, &e))
    }

    /// Goes to the next of these rows.
    #[inline]
    pub(super) fn next(&mut self) {
        let there = self.full == 0 || self.levels.get(self.row) == Some(&self.full);
        self.row += 1;
        self.here = there.then_some(self.value);
        self.value += usize::from(there);
        if let (Want::Ids, Some(at)) = (self.want, self.here) {
            self.write(at);
        }
    }

    /// How many documents and empty lists these rows have.
    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Goes to the next document of a list, to the first if it is asked for; false at the end.
    pub(super) fn next_listed(&mut self, first: bool) -> bool {
        let Some(level) = self.levels.get(self.row) else { return false };
        if !first && self.repeats.get(self.row) == Some(&0) {
            return false;
        }
        // A list that is null or empty has a lower level than one of its documents that is null.
        let there = *level == self.full;
        let is_empty = *level < self.full - i16::from(self.nullable);
        self.row += 1;
        self.here = there.then_some(self.value);
        self.value += usize::from(there);
        if let Some(at) = self.here {
            self.write(at);
        }
        !is_empty
    }

    /// Writes a whole number as text.
    fn write(&mut self, at: usize) {
        let text = &mut self.text;
        text.clear();
        // Writing to memory does not fail.
        let _ = match &self.values {
            Values::I32(typed) => write!(text, "{}", typed.values[at]),
            Values::U32(typed) => write!(text, "{}", typed.values[at].cast_unsigned()),
            Values::I64(typed) => write!(text, "{}", typed.values[at]),
            Values::U64(typed) => write!(text, "{}", typed.values[at].cast_unsigned()),
            Values::Bytes(_) | Values::Half(_) | Values::F32(_) | Values::F64(_) => Ok(()),
        };
    }

    /// The id in the row; none for null.
    #[inline]
    pub(super) fn id(&self) -> Option<&[u8]> {
        let at = self.here?;
        match &self.values {
            Values::Bytes(typed) => typed.values.get(at).map(|id| id.data()),
            _ => Some(&self.text),
        }
    }

    /// The number in the row; none for null. An error if a score or grade would be rounded.
    #[inline]
    pub(super) fn number(&self) -> Option<WholeNumber> {
        let at = self.here?;
        Some(Ok(match &self.values {
            Values::F64(typed) => typed.values[at],
            Values::F32(typed) => f64::from(typed.values[at]),
            Values::I32(typed) => f64::from(typed.values[at]),
            Values::U32(typed) => f64::from(typed.values[at].cast_unsigned()),
            Values::I64(typed) => return Some(whole(typed.values[at].into())),
            Values::U64(typed) => return Some(whole(typed.values[at].cast_unsigned().into())),
            Values::Half(typed) => half(typed.values[at].data()),
            Values::Bytes(_) => return None,
        }))
    }
}
